// Weights: the bytes of a live tensor, without a copy.
#include "live_door.hpp"

#include "core/graph/error.hpp"

namespace sixrung::python {
namespace {

[[noreturn]] void refuse(const std::string &fqn, const std::string &why) {
  throw Error(ErrorKind::kInvalidInput, "tensor '" + fqn + "' " + why).with("tensor", fqn);
}

std::vector<int64_t> integers(py::handle tuple) {
  std::vector<int64_t> values;
  for (py::handle value : py::reinterpret_borrow<py::tuple>(tuple))
    values.push_back(value.cast<int64_t>());
  return values;
}

// Holds a Python object from C++; let go under the GIL, from whichever thread.
std::shared_ptr<const void> hold(py::object object) {
  return {object.release().ptr(), [](const void *held) {
            if (!Py_IsInitialized()) // the process ends: its memory goes with it
              return;
            py::gil_scoped_acquire gil;
            Py_DECREF(static_cast<PyObject *>(const_cast<void *>(held)));
          }};
}

} // namespace

graph::TensorData borrowTensor(const std::string &fqn, py::handle handle, MetaReader &meta) {
  const Names &names = meta.names;
  if (!meta.isTensor(handle))
    refuse(fqn, "is a " + typeName(handle) + ", not a tensor");
  if (meta.isFakeTensor(handle))
    refuse(fqn, "is a fake tensor and has no data; export the program with real weights");
  auto tensor = py::reinterpret_borrow<py::object>(handle);
  if (get(tensor, names.is_nested).ptr() == Py_True)
    refuse(fqn, "is nested; only dense tensors can be converted");
  if (get(tensor, names.is_quantized).ptr() == Py_True)
    refuse(fqn,
           "is quantized; dequantize it, or keep integers, scales and zero points as tensors of their own");
  std::string layout = meta.layout(get(tensor, names.layout));
  if (layout != "strided")
    refuse(fqn, "has the layout torch." + layout + "; make it dense with .to_dense()");
  std::string device = meta.device(get(tensor, names.device));
  if (device == "meta")
    refuse(fqn, "is on the meta device and has no data; export the program with real weights");
  if (device.rfind("cpu", 0) != 0)
    refuse(fqn, "is on " + device + "; move the module to the CPU before exporting it");
  // Parameters and buffers give a plain tensor here; subclasses that wrap others do not.
  if (py::object plain = get(tensor, names.data); !meta.isPlainTensor(plain))
    refuse(fqn, "is a " + typeName(plain) +
                    ", whose data is not that of a plain tensor; unwrap it before exporting");
  // A conjugate or negative view says so in a bit and not in its bytes.
  if (get(tensor, names.is_conj)().ptr() == Py_True)
    tensor = tensor.attr("resolve_conj")();
  if (get(tensor, names.is_neg)().ptr() == Py_True)
    tensor = tensor.attr("resolve_neg")();

  graph::TensorData data;
  data.dtype = meta.dtype(get(tensor, names.dtype));
  data.sizes = integers(get(tensor, names.shape));
  data.strides = integers(get(tensor, names.stride)());
  py::object storage = get(tensor, names.untyped_storage)();
  int64_t itemSize = get(tensor, names.element_size)().cast<int64_t>();
  int64_t offset = get(tensor, names.storage_offset)().cast<int64_t>() * itemSize;
  int64_t extent = storage.attr("nbytes")().cast<int64_t>() - offset;
  int64_t last = 0, count = 1;
  for (size_t i = 0; i < data.sizes.size(); ++i) {
    count *= data.sizes[i];
    last += (data.sizes[i] - 1) * data.strides[i];
  }
  if (count == 0)
    return data;
  if (extent < (last + 1) * itemSize)
    refuse(fqn, "reaches past the end of its storage");
  auto address = storage.attr("data_ptr")().cast<uintptr_t>();
  data.data = reinterpret_cast<const std::byte *>(address) + offset;
  data.extent = static_cast<size_t>(extent);
  data.keepAlive = hold(std::move(storage));
  return data;
}

} // namespace sixrung::python
