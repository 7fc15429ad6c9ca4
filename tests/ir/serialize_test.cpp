// Constants in their forms, and modules as text and bytecode.
#include "tests/ir/support.hpp"

#include "fmt/format.h"

namespace sixrung::ir::test {
namespace {

template <typename T> llvm::ArrayRef<char> bytesOf(const std::vector<T> &values) {
  return {reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T)};
}
std::vector<float> ramp(size_t count, float start = 0) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = start + i;
  return values;
}

TEST(Constants, FormFollowsSizeAndContent) {
  Fixture f;
  auto b = f.graph({});
  auto small = ramp(255), large = ramp(256);
  std::vector<float> same(1000, -0.0f);
  Value values[] = {vector(f, *b, DType::kF32, small), vector(f, *b, DType::kF32, large),
                    vector(f, *b, DType::kF32, same)};
  EXPECT_EQ(elements<float>(*b, values[0]), small);
  EXPECT_EQ(elements<float>(*b, values[1]), large);
  EXPECT_EQ(elements<float>(*b, values[2]), same);
  EXPECT_TRUE(b->constantBytes(values[2])->splat);
  b->finish({values[0], values[1], values[2]}, {"a", "b", "c"});
  std::string text = f.text();
  EXPECT_TRUE(contains(text, "dense<-0.000000e+00> : tensor<1000xf32>")) << text;
  EXPECT_EQ(count(text, "dense_resource<w_"), 1u);
  EXPECT_TRUE(contains(text, "\"0x10000000")); // alignment 16: the runtime ends on a larger one
}

TEST(Constants, EachOnceAndAtTheHead) {
  Fixture f;
  auto b = f.graph({f.port("x", f.type(DType::kF32, {300}))});
  Value relu = build(*b, "coreai.relu", {b->argument(0)});
  b->openRegion({});
  Value first = vector(f, *b, DType::kF32, ramp(300)), second = vector(f, *b, DType::kF32, ramp(300));
  EXPECT_EQ(first, second);
  EXPECT_TRUE(first.getDefiningOp()->isBeforeInBlock(relu.getDefiningOp()));
  b->closeRegion("coreai.yield", {first}).reset();
  // Equal bytes of another shape are another value, but no second resource.
  auto other = ramp(300);
  Value third = b->constant(f.type(DType::kF32, {3, 100}), bytesOf(other));
  EXPECT_NE(first, third);
  b->finish({first, third}, {"a", "b"});
  EXPECT_EQ(count(f.text(), ": \"0x10000000"), 1u);
}

TEST(Constants, NamesFollowFromContent) {
  auto textOf = [](float start) {
    Fixture f;
    auto b = f.graph({});
    b->finish({vector(f, *b, DType::kF32, ramp(300, start))}, {"a"});
    return f.text();
  };
  EXPECT_EQ(textOf(0), textOf(0));
  EXPECT_NE(textOf(0).substr(0, 200), textOf(1).substr(0, 200));
}

TEST(Constants, EveryElementTypeGoesThereAndBack) {
  Fixture f;
  auto b = f.graph({});
  std::string raw(512, 0);
  for (size_t i = 0; i < raw.size(); ++i)
    raw[i] = static_cast<char>(i * 7 + 1);
  std::vector<Value> values;
  std::vector<std::string> names;
  for (auto code = static_cast<uint32_t>(DType::kBool); code <= static_cast<uint32_t>(DType::kUI6); ++code) {
    auto dtype = static_cast<DType>(code);
    if (dtype == DType::kComplex32 || dtype == DType::kComplex128)
      continue;
    for (int64_t size : {0, 1, 5, 8}) {
      auto type = f.type(dtype, {size});
      std::string bytes = raw.substr(0, *byteSize(type));
      if (dtype == DType::kBool)
        for (char &byte : bytes)
          byte &= 1;
      Value value = b->constant(type, {bytes.data(), bytes.size()});
      auto read = b->constantBytes(value);
      ASSERT_TRUE(read) << code;
      EXPECT_EQ(read->type, type);
      EXPECT_EQ(std::string(read->bytes.begin(), read->bytes.end()), bytes) << code << " " << size;
      values.push_back(value);
      names.push_back(fmt::format("r{}_{}", code, size));
    }
  }
  b->finish(values, names);
  std::string text = f.text();
  EXPECT_EQ(count(text, "coreai.constant"), values.size());
  Fixture again;
  again.module = parse(again.context.get(), text);
  EXPECT_TRUE(again.text() == text);
}

