// The host table's slots as a careless plugin calls them: sizes, handles, arguments. Building:
// host_build_test.cpp.
#include "support.hpp"

#include <gtest/gtest.h>
#include <thread>

using namespace sixrung;
using namespace sixrung::test;

namespace {

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
