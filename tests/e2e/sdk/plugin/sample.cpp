// A plugin that builds with and without exceptions.
#include "sixrung/operators.hpp"
#include "sixrung/sdk.hpp"

using namespace sixrung;

namespace {

Value twice(Node n, Builder &) {
  using namespace operators;
  return n.tensor(0) * 2.0 + n.number("bias", 0.5); // a .pt2 does not tell defaults of custom ops
}

Value refused(Node n, Builder &b) {
  Value x = n.tensor(0);
  if (x.rank() != 7)
    return unsupported("acme::refused takes rank 7 only, and this is " + x.text(), "give it five more axes");
  return b.exp(x);
}

// The dialect refuses operands of two types; whatever comes after must not crash.
Value mixed(Node n, Builder &b) {
  Value x = n.tensor(0);
  Value sum = b.op("coreai.add", {x, b.cast(x, DType::SI32)});
  return b.exp(b.reshape(sum, {6}));
}

Value careless(Node n, Builder &b) { return b.exp(n.optionalTensor("nothing")); }

constexpr Lowering kRows[] = {
    {"acme::twice.default", twice},
    {"acme::refused.default", refused},
    {"acme::mixed.default", mixed},
    {"acme::careless.default", careless},
};

} // namespace

SIXRUNG_PLUGIN("com.acme.sample", "1.0.0", kRows);
