// sixrung::Error as the Python exceptions of sixrung.errors.
#include "bindings.hpp"
#include "trampoline.hpp"

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
      py::object exception = exceptionOf(error, className(error.kind()));
      PyErr_SetObject(py::type::handle_of(exception).ptr(), exception.ptr());
    }
  });
}

} // namespace sixrung::python
