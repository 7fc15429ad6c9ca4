// Graphs, calls, control flow and state: what parses, how it prints, what the verifier says.
#include "tests/ir/support.hpp"

namespace sixrung::ir::test {
namespace {

std::string roundTrip(const std::string &text) {
  Fixture f;
  f.module = parse(f.context.get(), text);
  std::string generic = f.text(Format::kTextGeneric), pretty = f.text();
  Fixture again;
  again.module = parse(again.context.get(), generic);
  EXPECT_EQ(again.text(), pretty);
  return pretty;
}
std::string refusal(const std::string &text) {
  Fixture f;
  return messageOf(ErrorKind::kInvalidInput, [&] { parse(f.context.get(), text); });
}

const char *const kComposite = R"(module {
  coreai.graph private noinline @layer_norm_abcdefgh(%arg0: tensor<2x32xf32> {coreai.name = "input"}, %arg1: tensor<32xf32> {coreai.name = "gamma"}) -> tensor<2x32xf32> attributes {composite_decl = #coreai.composite_declaration<"layer_norm" = {input_names = ["input", "gamma"], op_attrs = {axes = [1 : si64], eps = 9.99999974E-6 : f32, version = 1 : si64}, output_names = ["output"]}>, template_op = "layer_norm"} {
    %0 = coreai.decomposable.broadcasting_mul %arg0, %arg1 : (tensor<2x32xf32>, tensor<32xf32>) -> tensor<2x32xf32>
    coreai.output %0 : tensor<2x32xf32>
  }
  coreai.graph externalize @"with space"(%arg0: tensor<2x32xf32> {coreai.name = "x"}, %arg1: tensor<32xf32> {coreai.name = "g"}) -> (tensor<2x32xf32> {coreai.name = "r"}) {
    %0 = coreai.invoke @layer_norm_abcdefgh(%arg0, %arg1) : (tensor<2x32xf32>, tensor<32xf32>) -> tensor<2x32xf32>
    coreai.output %0 : tensor<2x32xf32>
  }
  coreai.graph @nothing() {
    coreai.output
  }
}
)";

TEST(Structure, CompositesAndCalls) { EXPECT_EQ(roundTrip(kComposite), kComposite); }

TEST(Structure, GenericFormHasTheNamesOfProperties) {
  Fixture f;
  f.module = parse(f.context.get(), kComposite);
  std::string generic = f.text(Format::kTextGeneric);
  for (const char *part :
       {"\"coreai.graph\"() <{arg_attrs = [{coreai.name = \"input\"}, {coreai.name = \"gamma\"}], "
        "composite_decl = ",
        "function_type = (tensor<2x32xf32>, tensor<32xf32>) -> tensor<2x32xf32>", "no_inline",
        "param_decls = #param.decl.array<[]>", "priv", "sym_name = \"layer_norm_abcdefgh\"", "externalize",
        "res_attrs = [{coreai.name = \"r\"}]", "template_op = \"layer_norm\"",
        "\"coreai.invoke\"(%arg0, %arg1) <{callee = #param.constant<@layer_norm_abcdefgh> : !param.symbol}>"})
    EXPECT_TRUE(contains(generic, part)) << part << "\n" << generic;
}

TEST(Structure, ControlFlow) {
  const char *text = R"(module {
  coreai.graph @main(%arg0: tensor<2xf32> {coreai.name = "x"}, %arg1: tensor<i1> {coreai.name = "c"}) -> (tensor<2xf32> {coreai.name = "r"}) {
    %0 = coreai.constant dense<1> : tensor<si32>
    %1 = coreai.if %arg1 {
      coreai.yield %arg0 : tensor<2xf32>
    } else {
      %3 = coreai.add %arg0, %arg0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      coreai.yield %3 : tensor<2xf32>
    } : tensor<i1> -> tensor<2xf32>
    %2:2 = coreai.while %0, %1 {
    ^bb0(%arg2: tensor<si32>, %arg3: tensor<2xf32>):
      %3 = coreai.greater %0, %arg2 : (tensor<si32>, tensor<si32>) -> tensor<i1>
      coreai.condition %3, %arg2, %arg3 : (tensor<i1>, tensor<si32>, tensor<2xf32>)
    } do {
    ^bb0(%arg2: tensor<si32>, %arg3: tensor<2xf32>):
      coreai.yield %arg2, %arg3 : tensor<si32>, tensor<2xf32>
    } : (tensor<si32>, tensor<2xf32>) -> (tensor<si32>, tensor<2xf32>)
    coreai.output %2#1 : tensor<2xf32>
  }
}
)";
  EXPECT_EQ(roundTrip(text), text);
}

