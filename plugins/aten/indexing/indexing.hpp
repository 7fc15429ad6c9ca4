// The indexing family: gathers and scatters by index tensors and masks.
#pragma once

#include "sixrung/complex.hpp"
#include "sixrung/sdk.hpp"

namespace sixrung::aten {

// A tensor indexed by a list with holes, rearranged so that the indexed axes come first.
struct Indexed {
  Value base;     // [indexed axes..., other axes...]
  Value indices;  // [S..., number of indexed axes], si32
  Shape picked;   // S: what the index tensors broadcast to
  Shape rest;     // sizes of the other axes, in order
  Ints order;     // base = transpose(x, order)
  int depth = 0;  // number of indexed axes
  int before = 0; // other axes that precede S in the result; 0 unless the indexed axes are adjacent
};
// Masks become coordinates first. `entries` may be shorter than x's rank.
Indexed prepare(Builder &b, Value x, Values entries);

// gather.cpp
Value indexTensor(Node n, Builder &b);
Value indexSelect(Node n, Builder &b);
Value gather(Node n, Builder &b);
Value embedding(Node n, Builder &b);
Value nonzero(Node n, Builder &b);
Value nonzeroStatic(Node n, Builder &b);
Value repeatInterleave(Node n, Builder &b);
Value maskedSelect(Node n, Builder &b);
Value maskedScatter(Node n, Builder &b);
Value maskedFill(Node n, Builder &b);

// bag.cpp
Values embeddingBag(Node n, Builder &b);

// put.cpp
Value indexPut(Node n, Builder &b);
Value put(Node n, Builder &b);

// scatter.cpp
Value scatter(Node n, Builder &b);
Value scatterAdd(Node n, Builder &b);
Value scatterReduce(Node n, Builder &b);
Value indexReduce(Node n, Builder &b);

} // namespace sixrung::aten