TEST(Constants, Splats) {
  Fixture f;
  auto b = f.graph({});
  for (DType dtype : {DType::kBool, DType::kSI4, DType::kUI3, DType::kSI8, DType::kUI64, DType::kBF16,
                      DType::kF32, DType::kF8E4M3FN}) {
    std::string element((graph::bitWidth(dtype) + 7) / 8, '\1');
    Value value = b->splat(f.type(dtype, {100, 100}), {element.data(), element.size()});
    auto read = b->constantBytes(value);
    ASSERT_TRUE(read && read->splat) << graph::dtypeName(dtype);
    EXPECT_EQ(std::string(read->bytes.begin(), read->bytes.end()), element) << graph::dtypeName(dtype);
  }
  // Not in an attribute: coreai-core ends the process that saves it.
  Value complex = b->splat(f.type(DType::kComplex64, {2}), {"abcdefgh", 8});
  EXPECT_FALSE(b->constantBytes(complex)->splat);
  EXPECT_EQ(b->constantBytes(complex)->bytes, llvm::ArrayRef<char>("abcdefghabcdefgh", 16));
  messageOf(ErrorKind::kInternal, [&] { b->splat(f.type(DType::kF32, {2}), {"ab", 2}); });
}

TEST(Constants, SizesAreChecked) {
  Fixture f;
  auto b = f.graph({});
  auto values = ramp(10);
  messageOf(ErrorKind::kInternal, [&] { b->constant(f.type(DType::kF32, {11}), bytesOf(values)); });
  messageOf(ErrorKind::kInternal, [&] { b->constant(f.type(DType::kF32, {-1}), bytesOf(values)); });
  messageOf(ErrorKind::kInternal,
            [&] { b->constantView(f.type(DType::kF32, {int64_t(1) << 62}), bytesOf(values), nullptr); });
  auto signless = mlir::RankedTensorType::get({10}, mlir::IntegerType::get(f.context.get(), 32));
  messageOf(ErrorKind::kInternal, [&] { b->constant(signless, bytesOf(values)); });
}

TEST(Constants, ViewsAreHeldNotCopied) {
  auto owner = std::make_shared<std::vector<float>>(ramp(1000));
  {
    Fixture f;
    auto b = f.graph({});
    Value value = b->constantView(f.type(DType::kF32, {1000}), bytesOf(*owner), owner);
    EXPECT_EQ(b->constantBytes(value)->bytes.data(), reinterpret_cast<const char *>(owner->data()));
    EXPECT_GT(owner.use_count(), 1);
    // Small ones are copied, and so let go at once.
    long held = owner.use_count();
    b->constantView(f.type(DType::kF32, {10}), bytesOf(ramp(10)), owner);
    EXPECT_EQ(owner.use_count(), held);
  }
  EXPECT_EQ(owner.use_count(), 1);
}

TEST(Bytecode, LargeWeightsAreWrittenWhereTheyLie) {
  struct Sink : llvm::raw_ostream {
    llvm::ArrayRef<char> weights;
    uint64_t written = 0;
    bool sawWeights = false;
    Sink() { SetUnbuffered(); }
    void write_impl(const char *data, size_t size) override {
      sawWeights |= data == weights.data() && size == weights.size();
      written += size;
    }
    uint64_t current_pos() const override { return written; }
  };
  auto owner = std::make_shared<std::vector<float>>(ramp(1 << 20));
  Fixture f;
  auto b = f.graph({});
  b->finish({b->constantView(f.type(DType::kF32, {1 << 20}), bytesOf(*owner), owner)}, {"w"});
  Sink sink;
  sink.weights = bytesOf(*owner);
  serialize(*f.module, Format::kBytecode, sink);
  EXPECT_TRUE(sink.sawWeights);
  EXPECT_LT(sink.written, (4u << 20) + 4096);
}

