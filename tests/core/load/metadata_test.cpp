// What torch writes into node metadata as text.
#include "core/load/load.hpp"
#include "core/load/schema_reader.hpp"

#include <gtest/gtest.h>

using namespace sixrung;
using namespace sixrung::load;

TEST(ModuleStack, Frames) {
  auto frames =
      parseModuleStack("L__self__,,__main__.M;L__self___fc,layers.0.fc,torch.nn.modules.linear.Linear");
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].path, "");
  EXPECT_EQ(frames[0].type, "__main__.M");
  EXPECT_EQ(frames[1].path, "layers.0.fc");
  EXPECT_EQ(frames[1].type, "torch.nn.modules.linear.Linear");
}

TEST(ModuleStack, SeparatorsInBrackets) {
  auto frames = parseModuleStack("k,L['self']._modules['a,b;c'],a.Generic[int, str]");
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].path, "L['self']._modules['a,b;c']");
  EXPECT_EQ(frames[0].type, "a.Generic[int, str]");
}

TEST(ModuleStack, WhatIsNoFrameIsSkipped) {
  EXPECT_TRUE(parseModuleStack("").empty());
  EXPECT_TRUE(parseModuleStack("a,b").empty());
  EXPECT_TRUE(parseModuleStack(";;,,,,").empty());
  EXPECT_TRUE(parseModuleStack("](,[)").empty());
}

TEST(StackTrace, Frames) {
  auto frames =
      parseStackTrace("  File \"a b.py\", line 12, in forward\n    y = self.fc(x)\n"
                      "  File \"/l/linear.py\", line 134, in forward\n    return F.linear(input)\n");
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].file, "a b.py");
  EXPECT_EQ(frames[0].line, 12u);
  EXPECT_EQ(frames[1].function, "forward");
  EXPECT_TRUE(parseStackTrace("").empty());
  EXPECT_TRUE(parseStackTrace("File \"a\", line x, in f").empty());
  EXPECT_TRUE(parseStackTrace("File \"").empty());
}
