#include "trampoline.hpp"

#include "call.hpp"
#include "core/graph/spelling.hpp"
#include "core/lower/session.hpp"
#include "core/plugin/registry.hpp"

namespace sixrung::python {
namespace {

thread_local ConversionScope *current = nullptr;

// "ValueError: no" of an exception; its traceback travels as the cause.
std::string summary(const py::error_already_set &error) {
  std::string type = py::str(py::object(error.type().attr("__name__")));
  std::string message = py::str(error.value());
  return message.empty() ? type : type + ": " + message;
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
    auto &lowering = *static_cast<PythonLowering *>(user);
    auto call = std::make_shared<Call>(host, id);
    const graph::Node *node = lower::callNode(id);
    py::object fx = node ? ConversionScope::fxNode(node) : py::none();
    setResults(*call, py::list(lowering.run(call, fx)));
    return nullptr;
  } catch (py::error_already_set &error) {
    std::string text = summary(error);
    ConversionScope::keep(error, text);
    return plugin::toStatus(SIXRUNG_UNSUPPORTED, text);
  } catch (const Error &error) {
    return plugin::toStatus(error);
  } catch (const std::exception &error) {
    return plugin::toStatus(SIXRUNG_INTERNAL, error.what());
  }
}

ConversionScope::ConversionScope(std::vector<std::shared_ptr<LiveProgram>> programs)
    : programs_(std::move(programs)), exception_(py::none()), outer_(std::exchange(current, this)) {}

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
  current->exception_ = error.value();
  if (error.trace()) // pybind11 fetched it apart from its exception
    PyException_SetTraceback(current->exception_.ptr(), error.trace().ptr());
  current->summary_ = std::move(summary);
}

py::object ConversionScope::takeException(const std::string &message) {
  if (!current || current->exception_.is_none() || message.find(current->summary_) == std::string::npos)
    return py::none();
  return std::exchange(current->exception_, py::none());
}

void raise(const Error &error, const char *className, const py::object &cause) {
  py::list payload;
  for (const auto &[key, value] : error.payload())
    payload.append(py::make_tuple(key, value));
  py::object type = get(py::module_::import("sixrung.errors"), py::str(className));
  py::object exception = type(graph::printable(error.what()), payload);
  if (!cause.is_none())
    PyException_SetCause(exception.ptr(), py::object(cause).release().ptr());
  PyErr_SetObject(type.ptr(), exception.ptr());
  throw py::error_already_set();
}

} // namespace sixrung::python
