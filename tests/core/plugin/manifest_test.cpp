// The manifest's text (ABI-3).
#include "core/plugin/facts.hpp"
#include "core/plugin/registry.hpp"

#include <gtest/gtest.h>

namespace sixrung::plugin {
namespace {

const std::string kFacts = "sixrung-manifest 1\nid com.acme.x\nversion 1.2.0\nabi 1.0\nmin-host 0\ntier 1\n";

std::string fault(const std::string &text) {
  try {
    parseManifest(text);
    return "";
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::kPlugin);
    return error.what();
  }
}

TEST(ManifestText, Full) {
  Manifest m =
      parseManifest(kFacts + "lowering acme::a.default\noverride aten::silu.default\nlowering truediv\n"
                             "emitter onnx\n");
  EXPECT_EQ(m.id, "com.acme.x");
  EXPECT_EQ(m.version, "1.2.0");
  EXPECT_EQ(m.abiMajor, 1u);
  EXPECT_EQ(m.abiMinor, 0u);
  EXPECT_EQ(m.tier, 1u);
  EXPECT_EQ(m.lowerings, (std::vector<std::string>{"acme::a.default", "aten::silu.default", "truediv"}));
  EXPECT_EQ(m.overrides, (std::set<std::string>{"aten::silu.default"}));
  EXPECT_EQ(m.emitters, (std::vector<std::string>{"onnx"}));
}

TEST(ManifestText, NulEndsALineAsCArraysDo) {
  std::string pieces = kFacts;
  pieces.push_back('\0');
  pieces += "lowering acme::a.default";
  pieces.append(7, '\0');
  EXPECT_EQ(parseManifest(pieces).lowerings.size(), 1u);
}

TEST(ManifestText, Faults) {
  auto without = [](std::string_view line) {
    std::string text = kFacts;
    return text.erase(text.find(line), text.find('\n', text.find(line)) - text.find(line) + 1);
  };
  auto with = [](std::string_view from, std::string_view to) {
    std::string text = kFacts;
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_NE(fault("").find("is empty"), std::string::npos);
  EXPECT_NE(fault("hello\n").find("begins with 'hello'"), std::string::npos);
  EXPECT_NE(fault("\x01\x02\n").find("begins with '?\?'"), std::string::npos);
  EXPECT_NE(fault(kFacts + kFacts).find("two of them"), std::string::npos);
  for (const char *line : {"id ", "version ", "abi ", "min-host ", "tier "}) {
    EXPECT_NE(fault(without(line)).find("is missing"), std::string::npos) << line;
    EXPECT_NE(fault(kFacts + std::string(line) +
                    (line[0] == 'i'   ? "com.acme.y"
                     : line[0] == 'v' ? "2.0.0"
                     : line[0] == 'a' ? "1.0"
                                      : "0"))
                  .find("stands twice"),
              std::string::npos)
        << line;
  }
  EXPECT_NE(fault(with("com.acme.x", "acme")).find("reverse-DNS"), std::string::npos);
  EXPECT_NE(fault(with("1.2.0", "1.2")).find("semantic version"), std::string::npos);
  EXPECT_NE(fault(with("abi 1.0", "abi 1")).find("no number"), std::string::npos);
  EXPECT_NE(fault(with("tier 1", "tier 99999999999")).find("no number"), std::string::npos);
  EXPECT_NE(fault(kFacts + "lowering aten.relu.default").find("write 'aten::relu.default'"),
            std::string::npos);
  EXPECT_NE(fault(kFacts + "lowering aten::truediv").find("write 'truediv'"), std::string::npos);
  EXPECT_NE(fault(kFacts + "lowering acme::a").find("lacks the overload"), std::string::npos);
  EXPECT_NE(fault(kFacts + "lowering a b").find("not canonical"), std::string::npos);
  EXPECT_NE(fault(kFacts + "lowering truediv\noverride truediv").find("stands twice"), std::string::npos);
  EXPECT_NE(fault(kFacts + "emitter x\nemitter x").find("stands twice"), std::string::npos);
  EXPECT_NE(fault(kFacts + "emitter a/b").find("no name of an emitter"), std::string::npos);
  EXPECT_NE(fault(kFacts + "runner y").find("no line of ABI 1."), std::string::npos);
  EXPECT_NE(fault(kFacts + "composite y").find("it must say 'min-host 1'"), std::string::npos);
}

TEST(ManifestText, NewerKindsOfANewerMinorAreLeftAlone) {
  std::string text = kFacts;
  text.replace(text.find("abi 1.0"), 7, "abi 1.9");
  EXPECT_EQ(fault(text + "runner y\n"), "");
}

TEST(Facts, Keys) {
  for (const char *good : {"aten::add.Tensor", "acme::fused.default", "truediv", "coreai::quantize",
                           "coreaix::a.default", "higher_order::cond", "aten::_softmax.default"})
    EXPECT_EQ(keyFault(good), std::nullopt) << good;
  for (const char *bad : {"", "a b", "::x.y", "acme::", "acme::.default", "acme::a.", "9x", "acme::a.b\n",
                          "a::b::c.d", "torch.ops.aten.add.Tensor", "_operator.truediv"})
    EXPECT_NE(keyFault(bad), std::nullopt) << bad;
  EXPECT_NE(keyFault("acme::" + std::string(600, 'x') + ".default"), std::nullopt);
}

TEST(Facts, IdsAndVersions) {
  EXPECT_TRUE(isReverseDns("com.acme"));
  EXPECT_TRUE(isReverseDns("org.sixrung.aten.shape-ops_2"));
  for (const char *bad : {"", "acme", "com..acme", "com.9a", ".com.a", "com.acme.", "com/acme.x"})
    EXPECT_FALSE(isReverseDns(bad)) << bad;
  for (const char *good : {"0.1.0", "1.2.3-rc.1", "1.0.0+abc", "1.0.0-a+b.c"})
    EXPECT_TRUE(isSemanticVersion(good)) << good;
  for (const char *bad : {"", "1", "1.2", "1.2.3.4", "01.2.3", "1.2.x", "1.2.3-", "1.2.3+", "-1.2.3"})
    EXPECT_FALSE(isSemanticVersion(bad)) << bad;
}

} // namespace
} // namespace sixrung::plugin
