#include "call.hpp"

#include "bindings.hpp"
#include "core/lower/session.hpp"
#include "core/plugin/registry.hpp"
#include "trampoline.hpp"

#include <pybind11/complex.h>
#include <pybind11/stl.h>

namespace sixrung::python {
namespace {

py::tuple dimsOf(const int64_t *dims, uint32_t rank) {
  py::tuple out(rank);
  for (uint32_t i = 0; i < rank; ++i)
    out[i] = dims[i] == SIXRUNG_DYNAMIC ? py::object(py::none()) : py::object(py::int_(dims[i]));
  return out;
}

std::vector<int64_t> rawDims(const Dims &dims) {
  std::vector<int64_t> out;
  for (const auto &dim : dims)
    out.push_back(dim.value_or(SIXRUNG_DYNAMIC));
  return out;
}

sixrung_type tensorType(uint32_t dtype, const std::vector<int64_t> &dims) {
  sixrung_type type{};
  type.struct_size = sizeof(type);
  type.kind = SIXRUNG_TYPE_TENSOR;
  type.dtype = dtype;
  type.rank = static_cast<uint32_t>(dims.size());
  type.dims = dims.data();
  return type;
}

std::vector<ValueId> ids(const std::vector<sixrung_value> &values) {
  std::vector<ValueId> out;
  for (sixrung_value value : values)
    out.push_back({value.id});
  return out;
}

std::vector<sixrung_value> raw(const std::vector<ValueId> &values) {
  std::vector<sixrung_value> out;
  for (ValueId value : values)
    out.push_back({value.id});
  return out;
}

} // namespace

void Call::check(sixrung_status *status) const {
  if (ConversionScope::interrupted()) {
    host_->status_release(status);
    ConversionScope::throwInterrupt();
  }
  try {
    plugin::throwIfFailed(status, ErrorKind::kPlugin);
  } catch (const Error &error) {
    py::object cause = ConversionScope::takeException(error.what());
    raise(error, cause.is_none() ? "PluginError" : "LoweringError", cause);
  }
}

sixrung_node_info Call::info() const {
  sixrung_node_info info{};
  info.struct_size = sizeof(info);
  check(host_->call_node(call_, &info));
  return info;
}

py::dict Call::node() const {
  const sixrung_node_info info = this->info();
  py::dict out;
  out["name"] = toString(info.name);
  out["key"] = toString(info.key);
  out["source_file"] = toString(info.source_file);
  out["source_line"] = info.source_line;
  out["module_path"] = toString(info.module_path);
  out["result_count"] = info.result_count;
  return out;
}

py::list Call::arguments() const {
  const sixrung_node_info info = this->info();
  py::list out;
  for (uint32_t i = 0; i < info.arg_count; ++i) {
    sixrung_named_arg argument{};
    check(host_->call_arg(call_, i, &argument));
    out.append(py::make_tuple(toString(argument.name), readArgument(argument.value)));
  }
  return out;
}

py::list Call::results() const {
  const sixrung_node_info info = this->info();
  py::list out;
  for (uint32_t i = 0; i < info.result_count; ++i) {
    sixrung_result_info result{};
    result.struct_size = sizeof(result);
    check(host_->call_result(call_, i, &result));
    out.append(py::make_tuple(result.kind, DTypeCode{result.dtype}, DTypeCode{result.value_dtype},
                              dimsOf(result.dims, result.rank), result.used != 0));
  }
  return out;
}

std::optional<ValueId> Call::value(const std::string &name) const {
  sixrung_value value = lower::callValue(call_, name);
  return value.id ? std::optional<ValueId>(ValueId{value.id}) : std::nullopt;
}

py::tuple Call::type(ValueId value) const {
  sixrung_type type{};
  type.struct_size = sizeof(type);
  check(host_->value_type(call_, {value.id}, &type));
  return py::make_tuple(type.kind, DTypeCode{type.dtype}, dimsOf(type.dims, type.rank));
}

py::object Call::constantBytes(ValueId value) const {
  sixrung_constant_view view{};
  view.struct_size = sizeof(view);
  view.type.struct_size = sizeof(view.type);
  check(host_->value_constant(call_, {value.id}, &view));
  if (!view.data)
    return py::none();
  return py::make_tuple(DTypeCode{view.type.dtype}, dimsOf(view.type.dims, view.type.rank),
                        py::bytes(static_cast<const char *>(view.data), view.size), view.splat != 0);
}

ValueId Call::constant(uint32_t dtype, const std::vector<int64_t> &dims, const py::buffer &bytes) {
  py::buffer_info info = bytes.request();
  if (PyBuffer_IsContiguous(info.view(), 'C') == 0)
    throw py::value_error("the bytes of a constant are not contiguous");
  sixrung_type type = tensorType(dtype, dims);
  sixrung_value out{};
  check(host_->constant(call_, &type, info.ptr, static_cast<uint64_t>(info.size * info.itemsize), &out));
  return {out.id};
}

std::vector<ValueId> Call::build(const std::string &op, const std::vector<ValueId> &operands,
                                 const py::list &attributes, const py::object &resultTypes,
                                 uint32_t resultCount) {
  ArgumentWriter writer;
  std::vector<sixrung_named_arg> named = writer.writeNamed(attributes);
  std::vector<sixrung_value> values = raw(operands);
  std::vector<std::vector<int64_t>> dims;
  std::vector<sixrung_type> types;
  if (!resultTypes.is_none()) {
    auto given = resultTypes.cast<std::vector<std::pair<DTypeCode, Dims>>>();
    dims.reserve(given.size());
    for (const auto &[dtype, shape] : given) {
      dims.push_back(rawDims(shape));
      types.push_back(tensorType(dtype.code, dims.back()));
    }
    resultCount = static_cast<uint32_t>(types.size());
  }
  sixrung_op request{};
  request.struct_size = sizeof(request);
  request.name = toStr(op);
  request.operand_count = static_cast<uint32_t>(values.size());
  request.operands = values.data();
  request.attribute_count = static_cast<uint32_t>(named.size());
  request.attributes = named.data();
  request.result_count = resultCount;
  request.result_types = resultTypes.is_none() ? nullptr : types.data();
  std::vector<sixrung_value> results(resultCount);
  check(host_->build_op(call_, &request, results.data()));
  return ids(results);
}

std::vector<ValueId> Call::lower(const std::string &key, const py::list &arguments, const py::list &wanted) {
  ArgumentWriter writer;
  std::vector<sixrung_named_arg> named = writer.writeNamed(arguments);
  std::vector<std::vector<int64_t>> dims;
  std::vector<sixrung_result_info> infos;
  dims.reserve(wanted.size());
  for (py::handle entry : wanted) {
    auto [kind, dtype, shape] = entry.cast<std::tuple<uint32_t, DTypeCode, Dims>>();
    dims.push_back(rawDims(shape));
    sixrung_result_info info{};
    info.struct_size = sizeof(info);
    info.kind = kind;
    info.dtype = info.value_dtype = dtype.code;
    info.rank = static_cast<uint32_t>(dims.back().size());
    info.dims = dims.back().data();
    info.used = 1;
    infos.push_back(info);
  }
  sixrung_lower_request request{};
  request.struct_size = sizeof(request);
  request.key = toStr(key);
  request.arg_count = static_cast<uint32_t>(named.size());
  request.args = named.data();
  request.result_count = static_cast<uint32_t>(infos.size());
  request.results = infos.data();
  std::vector<sixrung_value> results(infos.size());
  sixrung_status *status = nullptr;
  {
    py::gil_scoped_release release; // whatever serves the key is another plugin
    status = host_->lower(call_, &request, results.data());
  }
  check(status);
  return ids(results);
}

std::pair<GraphId, std::vector<ValueId>>
Call::openGraph(const std::string &name, const std::vector<std::pair<std::string, ValueId>> &inputs,
                const std::optional<Composite> &composite) {
  std::vector<sixrung_str> inputNames, outputNames;
  std::vector<sixrung_type> types;
  for (const auto &[inputName, value] : inputs) {
    inputNames.push_back(toStr(inputName));
    types.push_back({});
    types.back().struct_size = sizeof(sixrung_type);
    check(host_->value_type(call_, {value.id}, &types.back()));
  }
  ArgumentWriter writer;
  std::vector<sixrung_named_arg> attributes;
  sixrung_graph_desc desc{};
  desc.struct_size = sizeof(desc);
  desc.name = toStr(name);
  desc.input_count = static_cast<uint32_t>(inputs.size());
  desc.input_names = inputNames.data();
  desc.input_types = types.data();
  if (composite) {
    const auto &[composed, attributesOf, outputs, version] = *composite;
    attributes = writer.writeNamed(attributesOf);
    for (const std::string &output : outputs)
      outputNames.push_back(toStr(output));
    desc.flags = SIXRUNG_GRAPH_TEMPLATE;
    desc.composite = toStr(composed);
    desc.version = version;
    desc.attribute_count = static_cast<uint32_t>(attributes.size());
    desc.attributes = attributes.data();
    desc.output_count = static_cast<uint32_t>(outputNames.size());
    desc.output_names = outputNames.data();
  }
  sixrung_graph graph{};
  std::vector<sixrung_value> arguments(inputs.size());
  check(host_->graph_open(call_, &desc, &graph, arguments.data()));
  return {GraphId{graph.id}, ids(arguments)};
}

void Call::closeGraph(GraphId graph, const std::vector<ValueId> &outputs) {
  std::vector<sixrung_value> values = raw(outputs);
  check(host_->graph_close(call_, {graph.id}, values.data(), static_cast<uint32_t>(values.size())));
}

void Call::abandonGraph(GraphId graph) { lower::abandonGraph(call_, {graph.id}); }

std::vector<ValueId> Call::invoke(GraphId graph, const std::vector<ValueId> &operands, uint32_t resultCount) {
  std::vector<sixrung_value> values = raw(operands), results(resultCount);
  check(host_->invoke(call_, {graph.id}, values.data(), static_cast<uint32_t>(values.size()), results.data(),
                      resultCount));
  return ids(results);
}

void Call::remark(uint32_t kind, const std::string &message) {
  check(host_->call_remark(call_, kind, toStr(message)));
}

void Call::setResult(uint32_t index, ValueId value) {
  check(host_->call_set_result(call_, index, {value.id}));
}

void bindCalls(py::module_ &module) {
  py::class_<ValueId>(module, "ValueId", "A value of the graph being built.")
      .def("__eq__",
           [](ValueId self, const py::object &other) {
             return py::isinstance<ValueId>(other) && other.cast<ValueId>().id == self.id;
           })
      .def("__hash__", [](ValueId self) { return std::hash<uint64_t>()(self.id); });
  py::class_<DTypeCode>(module, "DTypeCode", "An element type by its number in sixrung/plugin.h.")
      .def(py::init([](uint32_t code) { return DTypeCode{code}; }), py::arg("code"))
      .def_readonly("code", &DTypeCode::code);
  py::class_<GraphId>(module, "GraphId", "A private graph.");
  py::class_<Call, std::shared_ptr<Call>>(module, "Call", "One running lowering.")
      .def("node", &Call::node)
      .def("arguments", &Call::arguments)
      .def("results", &Call::results)
      .def("value", &Call::value, py::arg("name"))
      .def("type", &Call::type, py::arg("value"))
      .def("constant_bytes", &Call::constantBytes, py::arg("value"))
      .def("constant", &Call::constant, py::arg("dtype"), py::arg("dims"), py::arg("data"))
      .def("build", &Call::build, py::arg("op"), py::arg("operands"), py::arg("attributes"),
           py::arg("result_types"), py::arg("result_count"))
      .def("lower", &Call::lower, py::arg("key"), py::arg("arguments"), py::arg("results"))
      .def("open_graph", &Call::openGraph, py::arg("name"), py::arg("inputs"), py::arg("composite"))
      .def("close_graph", &Call::closeGraph, py::arg("graph"), py::arg("outputs"))
      .def("abandon_graph", &Call::abandonGraph, py::arg("graph"))
      .def("invoke", &Call::invoke, py::arg("graph"), py::arg("operands"), py::arg("result_count"))
      .def("remark", &Call::remark, py::arg("kind"), py::arg("message"));
}

} // namespace sixrung::python
