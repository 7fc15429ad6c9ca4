// Lowerings of the reduction family, by file.
#pragma once

#include "sixrung/complex.hpp"
#include "sixrung/sdk.hpp"

namespace sixrung::aten {

// reduce.cpp
Value accumulate(Node n, Builder &b, std::string_view op); // sum, prod: (self, dim, keepdim) by name
Value mean(Node n, Builder &b);
Value extreme(Node n, Builder &b, std::string_view which); // amax, amin, max, min: "max" or "min"
Values aminmax(Node n, Builder &b);
Value anyAll(Node n, Builder &b, std::string_view op); // "any", "all"
Value countNonzero(Node n, Builder &b);
Value logsumexp(Node n, Builder &b);
Value vectorNorm(Node n, Builder &b);

// variance.cpp
Value variance(Node n, Builder &b, std::string_view kind); // "var", "std"
Values varianceMean(Node n, Builder &b, std::string_view kind);

// search.cpp
Value argExtreme(Node n, Builder &b, std::string_view which);  // argmax, argmin
Values extremeDim(Node n, Builder &b, std::string_view which); // max.dim, min.dim

// scan.cpp
Value cumulative(Node n, Builder &b, std::string_view op);
Value logCumulativeSum(Node n, Builder &b);                        // "sum", "product"
Values cumulativeExtreme(Node n, Builder &b, std::string_view op); // "max", "min"

// order.cpp
Values sort(Node n, Builder &b);
Values sortStable(Node n, Builder &b);
Value argsort(Node n, Builder &b);
Value argsortStable(Node n, Builder &b);
Values topk(Node n, Builder &b);
Values kthvalue(Node n, Builder &b);
Values medianDim(Node n, Builder &b, std::string_view kind); // "nan": NaNs do not count
Value median(Node n, Builder &b, std::string_view kind);

// count.cpp
Value histc(Node n, Builder &b);
Value bucketize(Node n, Builder &b);
Value searchsortedTensor(Node n, Builder &b);
Value cdist(Node n, Builder &b);
Value pdist(Node n, Builder &b);
Value distance(Node n, Builder &b);

// The axes an argument names: all of them when it is missing or empty.
Ints axesOfArgument(Node n, Builder &b, Value x, Arg which);
// A value summed over in f32 where it is f16 or bf16.
inline Value widened(Builder &b, Value x) { return b.cast(x, opmath(x.dtype())); }
// Number of elements along axes, as a 0-d tensor of `dtype`.
Value countOf(Builder &b, Value x, const Ints &axes, DType dtype);

} // namespace sixrung::aten
