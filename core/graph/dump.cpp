#include "core/graph/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sixrung::graph {
namespace {

std::string quote(std::string_view text) {
  std::string out = "\"";
  for (unsigned char c : text) {
    if (c == '"' || c == '\\')
      out += {'\\', static_cast<char>(c)};
    else if (c == '\n')
      out += "\\n";
    else if (c < 0x20 || c == 0x7f)
      out += fmt::format("\\x{:02x}", c);
    else
      out += static_cast<char>(c);
  }
  return out + '"';
}

// Never the spelling of an integer, so that 2 and 2.0 differ.
std::string floatText(double value) {
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".ein") == text.npos ? text + ".0" : text;
}

// In prefix form: unlike infix it keeps functions apart that read alike to people (Mod, PythonMod).
std::string prefixText(const SymExpr &expr) {
  switch (expr.kind) {
  case SymExpr::Kind::kInteger:
    return std::to_string(expr.integer);
  case SymExpr::Kind::kFloat:
    return floatText(expr.real);
  case SymExpr::Kind::kBool:
    return expr.integer ? "True" : "False";
  case SymExpr::Kind::kSymbol:
    return expr.name;
  case SymExpr::Kind::kCall:
    break;
  }
  std::string out = expr.name + '(';
  for (size_t i = 0; i < expr.operands.size(); ++i)
    out += (i ? ", " : "") + prefixText(*expr.operands[i]);
  return out + ')';
}

std::string sizesText(const std::vector<SymInt> &sizes) {
  std::string out = "[";
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (i)
      out += ", ";
    out += sizes[i].value  ? std::to_string(*sizes[i].value)
           : sizes[i].expr ? prefixText(*sizes[i].expr)
                           : "?";
  }
  return out + ']';
}

std::string metaText(const ValueMeta &meta) {
  using Kind = ValueMeta::Kind;
  std::string expr = meta.expr ? " = " + prefixText(*meta.expr) : "";
  switch (meta.kind) {
  case Kind::kTensor:
    return fmt::format("{}{} strides {} offset {} {} {}{}", dtypeName(meta.tensor.dtype),
                       sizesText(meta.tensor.sizes), sizesText(meta.tensor.strides),
                       meta.tensor.storageOffset, meta.tensor.layout, meta.tensor.device,
                       meta.tensor.requiresGrad ? " requires_grad" : "");
  case Kind::kSymInt:
    return "SymInt" + expr;
  case Kind::kSymFloat:
    return "SymFloat" + expr;
  case Kind::kSymBool:
    return "SymBool" + expr;
  case Kind::kToken:
    return "token";
  case Kind::kNone:
    break;
  }
  return "none";
}

struct ArgumentText {
  std::string operator()(const NoneArg &) const { return "None"; }
  std::string operator()(bool value) const { return value ? "True" : "False"; }
  std::string operator()(int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return floatText(value); }
  std::string operator()(const std::complex<double> &value) const {
    return fmt::format("complex({}, {})", floatText(value.real()), floatText(value.imag()));
  }
  std::string operator()(const std::string &value) const { return quote(value); }
  std::string operator()(const DTypeArg &value) const {
    return fmt::format("dtype {}", dtypeName(value.dtype));
  }
  std::string operator()(const DeviceArg &value) const { return "device " + value.device; }
  std::string operator()(const LayoutArg &value) const { return "layout " + value.layout; }
  std::string operator()(const MemoryFormatArg &value) const { return "memory_format " + value.format; }
  std::string operator()(const ValueRef &value) const { return '%' + value.name; }
  std::string operator()(const SymIntRef &value) const { return "int %" + value.name; }
  std::string operator()(const SymFloatRef &value) const { return "float %" + value.name; }
  std::string operator()(const SymBoolRef &value) const { return "bool %" + value.name; }
  std::string operator()(const OperatorArg &value) const { return "operator " + value.key; }
  std::string operator()(const SubgraphArg &value) const { return "subgraph @" + value.name; }
  std::string operator()(const ArgumentList &list) const {
    std::string out = "[";
    for (size_t i = 0; i < list.size(); ++i)
      out += (i ? ", " : "") + std::visit(*this, list[i].value);
    return out + ']';
  }
};

