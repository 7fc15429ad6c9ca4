#include "core/graph/error.hpp"
#include "core/validate/validate.hpp"

#include <gtest/gtest.h>

namespace sixrung::validate {
namespace {

class Validate : public ::testing::Test {
protected:
  ladder::Table table;
  ladder::Ladder ladder{table};
  graph::Program program;

  void serve(const std::string &key, bool user = false) {
    ladder::Entry entry;
    entry.key = key;
    entry.owner = std::make_shared<ladder::Owner>(ladder::Owner{"org.x", "1.0.0", "libx.so", "", !user});
    (user ? table.user : table.builtin)[key] = entry;
  }
  static graph::Node node(const std::string &key, const std::string &name, uint32_t line = 0) {
    graph::Node n;
    n.name = name;
    n.target = key;
    n.outputs = {name};
    if (line)
      n.stack = {{"/home/a/project/model.py", line, "forward"},
                 {"/usr/lib/python3/site-packages/torch/nn/modules/module.py", 1, "_call_impl"}};
    return n;
  }
  void add(const std::string &key, const std::string &name, uint32_t line = 0) {
    program.graph.nodes.push_back(node(key, name, line));
  }
  template <typename Check> std::string fault(Check check) {
    try {
      check(program, ladder, {});
      return {};
    } catch (const Error &error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
      return error.what();
    }
  }
  static bool has(const std::string &text, std::string_view part) { return text.find(part) != text.npos; }
};

TEST(Decompositions, ListOfTheTorchItWasBuiltWith) {
  EXPECT_TRUE(tableDecomposes("aten::linear.default"));
  EXPECT_TRUE(tableDecomposes("aten::silu.default"));
  EXPECT_FALSE(tableDecomposes("aten::convolution.default"));
  EXPECT_FALSE(tableDecomposes("aten::linear"));
  EXPECT_FALSE(tableDecomposes("truediv"));
  EXPECT_FALSE(tableDecomposes(""));
}

TEST(Assertions, FiveOps) {
  for (const char *key : {"aten::_assert_async.msg", "aten::_assert_scalar.default",
                          "aten::sym_constrain_range_for_size.default", "aten::sym_constrain_range.default",
                          "aten::_assert_tensor_metadata.default"})
    EXPECT_TRUE(isAssertion(key));
  EXPECT_FALSE(isAssertion("aten::_assert_async.default"));
}

TEST_F(Validate, ServedProgramsPass) {
  serve("aten::relu.default");
  serve("acme::fused.default", true);
  add("aten::relu.default", "relu");
  add("acme::fused.default", "fused");
  add("aten::_assert_scalar.default", "guard");
  EXPECT_EQ(fault(validateStaged), "");
  EXPECT_EQ(fault(validateResolvable), "");
}

TEST_F(Validate, ErrorA) {
  add("aten::linear.default", "linear", 12);
  add("aten::linear.default", "linear_1", 14);
  add("aten::linalg_norm.default", "norm");
  std::string text = fault(validateStaged);
  EXPECT_TRUE(text.starts_with("The exported program contains non-decomposed ops: aten::linear.default, "
                               "aten::linalg_norm.default."))
      << text;
  EXPECT_TRUE(has(text, "ep = ep.run_decompositions(sixrung.get_decomp_table())"));
  EXPECT_TRUE(has(text, "aten::linear.default: 2 nodes, first linear (project/model.py:12)")) << text;
  EXPECT_FALSE(has(text, "unsupported"));
}

// A decomposition the table would make is not needed when somebody lowers the op.
TEST_F(Validate, ServedNonDecomposedPasses) {
  serve("aten::linear.default", true);
  serve("aten::silu.default");
  add("aten::linear.default", "linear");
  add("aten::silu.default", "silu");
  EXPECT_EQ(fault(validateStaged), "");
}

TEST_F(Validate, ErrorB) {
  serve("aten::mean.dim");
  add("aten::mean.names_dim", "mean", 3);
  add("aten::_fft_c2r.default", "fft");
  add("acme::fused.default", "fused"); // lowerings of custom namespaces may come later
  add("higher_order::scan", "scan");
  std::string text = fault(validateStaged);
  EXPECT_TRUE(text.starts_with("The exported program contains unsupported ATen ops: aten::mean.names_dim, "
                               "aten::_fft_c2r.default."))
      << text;
  EXPECT_TRUE(has(text, "aten::mean.names_dim: 1 node, first mean (project/model.py:3); did you mean "
                        "aten::mean.dim?"))
      << text;
  EXPECT_TRUE(has(text, "@converter.register_torch_lowering(\"aten::mean.names_dim\")"));
  EXPECT_FALSE(has(text, "acme"));
}

TEST_F(Validate, BothAreTold) {
  add("aten::linear.default", "linear");
  add("aten::_fft_c2r.default", "fft");
  std::string text = fault(validateStaged);
  EXPECT_TRUE(text.starts_with("The exported program contains non-decomposed ops: aten::linear.default."));
  EXPECT_TRUE(has(text, "\nThe exported program contains unsupported ATen ops: aten::_fft_c2r.default."));
}

TEST_F(Validate, ResolvableListsAll) {
  serve("truediv");
  add("truediv", "div");
  add("acme::fused.default", "fused", 5);
  add("acme::fused.default", "fused_1");
  add("aten::_fft_c2r.default", "fft");
  add("higher_order::scan", "scan");
  add("aten::_assert_async.msg", "guard");
  std::string text = fault(validateResolvable);
  EXPECT_TRUE(text.starts_with("unable to handle call function op: target: fused.default, namespace: acme"));
  EXPECT_TRUE(has(text, "fused (project/model.py:5)"));
  EXPECT_TRUE(has(text, "2 nodes in all"));
  EXPECT_TRUE(has(text,
                  "Unsupported ATen op: _fft_c2r.default. Use register_torch_lowering() to provide a custom "
                  "lowering."));
  EXPECT_TRUE(has(text, "target: scan, namespace: higher_order"));
  EXPECT_FALSE(has(text, "_assert"));
}

TEST_F(Validate, ThePluginThatWouldServeIsNamed) {
  table.absent = [](std::string_view key) {
    return std::vector<ladder::Owner>{{"com.acme", "2.1.0", "/p/" + std::string(key) + ".so", "", false}};
  };
  add("aten::linear.default", "linear");
  add("aten::_fft_c2r.default", "fft", 7);
  std::string text = fault(validateStaged);
  EXPECT_TRUE(has(text, "first linear\n    aten::linear.default would be served by com.acme 2.1.0 "
                        "(/p/aten::linear.default.so): enable it with --plugin FILE"))
      << text;
  EXPECT_TRUE(has(text, "(project/model.py:7)\n    aten::_fft_c2r.default would be served by com.acme"))
      << text;
  EXPECT_TRUE(has(fault(validateResolvable), "aten::_fft_c2r.default would be served by com.acme 2.1.0"));
}

TEST_F(Validate, SubgraphsAreLookedInto) {
  serve("higher_order::cond");
  auto branch = std::make_shared<graph::Graph>();
  branch->nodes.push_back(node("aten::_fft_c2r.default", "fft"));
  graph::Node cond = node("higher_order::cond", "cond");
  graph::Argument inList{graph::ArgumentList{{graph::SubgraphArg{"true_graph", branch}}}};
  cond.inputs = {{"", {graph::SubgraphArg{"false_graph", branch}}, false}, {"", inList, false}};
  program.graph.nodes.push_back(cond);
  auto offenders = findOffenders(program, ladder);
  ASSERT_EQ(offenders.size(), 1u);
  EXPECT_EQ(offenders[0].key, "aten::_fft_c2r.default");
  EXPECT_EQ(offenders[0].count, 2u);
  EXPECT_TRUE(has(fault(validateStaged), "_fft_c2r"));
}

TEST_F(Validate, ExternalizedNodesPass) {
  table.externalized["fft"] = {};
  add("aten::_fft_c2r.default", "fft");
  EXPECT_EQ(fault(validateStaged), "");
}

} // namespace
} // namespace sixrung::validate
