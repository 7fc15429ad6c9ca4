// The shape family: views, permutations, slices, joins, repeats and pads. No arithmetic on elements.
#pragma once

#include "sixrung/complex.hpp"
#include "sixrung/sdk.hpp"

namespace sixrung::aten {

// The sizes the program states for result `index`; kDynamic where only run time knows.
inline Ints resultDims(Node n, int index = 0) { return n.result(index).dims; }

// view.cpp
Value view(Node n, Builder &b);
Value unsqueeze(Node n, Builder &b);
Value squeeze(Node n, Builder &b);
Value expand(Node n, Builder &b);
Value permute(Node n, Builder &b);
Value transposeInt(Node n, Builder &b);
Value transposeAll(Node n, Builder &b);
Value pixelShuffle(Node n, Builder &b);
Value pixelUnshuffle(Node n, Builder &b);

// strided.cpp
Value asStrided(Node n, Builder &b);
Value asStridedScatter(Node n, Builder &b);
Value unfold(Node n, Builder &b);

// slice.cpp
Value sliceTensor(Node n, Builder &b);
Value sliceScatter(Node n, Builder &b);
Value selectInt(Node n, Builder &b);
Value selectScatter(Node n, Builder &b);
Value narrow(Node n, Builder &b);
Values splitWithSizes(Node n, Builder &b);
Values splitTensor(Node n, Builder &b);
Values unbind(Node n, Builder &b);
Value diagonal(Node n, Builder &b);
Value diagonalScatter(Node n, Builder &b);

// join.cpp
Value cat(Node n, Builder &b);
Value stack(Node n, Builder &b);
Value repeat(Node n, Builder &b);
Value flip(Node n, Builder &b);
Value roll(Node n, Builder &b);

// pad.cpp
Value constantPad(Node n, Builder &b);
Value padMode(Node n, Builder &b, std::string_view mode);

} // namespace sixrung::aten