const char *kindText(InputSpec::Kind kind) {
  switch (kind) {
  case InputSpec::Kind::kUserInput:
    return "user_input";
  case InputSpec::Kind::kParameter:
    return "parameter";
  case InputSpec::Kind::kBuffer:
    return "buffer";
  case InputSpec::Kind::kTensorConstant:
    return "tensor_constant";
  case InputSpec::Kind::kCustomObject:
    return "custom_object";
  case InputSpec::Kind::kToken:
    return "token";
  case InputSpec::Kind::kConstant:
    return "constant";
  }
  return "?";
}

const char *kindText(OutputSpec::Kind kind) {
  switch (kind) {
  case OutputSpec::Kind::kUserOutput:
    return "user_output";
  case OutputSpec::Kind::kBufferMutation:
    return "buffer_mutation";
  case OutputSpec::Kind::kUserInputMutation:
    return "user_input_mutation";
  case OutputSpec::Kind::kParameterMutation:
    return "parameter_mutation";
  case OutputSpec::Kind::kLoss:
    return "loss";
  case OutputSpec::Kind::kGradient:
    return "gradient";
  case OutputSpec::Kind::kToken:
    return "token";
  }
  return "?";
}

class Dumper {
public:
  std::string text;

  void program(const Program &program) {
    line(0, "torch {}", program.torchVersion);
    for (const auto &[name, version] : program.opsetVersions)
      line(0, "opset {} {}", name, version);
    for (const auto &[symbol, range] : program.ranges)
      line(0, "range {} [{}, {}]", symbol, range.min ? std::to_string(*range.min) : "-inf",
           range.max ? std::to_string(*range.max) : "inf");
    for (const InputSpec &spec : program.inputs)
      line(0, "input {} %{} {}{}{}", kindText(spec.kind), spec.value, quote(spec.target),
           spec.persistent ? "" : " transient",
           spec.kind == InputSpec::Kind::kConstant ? " = " + toString(spec.constant) : "");
    for (const OutputSpec &spec : program.outputs)
      line(0, "output {} {} {}", kindText(spec.kind), toString(spec.value), quote(spec.target));
    for (const auto &[name, data] : program.constants)
      line(0, "constant {} {}[{}] strides [{}]", quote(name), dtypeName(data.dtype),
           fmt::join(data.sizes, ", "), fmt::join(data.strides, ", "));
    for (const ModuleCall &call : program.moduleCalls)
      line(0, "module_call {}", quote(call.fqn));
    graph(program.graph, 0);
  }

private:
  template <typename... T> void line(unsigned depth, fmt::format_string<T...> format, T &&...args) {
    text.append(2 * depth, ' ');
    fmt::format_to(std::back_inserter(text), format, std::forward<T>(args)...);
    text += '\n';
  }

  void graph(const Graph &graph, unsigned depth) {
    line(depth, "graph");
    for (const auto &[name, meta] : graph.values)
      line(depth + 1, "value %{}: {}", name, metaText(meta));
    for (const std::string &input : graph.inputs)
      line(depth + 1, "input %{}", input);
    for (const Node &node : graph.nodes)
      this->node(node, depth + 1);
    for (const Argument &output : graph.outputs)
      line(depth + 1, "output {}", toString(output));
  }

  void node(const Node &node, unsigned depth) {
    line(depth, "node {} {}", node.name, node.target);
    for (const NamedArgument &input : node.inputs) {
      line(depth + 1, "{}{} = {}", input.name.empty() ? "_" : input.name, input.keyword ? " (keyword)" : "",
           toString(input.value));
      subgraphs(input.value, depth + 2);
    }
    for (const std::string &output : node.outputs)
      line(depth + 1, "-> {}", output.empty() ? "_" : '%' + output);
    for (const SourceFrame &frame : node.stack)
      line(depth + 1, "at {}:{} in {}", quote(frame.file), frame.line, frame.function);
    for (const ModuleFrame &frame : node.modules)
      line(depth + 1, "module {} {}", quote(frame.path), frame.type);
  }

  void subgraphs(const Argument &argument, unsigned depth) {
    if (auto *subgraph = std::get_if<SubgraphArg>(&argument.value)) {
      if (subgraph->graph)
        graph(*subgraph->graph, depth);
    } else if (auto *list = std::get_if<ArgumentList>(&argument.value)) {
      for (const Argument &element : *list)
        subgraphs(element, depth);
    }
  }
};

} // namespace

std::string toString(const Argument &argument) { return std::visit(ArgumentText{}, argument.value); }

std::string dump(const Program &program) {
  Dumper dumper;
  dumper.program(program);
  return std::move(dumper.text);
}

} // namespace sixrung::graph
