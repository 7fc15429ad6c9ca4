// The convolution family: 1-d, 2-d and 3-d, plain and transposed, batched or not.
#include "sixrung/sdk.hpp"

using namespace sixrung;

namespace {

struct Convolution {
  Value x, weight, bias;
  Ints stride, padding, dilation, outputPadding;
  bool transposed = false;
  int64_t groups = 1;
};

// PyTorch takes one number for all axes.
Ints each(Ints values, int count) {
  return values.size() == 1 ? Ints(static_cast<size_t>(count), values[0]) : values;
}

// Zeros around the spatial axes, which are the last ones.
Value padded(Builder &b, Value x, const Ints &padding) {
  Ints pads(static_cast<size_t>(x.rank()) * 2, 0), dims = x.dims();
  bool any = false;
  for (size_t i = 0; i < padding.size(); ++i) {
    size_t axis = static_cast<size_t>(x.rank()) - padding.size() + i;
    pads[axis * 2] = pads[axis * 2 + 1] = padding[i];
    any = any || padding[i] != 0;
    if (dims[axis] != kDynamic)
      dims[axis] += 2 * padding[i];
  }
  if (!any)
    return x;
  return b.op("coreai.pad", {x, b.indices(pads, DType::UI32), b.zeros(x.dtype(), {})},
              {{"padding_mode", "constant"}}, Type{x.dtype(), dims});
}

Value convolve(Node n, Builder &b, Convolution c) {
  ResultInfo info = n.result(0);
  int spatial = c.weight.rank() - 2;
  if (spatial < 1 || spatial > 3)
    return unsupported("a convolution over " + std::to_string(spatial) + " spatial axes",
                       "1, 2 and 3 are known");
  c.stride = each(c.stride, spatial);
  c.padding = each(c.padding, spatial);
  c.dilation = each(c.dilation, spatial);
  c.outputPadding = each(c.outputPadding, spatial);
  bool unbatched = c.x.rank() == c.weight.rank() - 1;
  if (unbatched)
    c.x = b.expandDims(c.x, {0});
  // The runtime convolves floats only; integers up to 2^53 are exact in f64. Its transposed form adds
  // halves up in halves, where eager has f32.
  DType type = c.x.dtype();
  DType inner = isInteger(type) ? DType::F64 : c.transposed ? opmath(type) : type;
  c.x = b.cast(c.x, inner);
  c.weight = b.cast(c.weight, inner);
  bool line = spatial == 1; // a 1-d convolution is a 2-d one of height 1
  if (line) {
    c.x = b.expandDims(c.x, {2});
    c.weight = b.expandDims(c.weight, {2});
    c.stride.insert(c.stride.begin(), 1);
    c.padding.insert(c.padding.begin(), 0);
    c.dilation.insert(c.dilation.begin(), 1);
    c.outputPadding.insert(c.outputPadding.begin(), 0);
  }
  Ints dims = info.dims;
  if (unbatched)
    dims.insert(dims.begin(), 1);
  if (line)
    dims.insert(dims.begin() + 2, 1);
  Type result{inner, dims};
  auto numbers = [&](const Ints &values) { return b.indices(values, DType::UI32); };
  Value groups = b.index(c.groups, DType::UI32), y;
  std::string suffix = spatial == 3 ? "3d" : "2d";
  if (c.transposed)
    y = b.op("coreai.conv_transpose" + suffix,
             {c.x, c.weight, numbers(c.stride), numbers(c.padding), numbers(c.dilation),
              numbers(c.outputPadding), groups},
             {}, result);
  else
    y = b.op("coreai.conv" + suffix,
             {padded(b, c.x, c.padding), c.weight, numbers(c.stride), numbers(c.dilation), groups}, {},
             result);
  if (line)
    y = b.shrinkDims(y, {2});
  if (c.bias) {
    Ints shape(static_cast<size_t>(y.rank()), 1);
    shape[1] = c.bias.dim(0);
    y = b.add(y, b.reshape(b.cast(c.bias, inner), Shape(shape.begin(), shape.end())));
  }
  if (unbatched)
    y = b.shrinkDims(y, {0});
  return isInteger(type) ? b.wrapCast(y, info.valueDtype) : b.cast(y, type);
}

Value convolution(Node n, Builder &b) {
  return convolve(n, b,
                  {n.tensor(0), n.tensor(1), n.optionalTensor(2), n.ints(3), n.ints(4), n.ints(5), n.ints(7),
                   n.boolean(6), n.integer(8)});
}

// conv1d, conv2d and conv3d before decomposition. padding may be "valid" or "same" there.
Value plain(Node n, Builder &b) {
  Value weight = n.tensor(1);
  int spatial = weight.rank() - 2;
  Ints dilation = each(n.ints(5, Ints{1}), spatial), padding;
  if (n.raw(4).tag == SIXRUNG_ARG_STRING) {
    std::string word = n.string(4);
    for (int i = 0; i < spatial; ++i) {
      int64_t total = word == "same" ? dilation[static_cast<size_t>(i)] * (weight.dim(i + 2) - 1) : 0;
      if (total % 2)
        return unsupported("'same' padding that is odd in total",
                           "pad explicitly, then convolve with 'valid'");
      padding.push_back(total / 2);
    }
  } else {
    padding = n.ints(4, Ints{0});
  }
  return convolve(n, b,
                  {n.tensor(0), weight, n.optionalTensor(2), n.ints(3, Ints{1}), padding, dilation, Ints{0},
                   false, n.integer(6, 1)});
}

constexpr Lowering kLowerings[] = {
    {"aten::convolution.default", convolution},
    {"aten::conv1d.default", plain},
    {"aten::conv2d.default", plain},
    {"aten::conv2d.padding", plain},
    {"aten::conv3d.default", plain},
};
} // namespace

SIXRUNG_PLUGIN("org.sixrung.aten.convolution", "0.1.0", kLowerings);