TEST(Bytecode, GoesThereAndBack) {
  Fixture f;
  auto tensor = f.type(DType::kF32, {300});
  auto b = f.graph({f.port("h", handleType(tensor)), f.port("x", tensor)});
  b->setLocation(mlir::FileLineColLoc::get(f.context.get(), "model.py", 7, 0));
  Value sum = build(*b, "coreai.add", {b->readState(0), vector(f, *b, DType::kF32, ramp(300))});
  b->writeState(0, sum);
  b->finish({build(*b, "coreai.gelu", {sum})}, {"r"});
  std::string bytes = f.text(Format::kBytecode), text = f.text(), generic = f.text(Format::kTextGeneric);
  EXPECT_EQ(bytes.substr(0, 4), "ML\xefR");
  EXPECT_EQ(f.text(Format::kBytecode), bytes);
  for (const std::string &form : {bytes, text, generic, text + "\n"}) {
    Fixture again;
    again.module = parse(again.context.get(), form);
    EXPECT_EQ(again.text(), text);
  }
}

TEST(Parse, RefusesWithTheFirstDiagnostic) {
  Fixture f;
  testing::internal::CaptureStderr();
  for (const char *text :
       {"nonsense", "module { coreai.graph @main() { } }", "\"foo.bar\"() : () -> ()",
        "module { coreai.graph @main(%a: tensor<2xf32> {coreai.name = \"x\"}) -> (tensor<2xf32> "
        "{coreai.name = \"r\"}) { coreai.output }  }",
        "ML\xefR", "ML\xefR\xff\xff\xff\xff\xff\xff"}) {
    std::string message = messageOf(ErrorKind::kInvalidInput, [&] { parse(f.context.get(), text); });
    EXPECT_FALSE(message.empty());
  }
  EXPECT_TRUE(contains(messageOf(ErrorKind::kInvalidInput, [&] { parse(f.context.get(), "\n  what"); }),
                       "line 2, column 3"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Dialect, TellsItsOps) {
  Fixture f;
  std::vector<OpInfo> ops = dialectOps(f.context.get());
  EXPECT_GT(ops.size(), 120u);
  auto find = [&](const std::string &name) {
    for (const OpInfo &op : ops)
      if (op.name == name)
        return op;
    ADD_FAILURE() << name;
    return OpInfo();
  };
  EXPECT_EQ(find("coreai.concat").operands, (std::vector<std::string>{"dimension", "inputs*"}));
  EXPECT_TRUE(find("coreai.concat").infersResults);
  EXPECT_FALSE(find("coreai.cast").infersResults);
  EXPECT_EQ(find("coreai.pad").attributes, (std::vector<std::string>{"padding_mode"}));
  EXPECT_EQ(find("coreai.asymmetric_quantization_statistics").results,
            (std::vector<std::string>{"scale", "zero_point"}));
}

TEST(Types, DtypesGoThereAndBack) {
  Fixture f;
  for (uint32_t code = 1; code <= static_cast<uint32_t>(DType::kUI6); ++code) {
    auto dtype = static_cast<DType>(code);
    if (dtype == DType::kComplex32 || dtype == DType::kComplex128)
      messageOf(ErrorKind::kUnsupported, [&] { elementType(f.context.get(), dtype); });
    else
      EXPECT_EQ(dtypeOf(elementType(f.context.get(), dtype)), dtype);
  }
  EXPECT_EQ(dtypeOf(mlir::IndexType::get(f.context.get())), std::nullopt);
  EXPECT_EQ(byteSize(f.type(DType::kUI3, {3, 3})), 4u);
  EXPECT_EQ(byteSize(f.type(DType::kBool, {3, 3})), 9u);
  EXPECT_EQ(byteSize(f.type(DType::kF32, {-1})), std::nullopt);
}

} // namespace
} // namespace sixrung::ir::test
