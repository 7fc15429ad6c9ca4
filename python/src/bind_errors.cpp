// sixrung::Error as the Python exceptions of sixrung.errors.
#include "bindings.hpp"
#include "core/graph/error.hpp"
#include "core/graph/spelling.hpp"

namespace py = pybind11;

namespace sixrung::python {
namespace {

const char *className(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::kInvalidInput:
    return "InvalidInputError";
  case ErrorKind::kUnsupported:
    return "UnsupportedError";
  case ErrorKind::kPlugin:
    return "PluginError";
  case ErrorKind::kIo:
    return "FileError";
  case ErrorKind::kInternal:
    break;
  }
  return "InternalError";
}

} // namespace

void bindErrors(py::module_ &) {
  py::register_local_exception_translator([](std::exception_ptr pointer) {
    try {
      std::rethrow_exception(pointer);
    } catch (const Error &error) {
      py::list payload;
      std::string message = error.what();
      for (const auto &[key, value] : error.payload()) {
        payload.append(py::make_tuple(key, value));
        if (key == "hint" && message.find(value) == message.npos)
          message += "\nhint: " + value; // a traceback shows the message alone
      }
      py::object type = py::module_::import("sixrung.errors").attr(className(error.kind()));
      py::object exception = type(graph::printable(message), payload);
      PyErr_SetObject(type.ptr(), exception.ptr());
    }
  });
}

} // namespace sixrung::python
