// The sixrung SDK: everything a plugin in C++ needs, header-only, over the C header alone (ABI-1).
//
//   #include "sixrung/sdk.hpp"
//   using namespace sixrung;
//
//   Value softplus(Node n, Builder &b) { // max(x, 0) + log1p(exp(-|x|)): never overflows
//     Value x = n.tensor(0);
//     return b.add(b.maximum(x, 0.0), b.log1p(b.exp(b.neg(b.abs(x)))));
//   }
//   constexpr Lowering kRows[] = {{"acme::softplus.default", softplus}};
//   SIXRUNG_PLUGIN("com.acme.softplus", "1.0.0", kRows);
//
// Node reads the node being lowered; Builder builds the program; Value and Dim are what it is built
// of. Errors are thrown and become statuses at the boundary (failure.hpp).
#pragma once

#include "sixrung/builder.hpp"
#include "sixrung/composite.hpp"
#include "sixrung/emission.hpp"
#include "sixrung/node.hpp"
#include "sixrung/plugin.hpp"
#include "sixrung/strategy.hpp"
