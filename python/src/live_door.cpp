// The program around the graph: signature, constants, ranges.
#include "live_door.hpp"

#include "core/graph/error.hpp"
#include "core/load/load.hpp"

namespace sixrung::python {
namespace {

using graph::InputSpec;
using graph::OutputSpec;

class ProgramReader {
public:
  explicit ProgramReader(py::handle exported) : exported_(exported), graph_(meta_, live_.nodes) {
    live_.program = std::make_shared<graph::Program>();
  }

  LiveProgram read();

private:
  InputSpec input(py::handle spec);
  OutputSpec output(py::handle spec);
  graph::Argument specArgument(py::handle argument);
  void constant(const InputSpec &spec, py::handle stateDict, py::handle constants);
  void ranges();

  py::handle exported_;
  LiveProgram live_;
  MetaReader meta_;
  GraphReader graph_;
};

std::string kindName(py::handle spec, const Names &names) {
  return text(get(get(spec, names.kind), names.name));
}

graph::Argument ProgramReader::specArgument(py::handle argument) {
  std::string type = typeName(argument);
  type = type.substr(type.rfind('.') + 1);
  if (type == "ConstantArgument")
    return graph_.argument(get(argument, meta_.names.value));
  std::string name = graph_.nameOf(text(get(argument, meta_.names.name)));
  graph::Argument out;
  if (type == "TensorArgument" || type == "TokenArgument")
    out.value = graph::ValueRef{name};
  else if (type == "SymIntArgument")
    out.value = graph::SymIntRef{name};
  else if (type == "SymFloatArgument")
    out.value = graph::SymFloatRef{name};
  else if (type == "SymBoolArgument")
    out.value = graph::SymBoolRef{name};
  else
    throw Error(ErrorKind::kUnsupported, "the program returns '" + name + "', a " + type +
                                             "; only tensors and numbers can be returned");
  return out;
}

InputSpec ProgramReader::input(py::handle spec) {
  using Kind = InputSpec::Kind;
  const Names &names = meta_.names;
  InputSpec out;
  py::object argument = get(spec, names.arg);
  out.value = text(get(argument, names.name));
  py::object target = get(spec, names.target);
  if (!target.is_none())
    out.target = text(target);
  std::string kind = kindName(spec, names);
  if (kind == "USER_INPUT") {
    out.kind =
        typeName(argument).find("ConstantArgument") == std::string::npos ? Kind::kUserInput : Kind::kConstant;
    if (out.kind == Kind::kConstant)
      out.constant = graph_.argument(get(argument, names.value));
  } else if (kind == "PARAMETER") {
    out.kind = Kind::kParameter;
  } else if (kind == "BUFFER") {
    out.kind = Kind::kBuffer;
    out.persistent = get(spec, names.persistent).ptr() == Py_True;
  } else if (kind == "CONSTANT_TENSOR") {
    out.kind = Kind::kTensorConstant;
  } else if (kind == "CUSTOM_OBJ") {
    out.kind = Kind::kCustomObject;
  } else if (kind == "TOKEN") {
    out.kind = Kind::kToken;
  } else {
    throw Error(ErrorKind::kUnsupported, "input '" + out.value + "' is of the unknown kind " + kind);
  }
  return out;
}

OutputSpec ProgramReader::output(py::handle spec) {
  using Kind = OutputSpec::Kind;
  static const std::unordered_map<std::string, Kind> kKinds = {
      {"USER_OUTPUT", Kind::kUserOutput},
      {"BUFFER_MUTATION", Kind::kBufferMutation},
      {"USER_INPUT_MUTATION", Kind::kUserInputMutation},
      {"PARAMETER_MUTATION", Kind::kParameterMutation},
      {"LOSS_OUTPUT", Kind::kLoss},
      {"GRADIENT_TO_PARAMETER", Kind::kGradient},
      {"GRADIENT_TO_USER_INPUT", Kind::kGradient},
      {"TOKEN", Kind::kToken},
  };
  OutputSpec out;
  std::string kind = kindName(spec, meta_.names);
  auto known = kKinds.find(kind);
  if (known == kKinds.end())
    throw Error(ErrorKind::kUnsupported, "an output is of the unknown kind " + kind);
  out.kind = known->second;
  out.value = specArgument(get(spec, meta_.names.arg));
  py::object target = get(spec, meta_.names.target);
  if (!target.is_none())
    out.target = text(target);
  return out;
}

void ProgramReader::constant(const InputSpec &spec, py::handle stateDict, py::handle constants) {
  using Kind = InputSpec::Kind;
  bool inState = spec.kind == Kind::kParameter || (spec.kind == Kind::kBuffer && spec.persistent);
  if (!inState && spec.kind != Kind::kBuffer && spec.kind != Kind::kTensorConstant)
    return;
  py::str key(spec.target);
  py::handle tensor = item(inState ? stateDict : constants, key);
  if (!tensor)
    throw Error(ErrorKind::kInvalidInput,
                "the program has no tensor called '" + spec.target + "' for its input '" + spec.value + "'")
        .with("tensor", spec.target);
  if (!live_.program->constants.count(spec.target))
    live_.program->constants.emplace(spec.target, borrowTensor(spec.target, tensor, meta_));
}

void ProgramReader::ranges() {
  auto bound = [](py::object value) -> std::optional<int64_t> {
    std::string written = text(py::str(value));
    if (written.find("oo") != std::string::npos) // "int_oo", "-oo"
      return std::nullopt;
    auto number = py::reinterpret_steal<py::object>(PyNumber_Long(value.ptr()));
    int overflow = 0;
    int64_t small = number ? PyLong_AsLongLongAndOverflow(number.ptr(), &overflow) : 0;
    if (!number)
      throw py::error_already_set();
    return overflow ? std::nullopt : std::optional<int64_t>(small);
  };
  const Names &names = meta_.names;
  for (auto [symbol, range] : py::dict(get(exported_, names.range_constraints)))
    live_.program->ranges[text(py::str(symbol))] = {bound(get(range, names.lower)),
                                                    bound(get(range, names.upper))};
}

LiveProgram ProgramReader::read() {
  const Names &names = meta_.names;
  graph::Program &program = *live_.program;
  py::module_ torch = py::module_::import("torch");
  program.torchVersion = text(py::str(torch.attr("__version__")));
  program.opsetVersions["aten"] = torch.attr("_C").attr("_get_max_operator_version")().cast<int64_t>();
  graph_.read(get(exported_, names.graph_module), program.graph);
  py::object signature = get(exported_, names.graph_signature);
  py::dict stateDict = get(exported_, names.state_dict);
  py::dict constants = get(exported_, names.constants);
  for (py::handle spec : py::list(get(signature, names.input_specs))) {
    program.inputs.push_back(input(spec));
    constant(program.inputs.back(), stateDict, constants);
  }
  for (py::handle spec : py::list(get(signature, names.output_specs)))
    program.outputs.push_back(output(spec));
  ranges();
  for (py::handle entry : py::list(get(exported_, names.module_call_graph)))
    program.moduleCalls.push_back({text(get(entry, names.fqn))});
  return std::move(live_);
}

} // namespace

py::object LiveProgram::fxNode(const graph::Node *node) const {
  std::less<const graph::Node *> before;
  for (const LiveNodes &live : nodes) {
    const auto &all = live.graph->nodes;
    if (!all.empty() && !before(node, all.data()) && before(node, all.data() + all.size()))
      return live.nodes.at(static_cast<size_t>(node - all.data()));
  }
  return py::none();
}

namespace {

// The walk makes many small objects and no cycles; collections in between cost a fifth of it.
class CollectorPause {
public:
  CollectorPause() : was_(PyGC_Disable()) {}
  ~CollectorPause() {
    if (was_)
      PyGC_Enable();
  }
  CollectorPause(const CollectorPause &) = delete;

private:
  int was_;
};

} // namespace

LiveProgram readExportedProgram(py::handle exported) {
  py::object type = py::module_::import("torch.export").attr("ExportedProgram");
  if (!py::isinstance(exported, type))
    throw Error(ErrorKind::kInvalidInput, "expected a torch.export.ExportedProgram, got a " +
                                              typeName(exported) +
                                              "; export the module with torch.export.export()");
  LiveProgram live;
  CollectorPause pause;
  try {
    live = ProgramReader(exported).read();
  } catch (py::error_already_set &error) {
    throw Error(ErrorKind::kInvalidInput,
                std::string("the exported program cannot be read: ") + error.what());
  }
  py::gil_scoped_release release;
  load::fillSchemaDefaults(live.program->graph);
  graph::check(*live.program);
  return live;
}

} // namespace sixrung::python
