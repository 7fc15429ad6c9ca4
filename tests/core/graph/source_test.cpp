#include "core/graph/program.hpp"

#include <gtest/gtest.h>

using namespace sixrung::graph;

TEST(UserFrame, IsTheInnermostOutsideTorch) {
  Node node;
  EXPECT_EQ(userFrame(node), nullptr);
  node.stack = {{"/home/a/train.py", 3, "main"},
                {"/home/a/model.py", 12, "forward"},
                {"/v/lib/python3.11/site-packages/torch/nn/modules/linear.py", 134, "forward"},
                {"<eval_with_key>.3", 5, "forward"},
                {"torch/fx/passes/runtime_assert.py", 24, "insert"}};
  ASSERT_NE(userFrame(node), nullptr);
  EXPECT_EQ(userFrame(node)->line, 12u);
  node.stack.erase(node.stack.begin(), node.stack.begin() + 2);
  EXPECT_EQ(userFrame(node), nullptr);
}

TEST(UserFrame, TorchIsKnownHoweverItsPathIsWritten) {
  for (const char *file : {"torch/fx/traceback.py", "./torch/fx/traceback.py", "../../torch/fx/traceback.py",
                           "../lib/../torch/export/_trace.py", "torch\\fx\\interpreter.py",
                           "C:\\v\\Lib\\site-packages\\torch\\nn\\m.py",
                           "../lib/python3.11/site-packages/torch/nn/modules/linear.py",
                           "vendored/torch/fx/interpreter.py", "/src/pytorch/torch/nn/functional.py"}) {
    Node node;
    node.stack = {{"model.py", 12, "forward"}, {file, 7, "call"}};
    ASSERT_NE(userFrame(node), nullptr);
    EXPECT_EQ(userFrame(node)->line, 12u) << file;
  }
  for (const char *file : {"torch_models/model.py", "my/torch/model.py", "pytorch/model.py",
                           "/v/site-packages/torch_geometric/nn/conv.py", "C:\\w\\torch_fx\\m.py"}) {
    Node node;
    node.stack = {{"main.py", 12, "forward"}, {file, 7, "call"}};
    EXPECT_EQ(userFrame(node)->line, 7u) << file;
  }
}

TEST(UserFrame, OtherPackagesAreTheUsers) {
  Node node;
  node.stack = {{"/v/lib/python3.11/site-packages/transformers/models/gpt2/modeling_gpt2.py", 40, "forward"},
                {"/v/lib/python3.11/site-packages/torchvision/ops/boxes.py", 7, "nms"}};
  EXPECT_EQ(userFrame(node)->line, 7u);
}

TEST(PortablePath, LeavesTheMachineOut) {
  EXPECT_EQ(portablePath("/v/lib/python3.11/site-packages/transformers/a.py", ""), "transformers/a.py");
  EXPECT_EQ(portablePath("site-packages/transformers/a.py", ""), "transformers/a.py");
  EXPECT_EQ(portablePath("/x/my-site-packages/a.py", ""), "my-site-packages/a.py");
  EXPECT_EQ(portablePath("/home/a/project/pkg/model.py", "/home/a/project"), "pkg/model.py");
  EXPECT_EQ(portablePath("/home/a/project/pkg/model.py", "/home/a/project/"), "pkg/model.py");
  EXPECT_EQ(portablePath("/home/a/projects/model.py", "/home/a/project"), "projects/model.py");
  EXPECT_EQ(portablePath("/home/a/project/../other/deep/model.py", "/home/a/project"), "deep/model.py");
  EXPECT_EQ(portablePath("C:\\work\\pkg\\model.py", ""), "pkg/model.py");
  EXPECT_EQ(portablePath("/model.py", ""), "model.py");
  EXPECT_EQ(portablePath("/tmp/ipykernel_4711/370444875.py", "/home/a"), "ipykernel/370444875.py");
  EXPECT_EQ(portablePath("model.py", ""), "model.py");
  EXPECT_EQ(portablePath("<stdin>", "/home"), "<stdin>");
  EXPECT_EQ(portablePath("", "/home"), "");
}
