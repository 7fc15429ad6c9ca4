// Programs written by hand and lowerings written as lambdas, for the tests of core/lower.
#pragma once

#include "core/graph/error.hpp"
#include "core/graph/program.hpp"
#include "core/lower/session.hpp"
#include "sixrung/plugin.h"

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sixrung::test {

using graph::DType;

// A dimension below zero is symbolic: -1 is s1, -2 is s2.
graph::ValueMeta tensor(std::vector<int64_t> dims, DType dtype = DType::kF32);
graph::ValueMeta symbolic(graph::ValueMeta::Kind kind);

graph::Argument use(const std::string &name);
graph::Argument symInt(const std::string &name);
template <typename T> graph::Argument arg(T value) { return graph::Argument{std::move(value)}; }
graph::Argument list(std::vector<graph::Argument> entries);

class GraphMaker {
public:
  GraphMaker &value(const std::string &name, graph::ValueMeta meta);
  GraphMaker &node(const std::string &name, const std::string &target, std::vector<graph::Argument> inputs,
                   graph::ValueMeta meta);
  // Results by name; an empty name is a result nothing takes.
  GraphMaker &nodes(const std::string &name, const std::string &target, std::vector<graph::Argument> inputs,
                    std::vector<std::pair<std::string, graph::ValueMeta>> results);
  GraphMaker &source(const std::string &file, uint32_t line); // of the last node
  graph::Graph graph;
};

class ProgramMaker : public GraphMaker {
public:
  ProgramMaker &input(const std::string &name, graph::ValueMeta meta);
  template <typename T>
  ProgramMaker &constant(graph::InputSpec::Kind kind, const std::string &name, const std::string &target,
                         std::vector<int64_t> dims, DType dtype, std::vector<T> elements) {
    auto bytes = std::make_shared<std::vector<T>>(std::move(elements));
    return constantBytes(kind, name, target, std::move(dims), dtype,
                         reinterpret_cast<const std::byte *>(bytes->data()), bytes->size() * sizeof(T),
                         bytes);
  }
  ProgramMaker &parameter(const std::string &name, std::vector<int64_t> dims, std::vector<float> elements) {
    return constant(graph::InputSpec::Kind::kParameter, "p_" + name, name, std::move(dims), DType::kF32,
                    std::move(elements));
  }
  ProgramMaker &buffer(const std::string &name, std::vector<int64_t> dims, std::vector<float> elements) {
    return constant(graph::InputSpec::Kind::kBuffer, "b_" + name, name, std::move(dims), DType::kF32,
                    std::move(elements));
  }
  ProgramMaker &scalar(const std::string &name, graph::Argument value);
  ProgramMaker &output(graph::Argument value,
                       graph::OutputSpec::Kind kind = graph::OutputSpec::Kind::kUserOutput,
                       const std::string &target = {});
  std::shared_ptr<const graph::Program> program();

private:
  ProgramMaker &constantBytes(graph::InputSpec::Kind kind, const std::string &name, const std::string &target,
                              std::vector<int64_t> dims, DType dtype, const std::byte *data, size_t size,
                              std::shared_ptr<const void> owner);
  graph::Program program_;
};

// The host's functions as a lowering uses them; failures are returned with `return`.
struct Call {
  const sixrung_host *host;
  sixrung_call call;

  sixrung_value value(uint32_t index) const; // a tensor or symbolic argument; id 0 for anything else
  sixrung_arg argument(uint32_t index) const;
  sixrung_result_info result(uint32_t index = 0) const;
  sixrung_status *op(const char *name, std::vector<sixrung_value> operands, sixrung_value *out) const;
  sixrung_status *typedOp(const char *name, std::vector<sixrung_value> operands, DType dtype,
                          std::vector<int64_t> dims, sixrung_value *out) const;
  sixrung_status *constant(DType dtype, std::vector<int64_t> dims, const void *data, size_t size,
                           sixrung_value *out) const;
  sixrung_status *set(sixrung_value value, uint32_t index = 0) const {
    return host->call_set_result(call, index, value);
  }
  sixrung_status *lower(const std::string &key, std::vector<sixrung_value> operands,
                        sixrung_value *out) const;
  sixrung_status *fail(uint32_t code, const std::string &message) const {
    return host->status_create(code, message.data(), message.size());
  }
  sixrung_type type(DType dtype, const std::vector<int64_t> &dims) const;
};
using Lowering = std::function<sixrung_status *(const Call &)>;

inline sixrung_str str(std::string_view text) { return {text.data(), text.size()}; }
// Reads and releases.
struct Told {
  uint32_t code = 0;
  std::string message;
};
Told take(const sixrung_host *host, sixrung_status *status);

// A session without plugins, and lowerings registered in it.
class Lab {
public:
  Lab();
  Lab &lowering(const std::string &key, Lowering body, bool allowOverride = false,
                const std::string &plugin = "org.test.lab");
  // Elementwise: one coreai op over the tensor arguments.
  Lab &elementwise(const std::string &key, const char *op);
  lower::Converted convert(std::shared_ptr<const graph::Program> program, lower::ConvertOptions options = {});
  lower::Converted convert(std::vector<lower::EntryPoint> entries, lower::ConvertOptions options = {});
  // The message of the Error converting throws; fails the test when none is thrown.
  std::string errorOf(std::shared_ptr<const graph::Program> program, lower::ConvertOptions options = {});
  Error failureOf(std::shared_ptr<const graph::Program> program, lower::ConvertOptions options = {});
  lower::Session session;

private:
  std::vector<std::unique_ptr<Lowering>> bodies_;
};

// x -> (one node of `key`) -> out, as the smallest program.
std::shared_ptr<const graph::Program> oneNode(const std::string &key, graph::ValueMeta input,
                                              graph::ValueMeta output);

// Runs `body` as the lowering of the one node of a program over x: float32[2].
void inCall(Lowering body, std::vector<graph::Argument> arguments = {use("x")},
            graph::ValueMeta meta = tensor({2}));

size_t countOf(const std::string &text, const std::string &part);

} // namespace sixrung::test
