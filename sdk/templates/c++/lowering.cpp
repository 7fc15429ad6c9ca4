// Lowers @IDENTIFIER@::gate(x, g, *, scale=1.0) = x * sigmoid(scale * g).
#include "sixrung/sdk.hpp"

using namespace sixrung;

namespace {

Value gate(Node n, Builder &b) {
  Value x = n.tensor("x"), g = n.tensor("g");
  if (!isFloat(x.dtype()) || x.dtype() != g.dtype())
    return unsupported("gate takes two tensors of one floating type, not " + x.text() + " and " + g.text(),
                       "cast them in the model");
  double scale = n.number("scale", 1.0); // an argument left at its default is not in the node
  return b.mul(x, b.sigmoid(b.mul(g, scale)));
}

// One row a key. The registration and the manifest both come from this table.
constexpr Lowering kLowerings[] = {{"@IDENTIFIER@::gate.default", gate}};

} // namespace

SIXRUNG_PLUGIN("com.example.@NAME@", "0.1.0", kLowerings);
