// Custom ops that `transformers` registers for mixture-of-experts models. Not a built-in: a deployment
// or --plugin asks for it.
#include "sixrung/sdk.hpp"

using namespace sixrung;

namespace {

// grouped_mm_fallback(input [S, in], weight [experts, in, out], offs [experts]) -> [S, out]: rows are
// sorted by expert, and offs says where each expert's rows end. Every row is multiplied by every
// expert in one product, and each row's own expert is picked: experts times the work of a grouped
// product, but no shape depends on the data. Rows past the last offset are zero.
Value groupedMatmul(Node n, Builder &b) {
  Value x = n.tensor(0), weight = n.tensor(1), ends = b.cast(n.tensor(2), DType::SI32);
  ResultInfo info = n.result(0);
  DType inner = opmath(x.dtype()); // sums of halves run in f32, as eager does
  Dim rows = b.dim(x, 0);
  int64_t experts = weight.dim(0);
  if (experts == kDynamic)
    return unsupported("grouped_mm_fallback with a number of experts known only at run time",
                       "export the expert weights with static sizes");
  if (rows.is(0) || experts == 0)
    return b.broadcastTo(b.zeros(info.valueDtype, {1, 1}), {rows, b.dim(weight, 2)});
  // Row r belongs to the expert whose end is the first past r.
  Value row =
      b.op("coreai.range", {b.index(0), b.scalarOf(rows), b.index(1)}, {}, Type{DType::SI32, {rows.size()}});
  Value passed = b.greaterEqual(b.expandDims(row, {1}), b.expandDims(ends, {0})); // [S, experts]
  Value expert = b.sum(b.cast(passed, DType::SI32), {1}, false);
  Value owned = b.less(expert, experts);
  Value products = b.matmul(b.expandDims(b.cast(x, inner), {0}), b.cast(weight, inner)); // [experts, S, out]
  Value safe = b.minimum(expert, experts - 1);
  Value at = b.concat({b.expandDims(safe, {1}), b.expandDims(row, {1})}, 1);
  Value picked = b.gatherNd(products, at); // [S, out]
  return b.cast(b.where(b.expandDims(owned, {1}), picked, 0.0), info.valueDtype);
}

constexpr Lowering kLowerings[] = {
    {"transformers::grouped_mm_fallback.default", groupedMatmul},
};
} // namespace

SIXRUNG_PLUGIN("org.sixrung.transformers.mixture_of_experts", "0.1.0", kLowerings);
