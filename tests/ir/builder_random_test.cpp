// Whatever a plugin asks for, the builder builds it or throws, and the graph stays whole.
#include "tests/ir/support.hpp"

#include <random>

namespace sixrung::ir::test {
namespace {

class RandomGraph {
public:
  explicit RandomGraph(unsigned seed) : random_(seed) {
    const std::vector<std::vector<int64_t>> shapes = {
        {}, {1}, {3}, {-1}, {0}, {2, 3}, {-1, 3}, {2, 2, 3}, {1, 3, 8, 8}, {int64_t(1) << 62, 4}};
    const DType dtypes[] = {DType::kF32,  DType::kF16,  DType::kSI32, DType::kUI32,     DType::kSI64,
                            DType::kUI16, DType::kBool, DType::kSI4,  DType::kComplex64};
    std::vector<Port> ports;
    for (DType dtype : dtypes)
      for (const auto &shape : shapes) {
        types_.push_back(f_.type(dtype, shape));
        ports.push_back(f_.port(std::to_string(ports.size()), types_.back()));
      }
    b_ = f_.graph(ports);
    for (unsigned i = 0; i < ports.size(); ++i)
      values_.push_back(b_->argument(i));
    for (mlir::Type type : types_)
      addConstant(mlir::cast<mlir::RankedTensorType>(type));
    for (const OpInfo &op : dialectOps(f_.context.get()))
      ops_.push_back(op);
  }

  // True when an op was built.
  bool step() {
    const OpInfo &op = ops_[pick(ops_.size())];
    std::vector<Value> operands;
    for (size_t i = 0, count = pick(8) ? op.operands.size() : pick(6); i < count; ++i)
      operands.push_back(values_[pick(values_.size())]);
    if (operands.size() == 2 && pick(2))
      operands[1] = operands[0];
    std::vector<mlir::Type> results;
    for (size_t i = 0, count = pick(2) ? op.results.size() : 0; i < count; ++i)
      results.push_back(pick(2) && !operands.empty() ? operands[0].getType() : types_[pick(types_.size())]);
    try {
      std::vector<mlir::NamedAttribute> attributes;
      for (const std::string &name : op.attributes)
        if (pick(4))
          attributes.push_back(f_.attribute(name, b_->attributeFromText(op.name, name, text(name))));
      std::vector<std::unique_ptr<mlir::Region>> regions;
      std::vector<Value> built = b_->build(op.name, operands, attributes, results, regions);
      for (Value value : built)
        if (mlir::isa<mlir::RankedTensorType>(value.getType())) // no tokens, which only state may give
          values_.push_back(value);
      return true;
    } catch (const Error &) {
      return false;
    }
  }

  void finish() {
    std::vector<std::string> names;
    for (size_t i = 0; i < values_.size(); ++i)
      names.push_back(std::to_string(i));
    b_->finish(values_, names);
    std::string written = f_.text();
    f_.text(Format::kBytecode);
    Fixture again;
    again.module = parse(again.context.get(), written);
    EXPECT_TRUE(again.text() == written);
  }

private:
  size_t pick(size_t count) { return random_() % count; }

  std::string text(const std::string &name) {
    const char *choices[] = {"none",    "constant", "linear",      "add",  "sum",
                             "reflect", "#3 : i32", "#[1 : si64]", "#unit"};
    return name == "value" ? "#dense<[1, -2]> : tensor<2xsi32>" : choices[pick(std::size(choices))];
  }

  void addConstant(mlir::RankedTensorType type) {
    std::optional<uint64_t> size = byteSize(type);
    if (!size || *size > 4096)
      return;
    for (bool same : {false, true}) {
      std::string bytes(*size, '\0');
      for (char &byte : bytes) // small numbers, which axes and shapes are made of
        byte = static_cast<char>(same ? 1 : pick(4) == 0 ? pick(4) : 0);
      values_.push_back(b_->constant(type, {bytes.data(), bytes.size()}));
    }
  }

  std::mt19937 random_;
  Fixture f_;
  std::unique_ptr<GraphBuilder> b_;
  std::vector<mlir::Type> types_;
  std::vector<Value> values_;
  std::vector<OpInfo> ops_;
};

TEST(BuilderRandom, BuildsOrThrows) {
  testing::internal::CaptureStderr();
  size_t built = 0;
  for (unsigned seed = 0; seed < 10; ++seed) {
    RandomGraph graph(seed);
    for (int i = 0; i < 2000; ++i)
      built += graph.step();
    graph.finish();
  }
  EXPECT_GT(built, 1000u);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

} // namespace
} // namespace sixrung::ir::test
