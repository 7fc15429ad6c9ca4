// GraphBuilder: inference, refusal, sharing, regions, state, the end of a graph.
#include "tests/ir/support.hpp"

#include <thread>

namespace sixrung::ir::test {
namespace {

TEST(Builder, InfersResultTypes) {
  Fixture f;
  auto b = f.graph({f.port("x", f.type(DType::kF32, {2, 3})), f.port("y", f.type(DType::kF32, {3}))});
  Value sum = build(*b, "coreai.decomposable.broadcasting_add", {b->argument(0), b->argument(1)});
  EXPECT_EQ(sum.getType(), f.type(DType::kF32, {2, 3}));
  b->finish({sum}, {"r"});
  EXPECT_EQ(f.text(), R"(module {
  coreai.graph @main(%arg0: tensor<2x3xf32> {coreai.name = "x"}, %arg1: tensor<3xf32> {coreai.name = "y"}) -> (tensor<2x3xf32> {coreai.name = "r"}) {
    %0 = coreai.decomposable.broadcasting_add %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    coreai.output %0 : tensor<2x3xf32>
  }
}
)");
}

TEST(Builder, RefusedOpsLeaveNothingBehind) {
  Fixture f;
  auto b = f.graph({f.port("x", f.type(DType::kF32, {2, 3})), f.port("y", f.type(DType::kF16, {2, 3}))});
  size_t before = opCount(*f.module);
  testing::internal::CaptureStderr();
  std::string message =
      messageOf(ErrorKind::kUnsupported, [&] { build(*b, "coreai.add", {b->argument(0), b->argument(1)}); });
  EXPECT_TRUE(contains(message, "coreai.add")) << message;
  // The types it is given contradict the operands.
  messageOf(ErrorKind::kUnsupported,
            [&] { build(*b, "coreai.add", {b->argument(0), b->argument(0)}, {f.type(DType::kF32, {7})}); });
  messageOf(ErrorKind::kUnsupported, [&] { build(*b, "coreai.not", {b->argument(0)}); });
  messageOf(ErrorKind::kUnsupported, [&] { b->build("coreai.add", {b->argument(0)}); });
  EXPECT_TRUE(contains(messageOf(ErrorKind::kUnsupported, [&] { b->build("coreai.ad", {}); }),
                       "has no op coreai.ad"));
  EXPECT_TRUE(contains(messageOf(ErrorKind::kUnsupported,
                                 [&] {
                                   b->build(
                                       "coreai.relu", {b->argument(0)},
                                       {f.attribute("aproximate", mlir::UnitAttr::get(f.context.get()))});
                                 }),
                       "no attribute 'aproximate'"));
  messageOf(ErrorKind::kUnsupported, [&] {
    b->build("coreai.gelu", {b->argument(0)},
             {f.attribute("approximate", mlir::StringAttr::get(f.context.get(), "tanh"))});
  });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(opCount(*f.module), before);
}

TEST(Builder, MisuseIsAnError) {
  Fixture f;
  auto b = f.graph({f.port("x", f.type(DType::kF32, {2}))});
  auto other = f.graph({f.port("x", f.type(DType::kF32, {2}))}, "other");
  messageOf(ErrorKind::kInternal, [&] { b->argument(1); });
  messageOf(ErrorKind::kInternal, [&] { build(*b, "coreai.relu", {other->argument(0)}); });
  messageOf(ErrorKind::kInternal, [&] { build(*b, "coreai.relu", {Value()}); });
  messageOf(ErrorKind::kInternal, [&] { b->build("coreai.output", {b->argument(0)}); });
  messageOf(ErrorKind::kInternal, [&] { b->closeRegion("coreai.yield", {}); });
  messageOf(ErrorKind::kInternal, [&] { b->finish({b->argument(0)}, {}); });
  messageOf(ErrorKind::kInternal, [&] { f.graph({}, "main"); });
  b->finish({b->argument(0)}, {"r"});
  messageOf(ErrorKind::kInternal, [&] { build(*b, "coreai.relu", {b->argument(0)}); });
}

TEST(Builder, UnfinishedGraphsVanish) {
  Fixture f;
  {
    auto b = f.graph({f.port("x", f.type(DType::kF32, {2}))});
    build(*b, "coreai.relu", {b->argument(0)});
    std::vector<Value> inner = b->openRegion({f.type(DType::kF32, {2})});
    build(*b, "coreai.add", {inner[0], b->argument(0)});
  }
  EXPECT_EQ(opCount(*f.module), 0u);
}

TEST(Builder, SharesEqualPureOps) {
  Fixture f;
  auto b = f.graph({f.port("x", f.type(DType::kF32, {2})), f.port("c", f.type(DType::kBool, {}))});
  Value x = b->argument(0), relu = build(*b, "coreai.relu", {x});
  EXPECT_EQ(build(*b, "coreai.relu", {x}), relu);
  EXPECT_NE(build(*b, "coreai.tanh", {x}), relu);
  auto tanh = b->attributeFromText("coreai.gelu", "approximate", "tanh");
  Value exact = build(*b, "coreai.gelu", {x}),
        approximate = b->build("coreai.gelu", {x}, {f.attribute("approximate", tanh)})[0];
  EXPECT_NE(exact, approximate);
  EXPECT_EQ(build(*b, "coreai.gelu", {x}), exact);
  // An outer op serves inside a region; an inner one does not serve outside of it.
  b->openRegion({});
  EXPECT_EQ(build(*b, "coreai.relu", {x}), relu);
  Value inner = build(*b, "coreai.exp", {x});
  std::vector<std::unique_ptr<mlir::Region>> regions;
  regions.push_back(b->closeRegion("coreai.yield", {inner}));
  b->openRegion({});
  EXPECT_NE(build(*b, "coreai.exp", {x}), inner);
  regions.push_back(b->closeRegion("coreai.yield", {relu}));
  messageOf(ErrorKind::kInternal, [&] { build(*b, "coreai.exp", {inner}); });
  b->build("coreai.if", {b->argument(1)}, {}, {x.getType()}, regions);
  EXPECT_NE(build(*b, "coreai.exp", {x}), inner);
}

TEST(Builder, CastToItsOwnTypeIsNothing) {
  Fixture f;
  auto b = f.graph({f.port("x", f.type(DType::kF32, {2}))});
  EXPECT_EQ(build(*b, "coreai.cast", {b->argument(0)}, {f.type(DType::kF32, {2})}), b->argument(0));
  EXPECT_NE(build(*b, "coreai.cast", {b->argument(0)}, {f.type(DType::kF16, {2})}), b->argument(0));
  std::string message =
      messageOf(ErrorKind::kUnsupported, [&] { b->build("coreai.cast", {b->argument(0)}); });
  EXPECT_TRUE(contains(message, "coreai.cast")) << message;
}

TEST(Builder, DeadOpsAreErased) {
  Fixture f;
  auto b = f.graph({f.port("x", f.type(DType::kF32, {2})), f.port("c", f.type(DType::kBool, {}))});
  Value x = b->argument(0);
  build(*b, "coreai.add", {build(*b, "coreai.exp", {x}), vector<float>(f, *b, DType::kF32, {1, 2})});
  std::vector<std::unique_ptr<mlir::Region>> regions;
  for (int i = 0; i < 2; ++i) {
    b->openRegion({});
    build(*b, "coreai.sin", {x});
    regions.push_back(b->closeRegion("coreai.yield", {build(*b, "coreai.cos", {x})}));
  }
  Value chosen = b->build("coreai.if", {b->argument(1)}, {}, {x.getType()}, regions)[0];
  b->finish({chosen}, {"r"});
  EXPECT_EQ(opCount(*f.module), 7u) << f.text(); // graph, if, two cos, two yields, output
}

TEST(Builder, WhileCarriesValues) {
  Fixture f;
  auto counter = f.type(DType::kSI32, {});
  auto b = f.graph({f.port("x", f.type(DType::kF32, {2}))});
  Value zero = scalar<int32_t>(f, *b, DType::kSI32, 0);
  std::vector<std::unique_ptr<mlir::Region>> regions;
  std::vector<Value> before = b->openRegion({counter, f.type(DType::kF32, {2})});
  Value more = build(*b, "coreai.greater", {scalar<int32_t>(f, *b, DType::kSI32, 3), before[0]});
  regions.push_back(b->closeRegion("coreai.condition", {more, before[0], before[1]}));
  std::vector<Value> after = b->openRegion({counter, f.type(DType::kF32, {2})});
  EXPECT_EQ(b->openRegions(), 1u);
  Value next = build(*b, "coreai.add", {after[0], scalar<int32_t>(f, *b, DType::kSI32, 1)});
  regions.push_back(b->closeRegion("coreai.yield", {next, build(*b, "coreai.add", {after[1], after[1]})}));
  std::vector<Value> results =
      b->build("coreai.while", {zero, b->argument(0)}, {}, {counter, b->argument(0).getType()}, regions);
  ASSERT_EQ(results.size(), 2u);
  b->finish({results[1]}, {"r"});
  EXPECT_EQ(count(f.text(), "coreai.constant"), 3u);
  EXPECT_TRUE(contains(f.text(), "coreai.condition"));
}

TEST(Builder, RegionsAreChecked) {
  Fixture f;
  auto b = f.graph({f.port("x", f.type(DType::kF32, {2})), f.port("c", f.type(DType::kBool, {}))});
  size_t before = opCount(*f.module);
  auto region = [&](llvm::StringRef terminator, std::vector<Value> operands) {
    b->openRegion({});
    return b->closeRegion(terminator, operands);
  };
  Value x = b->argument(0);
  auto attempt = [&](std::unique_ptr<mlir::Region> last) {
    std::vector<std::unique_ptr<mlir::Region>> regions;
    regions.push_back(region("coreai.yield", {x}));
    regions.push_back(std::move(last));
    return messageOf(ErrorKind::kUnsupported,
                     [&] { b->build("coreai.if", {b->argument(1)}, {}, {x.getType()}, regions); });
  };
  EXPECT_TRUE(contains(attempt(region("coreai.yield", {})), "else region"));
  EXPECT_TRUE(contains(attempt(region("coreai.condition", {b->argument(1), x})),
                       "else region must end with coreai.yield"));
  std::vector<std::unique_ptr<mlir::Region>> none;
  messageOf(ErrorKind::kUnsupported,
            [&] { b->build("coreai.if", {b->argument(1)}, {}, {x.getType()}, none); });
  EXPECT_EQ(opCount(*f.module), before);
}

TEST(Builder, StateIsReadOnceAndWrittenOnce) {
  Fixture f;
  auto tensor = f.type(DType::kF32, {2});
  auto b = f.graph({f.port("h", handleType(tensor)), f.port("x", tensor), f.port("k", handleType(tensor))});
  Value h = b->readState(0);
  EXPECT_EQ(b->readState(0), h);
  Value sum = build(*b, "coreai.add", {h, b->argument(1)});
  b->writeState(0, sum);
  EXPECT_EQ(b->readState(0), sum); // what was written is what is read
  b->writeState(0, build(*b, "coreai.add", {sum, sum}));
  b->writeState(2, sum); // written, never read
  messageOf(ErrorKind::kInternal, [&] { b->readState(1); });
  messageOf(ErrorKind::kUnsupported, [&] { b->writeState(0, scalar<float>(f, *b, DType::kF32, 1)); });
  b->finish({sum}, {"r"});
  std::string text = f.text();
  EXPECT_TRUE(contains(text, "-> (!coreai.token {coreai.name = \"h\"}, !coreai.token {coreai.name = \"k\"}, "
                             "tensor<2xf32> {coreai.name = \"r\"})"))
      << text;
  EXPECT_TRUE(contains(
      text, "%output, %out_token = coreai.read_handle %arg0, %0 : (<tensor<2xf32>>, !coreai.token) -> "
            "(tensor<2xf32>, !coreai.token)"))
      << text;
  EXPECT_EQ(count(text, "coreai.read_handle"), 1u); // k is only written
  EXPECT_EQ(count(text, "coreai.write_handle"), 2u);
  EXPECT_EQ(count(text, "coreai.create_token"), 1u);
}

TEST(Builder, InvokesAreCheckedAndShared) {
  Fixture f;
  auto tensor = f.type(DType::kF32, {2});
  {
    auto helper = f.graph({f.port("input", tensor)}, "helper", true);
    helper->finish({build(*helper, "coreai.relu", {helper->argument(0)})}, {"output"});
  }
  auto b = f.graph({f.port("x", tensor), f.port("y", f.type(DType::kF32, {3}))});
  auto invoke = [&](llvm::StringRef callee, Value operand) {
    auto attribute = b->attributeFromText("coreai.invoke", "callee",
                                          ("#param.constant<@" + callee + "> : !param.symbol").str());
    return b->build("coreai.invoke", {operand}, {f.attribute("callee", attribute)}, {tensor})[0];
  };
  Value called = invoke("helper", b->argument(0));
  EXPECT_EQ(invoke("helper", b->argument(0)), called);
  EXPECT_TRUE(
      contains(messageOf(ErrorKind::kUnsupported, [&] { invoke("nobody", b->argument(0)); }), "@nobody"));
  EXPECT_TRUE(contains(messageOf(ErrorKind::kUnsupported, [&] { invoke("helper", b->argument(1)); }),
                       "does not fit"));
  b->finish({called}, {"r"});
  EXPECT_TRUE(contains(f.text(), "coreai.invoke @helper(%arg0) : (tensor<2xf32>) -> tensor<2xf32>"))
      << f.text();
}

TEST(Builder, NamesOfPortsAreChecked) {
  Fixture f;
  auto tensor = f.type(DType::kF32, {2});
  auto b = f.graph({f.port("x", tensor)});
  EXPECT_TRUE(contains(
      messageOf(ErrorKind::kUnsupported, [&] { b->finish({b->argument(0), b->argument(0)}, {"r", "r"}); }),
      "'r'"));
  auto c = f.graph({f.port("x", tensor), f.port("x", tensor)}, "twice");
  messageOf(ErrorKind::kUnsupported, [&] { c->finish({c->argument(0)}, {"r"}); });
  auto d = f.graph({f.port("", tensor)}, "unnamed");
  messageOf(ErrorKind::kUnsupported, [&] { d->finish({d->argument(0)}, {"r"}); });
}

TEST(Builder, AttributesFromText) {
  Fixture f;
  auto b = f.graph({});
  auto text = [](mlir::Attribute attribute) {
    std::string out;
    llvm::raw_string_ostream(out) << attribute;
    return out;
  };
  EXPECT_EQ(text(b->attributeFromText("coreai.pad", "padding_mode", "reflect")),
            "#coreai.padding_mode<reflect>");
  EXPECT_EQ(text(b->attributeFromText("coreai.scan", "scan_op", "max")), "3 : i32");
  EXPECT_EQ(text(b->attributeFromText("coreai.pad", "padding_mode", "#coreai.padding_mode<circular>")),
            "#coreai.padding_mode<circular>");
  EXPECT_EQ(text(b->attributeFromText("coreai.graph", "x", "#[1 : si64]")), "[1 : si64]");
  EXPECT_EQ(text(b->attributeFromText("coreai.graph", "template_op", "rope")), "\"rope\"");
  messageOf(ErrorKind::kUnsupported, [&] { b->attributeFromText("coreai.pad", "padding_mode", "wrap"); });
  messageOf(ErrorKind::kUnsupported, [&] { b->attributeFromText("coreai.pad", "padding_mode", "#{"); });
}

TEST(Builder, LocationsAreOnesThatCanBeSaved) {
  Fixture f;
  mlir::MLIRContext *context = f.context.get();
  auto b = f.graph({f.port("x", f.type(DType::kF32, {2}))});
  auto file = mlir::FileLineColLoc::get(context, "model.py", 3, 0);
  b->setLocation(mlir::NameLoc::get(mlir::StringAttr::get(context, "n"), mlir::CallSiteLoc::get(file, file)));
  Value relu = build(*b, "coreai.relu", {b->argument(0)});
  EXPECT_EQ(relu.getLoc(), mlir::Location(file));
}

// A graph of many ops, regions, constants and states.
std::string largeBytecode() {
  Fixture f;
  auto tensor = f.type(DType::kF32, {300});
  auto b = f.graph({f.port("x", tensor), f.port("h", handleType(tensor)), f.port("g", handleType(tensor)),
                    f.port("c", f.type(DType::kBool, {}))});
  Value x = build(*b, "coreai.add", {b->readState(2), b->readState(1)});
  for (int i = 0; i < 50; ++i) {
    std::vector<float> weight(300, static_cast<float>(i));
    weight[0] = -1;
    x = build(*b, "coreai.add", {build(*b, "coreai.exp", {x}), vector(f, *b, DType::kF32, weight)});
    std::vector<std::unique_ptr<mlir::Region>> branches;
    for (const char *op : {"coreai.sin", "coreai.cos"}) {
      b->openRegion({});
      branches.push_back(b->closeRegion("coreai.yield", {build(*b, op, {x})}));
    }
    x = b->build("coreai.if", {b->argument(3)}, {}, {tensor}, branches)[0];
  }
  b->writeState(1, x);
  b->finish({x}, {"r"});
  return f.text(Format::kBytecode) + f.text();
}

TEST(Builder, IsDeterministicAndFreeOfSharedState) {
  std::string expected = largeBytecode();
  std::vector<std::string> results(4);
  std::vector<std::thread> threads;
  for (std::string &result : results)
    threads.emplace_back([&result] { result = largeBytecode(); });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &result : results)
    EXPECT_TRUE(result == expected);
}

TEST(Builder, SevenThousandOpsAreOneVerifiedGraph) {
  Fixture f;
  auto tensor = f.type(DType::kF32, {2, 16, 64});
  auto b = f.graph({f.port("x", tensor)});
  Value x = b->argument(0), axis = scalar<int32_t>(f, *b, DType::kSI32, -1);
  for (int i = 0; i < 1000; ++i) {
    Value weight = vector<float>(f, *b, DType::kF32, std::vector<float>(64, 1.0f + i));
    Value scaled = build(*b, "coreai.decomposable.broadcasting_mul", {x, weight});
    Value shape = vector<int32_t>(f, *b, DType::kSI32, {32, 64});
    Value flat = build(*b, "coreai.reshape", {scaled, shape});
    Value soft = build(*b, "coreai.softmax", {flat, axis});
    Value back = build(*b, "coreai.reshape", {soft, vector<int32_t>(f, *b, DType::kSI32, {2, 16, 64})});
    x = build(*b, "coreai.decomposable.broadcasting_add", {build(*b, "coreai.relu", {back}), x});
  }
  b->finish({x}, {"r"});
  EXPECT_GT(opCount(*f.module), 6900u);
}

} // namespace
} // namespace sixrung::ir::test
