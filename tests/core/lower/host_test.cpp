// The host table's slots as a careless plugin calls them: sizes, handles, types, bytes.
#include "support.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <thread>

using namespace sixrung;
using namespace sixrung::test;

namespace {

bool has(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

// Runs `body` as the lowering of the one node of a program over x: float32[2].
void inCall(Lowering body, std::vector<graph::Argument> arguments = {use("x")},
            graph::ValueMeta meta = tensor({2})) {
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

TEST(HostTable, EverySlotIsFilled) {
  const sixrung_host *host = lower::hostTable();
  EXPECT_EQ(host, lower::hostTable()) << "one per process";
  EXPECT_EQ(host->struct_size, sizeof(sixrung_host));
  EXPECT_EQ(lower::abiVersion(), "1.1");
#define SIXRUNG_HOST_FN(since, ret, name, params) EXPECT_TRUE(SIXRUNG_HAS(host, name)) << #name;
#include "sixrung/host_functions.def"
#undef SIXRUNG_HOST_FN
}

TEST(HostCall, NodeInfo) {
  inCall([](const Call &c) -> sixrung_status * {
    sixrung_node_info info{};
    info.struct_size = sizeof(info);
    EXPECT_EQ(c.host->call_node(c.call, &info), nullptr);
    auto text = [](sixrung_str s) { return std::string(s.data, s.size); };
    EXPECT_EQ(text(info.name), "y");
    EXPECT_EQ(text(info.key), "acme::probe.default");
    EXPECT_EQ(text(info.source_file), "app/model.py");
    EXPECT_EQ(info.source_line, 5u);
    EXPECT_EQ(text(info.module_path), "layers.0");
    EXPECT_EQ(info.arg_count, 1u);
    EXPECT_EQ(info.result_count, 1u);
    EXPECT_EQ(info.struct_size, sizeof(info)) << "stays the caller's";
    return nullptr;
  });
}

TEST(HostCall, OutStructsOfOtherSizes) {
  inCall([](const Call &c) -> sixrung_status * {
    struct Newer { // a plugin of a later minor
      sixrung_node_info info;
      uint64_t added;
    } newer{};
    newer.info.struct_size = sizeof(newer);
    newer.added = 0x5151;
    EXPECT_EQ(c.host->call_node(c.call, &newer.info), nullptr);
    EXPECT_EQ(newer.info.arg_count, 1u);
    EXPECT_EQ(newer.added, 0x5151u) << "not the host's to write";
    sixrung_node_info small{};
    small.struct_size = 8;
    small.arg_count = 99;
    EXPECT_EQ(take(c.host, c.host->call_node(c.call, &small)).code, SIXRUNG_INVALID_ARGUMENT);
    EXPECT_EQ(small.arg_count, 99u) << "untouched on failure";
    EXPECT_EQ(take(c.host, c.host->call_node(c.call, nullptr)).code, SIXRUNG_INVALID_ARGUMENT);
    return nullptr;
  });
}

TEST(HostCall, ArraysOfANewerStructAreReadByItsSize) {
  inCall([](const Call &c) -> sixrung_status * {
    struct Newer {
      sixrung_type type;
      uint64_t added;
    };
    int64_t dims[] = {2};
    std::vector<Newer> types(2);
    for (Newer &newer : types)
      newer = {{sizeof(Newer), SIXRUNG_TYPE_TENSOR, SIXRUNG_F32, 1, dims}, ~uint64_t{0}};
    types[1].type.dtype = SIXRUNG_SI32;
    sixrung_region region{};
    sixrung_value arguments[2] = {};
    EXPECT_EQ(c.host->region_open(c.call, &types[0].type, 2, &region, arguments), nullptr);
    sixrung_type second{};
    second.struct_size = sizeof(second);
    EXPECT_EQ(c.host->value_type(c.call, arguments[1], &second), nullptr);
    EXPECT_EQ(second.dtype, SIXRUNG_SI32);
    sixrung_op end{};
    end.struct_size = sizeof(end);
    end.name = str("coreai.yield");
    EXPECT_EQ(c.host->region_close(c.call, region, &end), nullptr);
    types[1].type.struct_size = sizeof(sixrung_type);
    EXPECT_EQ(take(c.host, c.host->region_open(c.call, &types[0].type, 2, &region, arguments)).code,
              SIXRUNG_INVALID_ARGUMENT);
    return nullptr;
  });
}

TEST(HostCall, ArgumentsOfEveryKind) {
  std::vector<graph::Argument> all = {
      use("x"),
      arg(graph::NoneArg{}),
      arg(true),
      arg(int64_t{-3}),
      arg(0.25),
      test::arg(std::complex<double>(1, 2)),
      arg(std::string("none")),
      arg(graph::DTypeArg{DType::kF16}),
      arg(graph::DeviceArg{"cpu"}),
      arg(graph::LayoutArg{"strided"}),
      arg(graph::MemoryFormatArg{"contiguous_format"}),
      arg(graph::OperatorArg{"aten::add.Tensor"}),
      list({arg(int64_t{1}), arg(int64_t{2})}),
      list({arg(1.5)}),
      list({arg(true), arg(false)}),
      list({arg(std::string("a")), arg(std::string("bc"))}),
      list({use("x"), arg(graph::NoneArg{}), use("x")}),
      list({arg(int64_t{1}), use("x")}),
      list({}),
      list({list({arg(int64_t{7})}), list({})}),
  };
  inCall(
      [](const Call &c) -> sixrung_status * {
        auto at = [&](uint32_t i) { return c.argument(i); };
        auto pointer = [](sixrung_arg a) {
          return reinterpret_cast<const void *>(static_cast<uintptr_t>(a.payload));
        };
        auto text = [&](sixrung_arg a) {
          return std::string(static_cast<const char *>(pointer(a)), a.count);
        };
        EXPECT_EQ(at(0).tag, SIXRUNG_ARG_VALUE);
        EXPECT_EQ(at(1).tag, SIXRUNG_ARG_NONE);
        EXPECT_EQ(at(2).tag, SIXRUNG_ARG_BOOL);
        EXPECT_EQ(at(2).payload, 1u);
        EXPECT_EQ(static_cast<int64_t>(at(3).payload), -3);
        EXPECT_EQ(at(4).tag, SIXRUNG_ARG_FLOAT);
        EXPECT_EQ(at(4).payload, 0x3fd0000000000000u);
        EXPECT_EQ(at(5).tag, SIXRUNG_ARG_COMPLEX);
        EXPECT_EQ(static_cast<const double *>(pointer(at(5)))[1], 2.0);
        EXPECT_EQ(text(at(6)), "none");
        EXPECT_EQ(at(7).payload, SIXRUNG_F16);
        EXPECT_EQ(at(8).tag, SIXRUNG_ARG_DEVICE);
        EXPECT_EQ(text(at(8)), "cpu");
        EXPECT_EQ(at(9).tag, SIXRUNG_ARG_LAYOUT);
        EXPECT_EQ(at(10).tag, SIXRUNG_ARG_MEMORY_FORMAT);
        EXPECT_EQ(at(11).tag, SIXRUNG_ARG_OPERATOR);
        EXPECT_EQ(text(at(11)), "aten::add.Tensor");
        EXPECT_EQ(at(12).tag, SIXRUNG_ARG_INT_LIST);
        EXPECT_EQ(static_cast<const int64_t *>(pointer(at(12)))[1], 2);
        EXPECT_EQ(at(13).tag, SIXRUNG_ARG_FLOAT_LIST);
        EXPECT_EQ(at(14).tag, SIXRUNG_ARG_BOOL_LIST);
        EXPECT_EQ(static_cast<const uint8_t *>(pointer(at(14)))[0], 1);
        EXPECT_EQ(at(15).tag, SIXRUNG_ARG_STRING_LIST);
        EXPECT_EQ(static_cast<const sixrung_str *>(pointer(at(15)))[1].size, 2u);
        EXPECT_EQ(at(16).tag, SIXRUNG_ARG_VALUE_LIST);
        auto *holes = static_cast<const sixrung_value *>(pointer(at(16)));
        EXPECT_EQ(holes[0].id, at(0).payload);
        EXPECT_EQ(holes[1].id, 0u);
        EXPECT_EQ(at(17).tag, SIXRUNG_ARG_LIST);
        EXPECT_EQ(static_cast<const sixrung_arg *>(pointer(at(17)))[1].tag, SIXRUNG_ARG_VALUE);
        EXPECT_EQ(at(18).tag, SIXRUNG_ARG_INT_LIST);
        EXPECT_EQ(at(18).count, 0u);
        EXPECT_EQ(at(19).tag, SIXRUNG_ARG_LIST);
        EXPECT_EQ(static_cast<const sixrung_arg *>(pointer(at(19)))[0].tag, SIXRUNG_ARG_INT_LIST);
        sixrung_arg named{};
        EXPECT_EQ(c.host->call_arg_named(c.call, str("arg3"), &named), nullptr);
        EXPECT_EQ(named.tag, SIXRUNG_ARG_INT);
        EXPECT_EQ(take(c.host, c.host->call_arg_named(c.call, str("nope"), &named)).code, SIXRUNG_NOT_FOUND);
        sixrung_named_arg out{};
        EXPECT_EQ(take(c.host, c.host->call_arg(c.call, 20, &out)).code, SIXRUNG_NOT_FOUND);
        return nullptr;
      },
      all);
}

TEST(HostHandles, StaleAndForgedOnesAreToldApartFromLiveOnes) {
  sixrung_call over{};
  sixrung_value gone{};
  inCall([&](const Call &c) -> sixrung_status * {
    over = c.call;
    gone = c.value(0);
    sixrung_node_info info{};
    info.struct_size = sizeof(info);
    for (uint64_t forged : {uint64_t{1}, ~uint64_t{0}, c.call.id + 1, c.call.id + (uint64_t{1} << 32)})
      EXPECT_EQ(take(c.host, c.host->call_node({forged}, &info)).code, SIXRUNG_STALE_HANDLE) << forged;
    EXPECT_EQ(take(c.host, c.host->call_node({0}, &info)).code, SIXRUNG_INVALID_ARGUMENT);
    sixrung_type type{};
    type.struct_size = sizeof(type);
    for (uint64_t forged : {uint64_t{1}, ~uint64_t{0}, gone.id + 1000})
      EXPECT_EQ(take(c.host, c.host->value_type(c.call, {forged}, &type)).code, SIXRUNG_STALE_HANDLE)
          << forged;
    EXPECT_EQ(take(c.host, c.set({gone.id + 5})).code, SIXRUNG_STALE_HANDLE);
    sixrung_emission_info emission{};
    emission.struct_size = sizeof(emission);
    EXPECT_EQ(take(c.host, c.host->emission_info({c.call.id}, &emission)).code, SIXRUNG_STALE_HANDLE);
    // A session's functions on another thread: no such call there.
    uint32_t elsewhere = 0;
    std::thread([&] { elsewhere = take(c.host, c.host->call_node(c.call, &info)).code; }).join();
    EXPECT_EQ(elsewhere, SIXRUNG_STALE_HANDLE);
    return nullptr;
  });
  const sixrung_host *host = lower::hostTable();
  sixrung_node_info info{};
  info.struct_size = sizeof(info);
  EXPECT_EQ(take(host, host->call_node(over, &info)).code, SIXRUNG_STALE_HANDLE);
  inCall([&](const Call &c) -> sixrung_status * { // another graph
    sixrung_value out{};
    EXPECT_EQ(take(c.host, c.op("coreai.relu", {gone}, &out)).code, SIXRUNG_STALE_HANDLE);
    EXPECT_EQ(take(c.host, c.host->call_node(over, &info)).code, SIXRUNG_STALE_HANDLE);
    return nullptr;
  });
}

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

TEST(HostStatus, NoneIsLeaked) {
  int64_t before = plugin::liveStatuses();
  Lab lab;
  lab.lowering("acme::foo.default", [](const Call &c) { return c.fail(SIXRUNG_UNSUPPORTED, "no"); });
  lab.errorOf(oneNode("acme::foo.default", tensor({4}), tensor({4})));
  EXPECT_EQ(plugin::liveStatuses(), before);
}

TEST(HostRemark, KindsAreWords) {
  Lab lab;
  lab.lowering("acme::talks.default", [](const Call &c) -> sixrung_status * {
    EXPECT_EQ(c.host->call_remark(c.call, SIXRUNG_NOTE, str("a")), nullptr);
    EXPECT_EQ(c.host->call_remark(c.call, SIXRUNG_WARNING, str("b")), nullptr);
    EXPECT_EQ(take(c.host, c.host->call_remark(c.call, 9, str("c"))).code, SIXRUNG_INVALID_ARGUMENT);
    EXPECT_EQ(take(c.host, c.host->call_remark(c.call, 1, {nullptr, 4})).code, SIXRUNG_INVALID_ARGUMENT);
    return c.set(c.value(0));
  });
  lower::Converted program = lab.convert(oneNode("acme::talks.default", tensor({2}), tensor({2})));
  EXPECT_EQ(program.nodes()[0].remarks, (std::vector<std::string>{"note: a", "warning: b"}));
}

} // namespace
