#include "support.hpp"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

namespace sixrung::test {

using graph::Argument;
using graph::ValueMeta;

graph::ValueMeta tensor(std::vector<int64_t> dims, DType dtype) {
  ValueMeta meta;
  meta.kind = ValueMeta::Kind::kTensor;
  meta.tensor.dtype = dtype;
  for (int64_t dim : dims) {
    if (dim >= 0) {
      meta.tensor.sizes.push_back(graph::SymInt::of(dim));
      continue;
    }
    auto symbol = std::make_shared<graph::SymExpr>();
    symbol->kind = graph::SymExpr::Kind::kSymbol;
    symbol->name = "s" + std::to_string(-dim);
    meta.tensor.sizes.push_back({std::nullopt, symbol});
  }
  return meta;
}

graph::ValueMeta symbolic(ValueMeta::Kind kind) {
  ValueMeta meta;
  meta.kind = kind;
  return meta;
}

Argument use(const std::string &name) { return Argument{graph::ValueRef{name}}; }
Argument symInt(const std::string &name) { return Argument{graph::SymIntRef{name}}; }
Argument list(std::vector<Argument> entries) { return Argument{graph::ArgumentList(std::move(entries))}; }

GraphMaker &GraphMaker::value(const std::string &name, ValueMeta meta) {
  graph.values[name] = std::move(meta);
  return *this;
}

GraphMaker &GraphMaker::node(const std::string &name, const std::string &target, std::vector<Argument> inputs,
                             ValueMeta meta) {
  return nodes(name, target, std::move(inputs), {{name, std::move(meta)}});
}

GraphMaker &GraphMaker::nodes(const std::string &name, const std::string &target,
                              std::vector<Argument> inputs,
                              std::vector<std::pair<std::string, ValueMeta>> results) {
  graph::Node node;
  node.name = name;
  node.target = target;
  for (Argument &input : inputs)
    node.inputs.push_back({"arg" + std::to_string(node.inputs.size()), std::move(input), false});
  for (auto &[result, meta] : results) {
    node.outputs.push_back(result);
    if (!result.empty())
      graph.values[result] = std::move(meta);
  }
  graph.nodes.push_back(std::move(node));
  return *this;
}

GraphMaker &GraphMaker::source(const std::string &file, uint32_t line) {
  graph.nodes.back().stack.push_back({file, line, "forward"});
  return *this;
}

ProgramMaker &ProgramMaker::input(const std::string &name, ValueMeta meta) {
  value(name, std::move(meta));
  graph.inputs.push_back(name);
  graph::InputSpec spec;
  spec.value = name;
  program_.inputs.push_back(spec);
  return *this;
}

ProgramMaker &ProgramMaker::constantBytes(graph::InputSpec::Kind kind, const std::string &name,
                                          const std::string &target, std::vector<int64_t> dims, DType dtype,
                                          const std::byte *data, size_t size,
                                          std::shared_ptr<const void> owner) {
  input(name, tensor(dims, dtype));
  program_.inputs.back().kind = kind;
  program_.inputs.back().target = target;
  graph::TensorData tensorData;
  tensorData.dtype = dtype;
  tensorData.sizes = dims;
  tensorData.strides.assign(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;)
    tensorData.strides[i - 1] = tensorData.strides[i] * dims[i];
  tensorData.data = data;
  tensorData.extent = size;
  tensorData.keepAlive = std::move(owner);
  program_.constants[target] = std::move(tensorData);
  return *this;
}

ProgramMaker &ProgramMaker::scalar(const std::string &name, Argument constant) {
  input(name, ValueMeta{});
  program_.inputs.back().kind = graph::InputSpec::Kind::kConstant;
  program_.inputs.back().constant = std::move(constant);
  return *this;
}

ProgramMaker &ProgramMaker::output(Argument argument, graph::OutputSpec::Kind kind,
                                   const std::string &target) {
  graph.outputs.push_back(argument);
  program_.outputs.push_back({kind, std::move(argument), target});
  return *this;
}

std::shared_ptr<const graph::Program> ProgramMaker::program() {
  graph::Program out = program_;
  out.graph = graph;
  return std::make_shared<const graph::Program>(std::move(out));
}

sixrung_arg Call::argument(uint32_t index) const {
  sixrung_named_arg out{};
  EXPECT_EQ(host->call_arg(call, index, &out), nullptr) << "argument " << index;
  return out.value;
}

sixrung_value Call::value(uint32_t index) const {
  sixrung_arg argument = this->argument(index);
  bool isValue = argument.tag >= SIXRUNG_ARG_VALUE && argument.tag <= SIXRUNG_ARG_SYM_BOOL;
  return {isValue ? argument.payload : 0};
}

sixrung_result_info Call::result(uint32_t index) const {
  sixrung_result_info out{};
  out.struct_size = sizeof(out);
  EXPECT_EQ(host->call_result(call, index, &out), nullptr) << "result " << index;
  return out;
}

sixrung_type Call::type(DType dtype, const std::vector<int64_t> &dims) const {
  sixrung_type type{};
  type.struct_size = sizeof(type);
  type.kind = SIXRUNG_TYPE_TENSOR;
  type.dtype = static_cast<uint32_t>(dtype);
  type.rank = static_cast<uint32_t>(dims.size());
  type.dims = dims.data();
  return type;
}

static sixrung_op opOf(const char *name, const std::vector<sixrung_value> &operands, uint32_t results) {
  sixrung_op op{};
  op.struct_size = sizeof(op);
  op.name = str(name);
  op.operands = operands.data();
  op.operand_count = static_cast<uint32_t>(operands.size());
  op.result_count = results;
  return op;
}

sixrung_status *Call::op(const char *name, std::vector<sixrung_value> operands, sixrung_value *out) const {
  sixrung_op op = opOf(name, operands, 1);
  return host->build_op(call, &op, out);
}

sixrung_status *Call::typedOp(const char *name, std::vector<sixrung_value> operands, DType dtype,
                              std::vector<int64_t> dims, sixrung_value *out) const {
  sixrung_op op = opOf(name, operands, 1);
  sixrung_type result = type(dtype, dims);
  op.result_types = &result;
  return host->build_op(call, &op, out);
}

sixrung_status *Call::constant(DType dtype, std::vector<int64_t> dims, const void *data, size_t size,
                               sixrung_value *out) const {
  sixrung_type constantType = type(dtype, dims);
  return host->constant(call, &constantType, data, size, out);
}

sixrung_status *Call::lower(const std::string &key, std::vector<sixrung_value> operands,
                            sixrung_value *out) const {
  std::vector<sixrung_named_arg> args;
  for (sixrung_value operand : operands)
    args.push_back({str(""), {SIXRUNG_ARG_VALUE, 0, operand.id}});
  sixrung_result_info expected = result();
  sixrung_lower_request request{};
  request.struct_size = sizeof(request);
  request.key = str(key);
  request.args = args.data();
  request.arg_count = static_cast<uint32_t>(args.size());
  request.results = &expected;
  request.result_count = 1;
  return host->lower(call, &request, out);
}

Told take(const sixrung_host *host, sixrung_status *status) {
  Told told;
  told.code = host->status_code(status);
  sixrung_str message = host->status_message(status);
  told.message.assign(message.data ? message.data : "", message.size);
  host->status_release(status);
  return told;
}

static std::string emptyFolder() {
  std::filesystem::path folder = std::filesystem::temp_directory_path() / "sixrung-no-plugins";
  std::filesystem::create_directories(folder);
  return folder.string();
}

static sixrung_status *run(const sixrung_host *host, void *user, sixrung_call call) {
  return (*static_cast<Lowering *>(user))(Call{host, call});
}

Lab::Lab() : session(emptyFolder()) {}

Lab &Lab::lowering(const std::string &key, Lowering body, bool allowOverride, const std::string &plugin) {
  bodies_.push_back(std::make_unique<Lowering>(std::move(body)));
  ladder::Entry entry;
  entry.key = key;
  entry.fn = run;
  entry.user = bodies_.back().get();
  entry.owner = std::make_shared<ladder::Owner>(ladder::Owner{plugin, "1.2.0", "lab.so", "", false});
  session.registry().addLowering(std::move(entry), allowOverride);
  return *this;
}

Lab &Lab::elementwise(const std::string &key, const char *op) {
  return lowering(key, [op](const Call &c) -> sixrung_status * {
    sixrung_node_info info{};
    info.struct_size = sizeof(info);
    if (sixrung_status *status = c.host->call_node(c.call, &info))
      return status;
    std::vector<sixrung_value> operands;
    for (uint32_t i = 0; i < info.arg_count; ++i)
      operands.push_back(c.value(i));
    sixrung_value out{};
    if (sixrung_status *status = c.op(op, operands, &out))
      return status;
    return c.set(out);
  });
}

lower::Converted Lab::convert(std::shared_ptr<const graph::Program> program, lower::ConvertOptions options) {
  lower::EntryPoint entry;
  entry.program = std::move(program);
  return convert(std::vector<lower::EntryPoint>{entry}, std::move(options));
}

lower::Converted Lab::convert(std::vector<lower::EntryPoint> entries, lower::ConvertOptions options) {
  return session.convert(entries, options);
}

Error Lab::failureOf(std::shared_ptr<const graph::Program> program, lower::ConvertOptions options) {
  try {
    convert(std::move(program), std::move(options));
  } catch (const Error &error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error(ErrorKind::kInternal, "");
}

std::string Lab::errorOf(std::shared_ptr<const graph::Program> program, lower::ConvertOptions options) {
  return failureOf(std::move(program), std::move(options)).what();
}

void inCall(Lowering body, std::vector<Argument> arguments, ValueMeta meta) {
  Lab lab;
  bool ran = false;
  lab.lowering("acme::probe.default", [&](const Call &c) -> sixrung_status * {
    ran = true;
    if (auto *status = body(c))
      return status;
    return c.set(c.value(0));
  });
  ProgramMaker m;
  m.input("x", meta);
  m.node("y", "acme::probe.default", std::move(arguments), meta).source("/w/app/model.py", 5);
  m.graph.nodes.back().modules = {{"", "Model"}, {"layers.0", "Block"}};
  m.output(use("y"));
  lab.convert(m.program());
  EXPECT_TRUE(ran);
}

std::shared_ptr<const graph::Program> oneNode(const std::string &key, ValueMeta input, ValueMeta output) {
  ProgramMaker maker;
  maker.input("x", std::move(input));
  maker.node("y", key, {use("x")}, std::move(output)).source("/home/someone/work/app/model.py", 12);
  maker.output(use("y"));
  return maker.program();
}

size_t countOf(const std::string &text, const std::string &part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

} // namespace sixrung::test
