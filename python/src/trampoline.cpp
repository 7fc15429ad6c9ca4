#include "trampoline.hpp"

#include "call.hpp"
#include "core/graph/spelling.hpp"
#include "core/lower/session.hpp"
#include "core/plugin/crossing.hpp"

namespace sixrung::python {
namespace {

thread_local ConversionScope *current = nullptr;

// "ValueError: no" of an exception; its traceback travels as the cause.
std::string summary(const py::error_already_set &error) {
  std::string type = py::str(py::object(error.type().attr("__name__")));
  std::string message = py::str(error.value());
  return message.empty() ? type : type + ": " + message;
}

// How it crosses the boundary (ABI-7): what says "not here" is a refusal, one of ours keeps its code and
// details, and any other is a failure of the lowering.
sixrung_status *toStatus(const py::error_already_set &error, const std::string &text) {
  py::module_ errors = py::module_::import("sixrung.errors");
  uint32_t code = SIXRUNG_INTERNAL;
  if (error.matches(PyExc_NotImplementedError) || error.matches(errors.attr("UnsupportedError")))
    code = SIXRUNG_UNSUPPORTED;
  else if (error.matches(errors.attr("InvalidInputError")))
    code = SIXRUNG_INVALID_ARGUMENT;
  Error out = plugin::failure(code, text);
  py::object payload = error.matches(errors.attr("Error")) ? py::getattr(error.value(), "payload", py::none())
                                                           : py::object(py::none());
  if (py::isinstance<py::dict>(payload))
    for (auto [key, value] : py::dict(payload))
      out.with(py::str(key), py::str(value)); // a code among them is the last word
  return plugin::toStatus(out);
}

void setResults(Call &call, const py::list &values) {
  for (size_t i = 0; i < values.size(); ++i)
    if (!values[i].is_none())
      call.setResult(static_cast<uint32_t>(i), values[i].cast<ValueId>());
}

} // namespace

sixrung_status *runPythonLowering(const sixrung_host *host, void *user, sixrung_call id) {
  py::gil_scoped_acquire gil;
  try {
    if (ConversionScope::interrupted()) // the plugin that called went on
      return plugin::toStatus(SIXRUNG_INTERNAL, "the conversion is interrupted");
    auto &lowering = *static_cast<PythonLowering *>(user);
    auto call = std::make_shared<Call>(host, id);
    const graph::Node *node = lower::callNode(id);
    py::object fx = node ? ConversionScope::fxNode(node) : py::none();
    setResults(*call, py::list(lowering.run(call, fx)));
    return nullptr;
  } catch (py::error_already_set &error) {
    std::string text = summary(error);
    ConversionScope::keep(error, text);
    return toStatus(error, text);
  } catch (const Error &error) {
    return plugin::toStatus(error);
  } catch (const std::exception &error) {
    return plugin::toStatus(SIXRUNG_INTERNAL, error.what());
  }
}

ConversionScope::ConversionScope(std::vector<std::shared_ptr<LiveProgram>> programs)
    : programs_(std::move(programs)), exception_(py::none()), interrupt_(py::none()),
      outer_(std::exchange(current, this)) {}

ConversionScope::~ConversionScope() { current = outer_; }

py::object ConversionScope::fxNode(const graph::Node *node) {
  if (current)
    for (const auto &program : current->programs_)
      if (py::object fx = program->fxNode(node); !fx.is_none())
        return fx;
  return py::none();
}

void ConversionScope::keep(const py::error_already_set &error, std::string summary) {
  if (!current)
    return;
  py::object exception = error.value();
  if (error.trace()) // pybind11 fetched it apart from its exception
    PyException_SetTraceback(exception.ptr(), error.trace().ptr());
  if (!error.matches(PyExc_Exception)) {
    current->interrupt_ = std::move(exception);
    return;
  }
  current->exception_ = std::move(exception);
  current->summary_ = std::move(summary);
}

py::object ConversionScope::takeException(const std::string &message) {
  if (!current || current->exception_.is_none() || message.find(current->summary_) == std::string::npos)
    return py::none();
  return std::exchange(current->exception_, py::none());
}

bool ConversionScope::interrupted() { return current && !current->interrupt_.is_none(); }

void ConversionScope::throwInterrupt() {
  if (!interrupted())
    return;
  py::object exception = std::exchange(current->interrupt_, py::none());
  PyErr_SetObject(py::type::handle_of(exception).ptr(), exception.ptr());
  throw py::error_already_set();
}

void ConversionScope::poll() {
  constexpr std::chrono::milliseconds kEvery(50);
  auto now = std::chrono::steady_clock::now();
  if (!interrupted() && now - polled_ < kEvery)
    return;
  polled_ = now;
  py::gil_scoped_acquire gil;
  throwInterrupt();
  if (PyErr_CheckSignals() != 0)
    throw py::error_already_set();
}

py::object exceptionOf(const Error &error, const char *className) {
  py::list payload;
  std::string message = error.what();
  for (const auto &[key, value] : error.payload()) {
    payload.append(py::make_tuple(key, value));
    if (key == "hint" && message.find(value) == message.npos)
      message += "\nhint: " + value; // a traceback shows the message alone
  }
  return py::module_::import("sixrung.errors").attr(className)(graph::printable(message), payload);
}

void raise(const Error &error, const char *className, const py::object &cause) {
  py::object exception = exceptionOf(error, className);
  if (!cause.is_none())
    PyException_SetCause(exception.ptr(), py::object(cause).release().ptr());
  PyErr_SetObject(py::type::handle_of(exception).ptr(), exception.ptr());
  throw py::error_already_set();
}

} // namespace sixrung::python
