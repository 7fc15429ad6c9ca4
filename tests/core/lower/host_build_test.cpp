// Constants and ops as a careless plugin asks for them: types, bytes, attributes.
#include "support.hpp"

#include <cstring>
#include <gtest/gtest.h>

using namespace sixrung;
using namespace sixrung::test;

namespace {

bool has(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

TEST(HostConstant, BytesAreCountedAgainstTheType) {
  inCall([](const Call &c) -> sixrung_status * {
    float data[4] = {1, 2, 3, 4};
    sixrung_value out{3};
    Told told = take(c.host, c.constant(DType::kF32, {4}, data, 12, &out));
    EXPECT_EQ(told.code, SIXRUNG_INVALID_ARGUMENT);
    EXPECT_TRUE(has(told.message, "takes 16 bytes, and 12 are given")) << told.message;
    EXPECT_EQ(out.id, 3u);
    EXPECT_NE(take(c.host, c.constant(DType::kF32, {SIXRUNG_DYNAMIC}, data, 16, &out)).code, 0u);
    EXPECT_NE(take(c.host, c.constant(DType::kF32, {-4}, data, 16, &out)).code, 0u);
    EXPECT_NE(take(c.host, c.constant(DType::kF32, {int64_t{1} << 62, 8}, data, 16, &out)).code, 0u);
    EXPECT_NE(take(c.host, c.constant(static_cast<DType>(77), {4}, data, 16, &out)).code, 0u);
    EXPECT_NE(take(c.host, c.constant(DType::kF32, {4}, nullptr, 16, &out)).code, 0u);
    EXPECT_EQ(c.constant(DType::kF32, {4}, data, 16, &out), nullptr);
    sixrung_value again{};
    EXPECT_EQ(c.constant(DType::kF32, {4}, data, 16, &again), nullptr);
    EXPECT_EQ(again.id, out.id) << "equal constants are one value";
    sixrung_constant_view view{};
    view.struct_size = sizeof(view);
    EXPECT_EQ(c.host->value_constant(c.call, out, &view), nullptr);
    EXPECT_EQ(view.size, 16u);
    EXPECT_EQ(std::memcmp(view.data, data, 16), 0);
    EXPECT_EQ(view.type.dtype, SIXRUNG_F32);
    EXPECT_EQ(c.host->value_constant(c.call, c.value(0), &view), nullptr);
    EXPECT_EQ(view.data, nullptr) << "an input is no constant";
    return nullptr;
  });
}

TEST(HostConstant, SplatsTakeOneElement) {
  inCall([](const Call &c) -> sixrung_status * {
    sixrung_type type = c.type(DType::kF32, {});
    int64_t dims[] = {1 << 20};
    type.rank = 1;
    type.dims = dims;
    float half = 0.5f;
    sixrung_value out{};
    EXPECT_NE(take(c.host, c.host->constant_splat(c.call, &type, &half, 8, &out)).code, 0u);
    EXPECT_EQ(c.host->constant_splat(c.call, &type, &half, 4, &out), nullptr);
    sixrung_constant_view view{};
    view.struct_size = sizeof(view);
    EXPECT_EQ(c.host->value_constant(c.call, out, &view), nullptr);
    EXPECT_EQ(view.splat, 1u);
    EXPECT_EQ(view.size, 4u);
    return nullptr;
  });
}

TEST(HostConstant, AViewIsReleasedOnceOnFailureToo) {
  int released = 0;
  auto release = [](void *user) { ++*static_cast<int *>(user); };
  std::vector<float> data(4096, 1.0f);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<float>(i);
  {
    Lab lab;
    lab.lowering("acme::view.default", [&](const Call &c) -> sixrung_status * {
      sixrung_type type = c.type(DType::kF32, {});
      int64_t dims[] = {4096};
      type.rank = 1;
      type.dims = dims;
      sixrung_value out{};
      EXPECT_NE(
          take(c.host, c.host->constant_view(c.call, &type, data.data(), 5, release, &released, &out)).code,
          0u);
      EXPECT_EQ(released, 1);
      EXPECT_NE(
          take(c.host, c.host->constant_view({12345}, &type, data.data(), 16384, release, &released, &out))
              .code,
          0u);
      EXPECT_EQ(released, 2);
      EXPECT_EQ(c.host->constant_view(c.call, &type, data.data(), 16384, release, &released, &out), nullptr);
      return c.set(out);
    });
    lower::Converted program = lab.convert(oneNode("acme::view.default", tensor({2}), tensor({4096})));
    EXPECT_EQ(released, 2) << "the bytes are needed as long as the program";
    EXPECT_GT(program.bytecode().size(), 16384u);
  }
  EXPECT_EQ(released, 3);
}

TEST(HostBuild, WhatTheDialectRefusesIsToldAndLeavesNothing) {
  inCall([](const Call &c) -> sixrung_status * {
    sixrung_value out{5};
    Told told = take(c.host, c.op("coreai.no_such_op", {c.value(0)}, &out));
    EXPECT_EQ(told.code, SIXRUNG_VERIFY_FAILED);
    EXPECT_TRUE(has(told.message, "coreai.no_such_op")) << told.message;
    EXPECT_NE(take(c.host, c.op("coreai.relu", {c.value(0), c.value(0)}, &out)).code, 0u);
    EXPECT_NE(take(c.host, c.op("coreai.relu", {}, &out)).code, 0u);
    EXPECT_NE(take(c.host, c.op("coreai.relu", {{0}}, &out)).code, 0u);
    EXPECT_NE(take(c.host, c.typedOp("coreai.relu", {c.value(0)}, DType::kF32, {3}, &out)).code, 0u);
    EXPECT_NE(take(c.host, c.op("builtin.module", {}, &out)).code, 0u);
    EXPECT_EQ(out.id, 5u) << "untouched on failure";
    sixrung_op op{};
    op.struct_size = sizeof(op);
    op.name = str("coreai.relu");
    op.operand_count = 3; // and no operands
    op.result_count = 1;
    EXPECT_EQ(take(c.host, c.host->build_op(c.call, &op, &out)).code, SIXRUNG_INVALID_ARGUMENT);
    op.operand_count = 0;
    EXPECT_EQ(take(c.host, c.host->build_op(c.call, &op, nullptr)).code, SIXRUNG_INVALID_ARGUMENT);
    return nullptr;
  });
}

TEST(HostBuild, SharedOpsAndNoOpCastsGiveTheEarlierValue) {
  inCall([](const Call &c) -> sixrung_status * {
    sixrung_value first{}, second{}, cast{};
    EXPECT_EQ(c.op("coreai.relu", {c.value(0)}, &first), nullptr);
    EXPECT_EQ(c.op("coreai.relu", {c.value(0)}, &second), nullptr);
    EXPECT_EQ(first.id, second.id);
    EXPECT_EQ(c.typedOp("coreai.cast", {c.value(0)}, DType::kF32, {2}, &cast), nullptr);
    EXPECT_EQ(cast.id, c.value(0).id);
    return nullptr;
  });
}

sixrung_status *buildWith(const Call &c, const char *name, std::vector<sixrung_value> operands,
                          std::vector<sixrung_named_arg> attributes, sixrung_value *out) {
  sixrung_op op{};
  op.struct_size = sizeof(op);
  op.name = str(name);
  op.operands = operands.data();
  op.operand_count = static_cast<uint32_t>(operands.size());
  op.attributes = attributes.data();
  op.attribute_count = static_cast<uint32_t>(attributes.size());
  op.result_count = 1;
  return c.host->build_op(c.call, &op, out);
}

sixrung_arg text(const char *value) {
  return {SIXRUNG_ARG_STRING, static_cast<uint32_t>(std::strlen(value)), reinterpret_cast<uintptr_t>(value)};
}

TEST(HostBuild, Attributes) {
  inCall([](const Call &c) -> sixrung_status * {
    sixrung_value out{};
    EXPECT_EQ(buildWith(c, "coreai.gelu", {c.value(0)}, {{str("approximate"), text("tanh")}}, &out), nullptr);
    EXPECT_EQ(buildWith(c, "coreai.gelu", {c.value(0)},
                        {{str("approximate"), text("#coreai.approximate<none>")}}, &out),
              nullptr);
    Told told =
        take(c.host, buildWith(c, "coreai.gelu", {c.value(0)}, {{str("approximate"), text("tahn")}}, &out));
    EXPECT_EQ(told.code, SIXRUNG_INVALID_ARGUMENT);
    EXPECT_TRUE(has(told.message, "attribute 'approximate' of coreai.gelu")) << told.message;
    EXPECT_NE(
        take(c.host, buildWith(c, "coreai.gelu", {c.value(0)}, {{str("approximate"), {999, 0, 0}}}, &out))
            .code,
        0u);
    EXPECT_NE(
        take(c.host, buildWith(c, "coreai.gelu", {c.value(0)}, {{str("aproximate"), text("tanh")}}, &out))
            .code,
        0u);
    // scan_op is a plain i32.
    uint32_t zero = 0;
    uint8_t no = 0;
    sixrung_value axis{}, reverse{};
    EXPECT_EQ(c.constant(DType::kUI32, {}, &zero, 4, &axis), nullptr);
    EXPECT_EQ(c.constant(DType::kBool, {}, &no, 1, &reverse), nullptr);
    for (sixrung_arg scan : {sixrung_arg{SIXRUNG_ARG_INT, 0, 1}, text("product")}) {
      sixrung_status *status =
          buildWith(c, "coreai.scan", {c.value(0), axis, reverse}, {{str("scan_op"), scan}}, &out);
      EXPECT_EQ(status, nullptr) << take(c.host, status).message;
    }
    return nullptr;
  });
}

} // namespace
