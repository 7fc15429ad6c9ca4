// Complex values part by part, for ops of the dialect that know only real ones. Not part of sdk.hpp:
// include it where it is needed.
#pragma once

#include "sixrung/builder.hpp"

namespace sixrung {

// apply(x), or of a complex x apply(real part) + apply(imaginary part) i: right for whatever moves or adds
// up elements.
template <typename F> Value byParts(Builder &b, Value x, F apply) {
  if (!isComplex(x.dtype()))
    return apply(x);
  Value real = apply(b.op("coreai.real_part", {x})), imaginary = apply(b.op("coreai.imaginary_part", {x}));
  return b.op("coreai.create_complex", {real, imaginary});
}
template <typename F> Value byParts(Builder &b, Value x, Value y, F apply) {
  if (!isComplex(x.dtype()))
    return apply(x, y);
  auto part = [&](std::string_view which) { return apply(b.op(which, {x}), b.op(which, {y})); };
  return b.op("coreai.create_complex", {part("coreai.real_part"), part("coreai.imaginary_part")});
}

} // namespace sixrung