TEST(Structure, State) {
  const char *text = R"(module {
  coreai.graph @main(%arg0: !coreai.handle<tensor<2xf32>> {coreai.name = "h"}) -> (!coreai.token {coreai.name = "h"}) {
    %0 = coreai.create_token : !coreai.token
    %output, %out_token = coreai.read_handle %arg0, %0 : (<tensor<2xf32>>, !coreai.token) -> (tensor<2xf32>, !coreai.token)
    %1 = coreai.write_handle %arg0, %output, %out_token : (<tensor<2xf32>>, tensor<2xf32>, !coreai.token) -> !coreai.token
    coreai.output %1 : !coreai.token
  }
}
)";
  EXPECT_EQ(roundTrip(text), text);
}

std::string graph(const std::string &body,
                  const std::string &results = "-> (tensor<2xf32> {coreai.name = \"r\"})") {
  return std::string("module { coreai.graph @main(%x: tensor<2xf32> {coreai.name = \"x\"}, %c: tensor<i1> "
                     "{coreai.name = "
                     "\"c\"}) ") +
         results + " {\n" + body + "\n} }";
}

TEST(Structure, Refusals) {
  struct {
    std::string text, why;
  } cases[] = {
      {graph("coreai.output"), "has 0 values, but the graph has 1 results"},
      {graph("coreai.output %c : tensor<i1>"), "value 0 has type"},
      {graph("coreai.output %x : tensor<2xf32>", "-> tensor<2xf32>"), "has no coreai.name for result 0"},
      {graph("%a = coreai.relu %x : (tensor<2xf32>) -> tensor<2xf32>"), "must end with coreai.output"},
      {graph("coreai.output %x, %x : tensor<2xf32>, tensor<2xf32>",
             "-> (tensor<2xf32> {coreai.name = \"r\"}, tensor<2xf32> {coreai.name = \"r\"})"),
       "gives the name 'r' to two results"},
      {graph("%a = coreai.invoke @nobody(%x) : (tensor<2xf32>) -> tensor<2xf32>\ncoreai.output %a : "
             "tensor<2xf32>"),
       "names no graph: @nobody"},
      {graph("%a = coreai.invoke @main(%x) : (tensor<2xf32>) -> tensor<2xf32>\ncoreai.output %a : "
             "tensor<2xf32>"),
       "does not fit @main"},
      {graph(
           "%a = coreai.if %x { coreai.yield %x : tensor<2xf32> } else { coreai.yield %x : tensor<2xf32> } : "
           "tensor<2xf32> -> tensor<2xf32>\ncoreai.output %a : tensor<2xf32>"),
       "must be 0D tensor"},
      {graph("%a = coreai.if %c { coreai.yield %x : tensor<2xf32> } else { coreai.yield %c : tensor<i1> } : "
             "tensor<i1> -> tensor<2xf32>\ncoreai.output %a : tensor<2xf32>"),
       "else region ends with types"},
      {graph("%a = coreai.while %x {\n^bb0(%i: tensor<2xf32>):\ncoreai.condition %c, %c : (tensor<i1>, "
             "tensor<i1>)\n} do {\n"
             "^bb0(%i: tensor<2xf32>):\ncoreai.yield %i : tensor<2xf32>\n} : (tensor<2xf32>) -> "
             "(tensor<2xf32>)\n"
             "coreai.output %a : tensor<2xf32>"),
       "before region ends with types"},
      {graph("coreai.condition %c : (tensor<i1>)"), "must end with coreai.output"},
      {"module { coreai.graph private @main(%h: !coreai.handle<tensor<2xf32>>) { coreai.output } }",
       "one token for each handle"},
      {graph("%a = coreai.constant dense_resource<none> : tensor<2xf32>\ncoreai.output %a : tensor<2xf32>"),
       "has no bytes"},
      {graph("%a = coreai.constant dense_resource<w> : tensor<2xf32>\ncoreai.output %a : tensor<2xf32>") +
           "\n{-# dialect_resources: { builtin: { w: \"0x1000000000000000\" } } #-}",
       "takes 8 bytes"},
      {"module { coreai.graph private @main(%h: !coreai.handle<tensor<2xf32>>, %x: tensor<3xf32>) -> "
       "!coreai.token {\n"
       "%t = coreai.create_token : !coreai.token\n%u = coreai.write_handle %h, %x, %t : (<tensor<2xf32>>, "
       "tensor<3xf32>, "
       "!coreai.token) -> !coreai.token\ncoreai.output %u : !coreai.token } }",
       "writes 'tensor<3xf32>' to state"},
      {"\"coreai.graph\"() <{sym_name = \"m\", function_type = () -> ()}> ({ coreai.output }) : () -> ()",
       "param_decls"},
      {"\"coreai.graph\"() <{sym_name = \"m\", function_type = (tensor<f32>) -> (), param_decls = "
       "#param.decl.array<[]>}> "
       "({ coreai.output }) : () -> ()",
       "arguments unlike its type"},
      {"coreai.output", "parent"},
  };
  for (const auto &[text, why] : cases)
    EXPECT_TRUE(contains(refusal(text), why)) << text << "\n" << refusal(text);
}

} // namespace
} // namespace sixrung::ir::test
