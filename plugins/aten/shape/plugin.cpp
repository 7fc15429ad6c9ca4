#include "shape.hpp"

using namespace sixrung;
using namespace sixrung::aten;

namespace {
constexpr Lowering kLowerings[] = {
    {"aten::view.default", view},
    {"aten::view_copy.default", view},
    {"aten::_unsafe_view.default", view},
    {"aten::reshape.default", view},
    {"aten::unsqueeze.default", unsqueeze},
    {"aten::squeeze.default", squeeze},
    {"aten::squeeze.dim", squeeze},
    {"aten::squeeze.dims", squeeze},
    {"aten::expand.default", expand},
    {"aten::permute.default", permute},
    {"aten::permute_copy.default", permute},
    {"aten::transpose.int", transposeInt},
    {"aten::t.default", transposeAll},
    {"aten::pixel_shuffle.default", pixelShuffle},
    {"aten::pixel_unshuffle.default", pixelUnshuffle},
    {"aten::as_strided.default", asStrided},
    {"aten::as_strided_copy.default", asStrided},
    {"aten::as_strided_scatter.default", asStridedScatter},
    {"aten::unfold.default", unfold},
    {"aten::slice.Tensor", sliceTensor},
    {"aten::slice_copy.Tensor", sliceTensor},
    {"aten::slice_scatter.default", sliceScatter},
    {"aten::select.int", selectInt},
    {"aten::select_copy.int", selectInt},
    {"aten::select_scatter.default", selectScatter},
    {"aten::narrow.default", narrow},
    {"aten::narrow_copy.default", narrow},
    {"aten::split_with_sizes.default", splitWithSizes},
    {"aten::split.Tensor", splitTensor},
    {"aten::split_copy.Tensor", splitTensor},
    {"aten::unbind.int", unbind},
    {"aten::unbind_copy.int", unbind},
    {"aten::diagonal.default", diagonal},
    {"aten::diagonal_scatter.default", diagonalScatter},
    {"aten::cat.default", cat},
    {"aten::stack.default", stack},
    {"aten::repeat.default", repeat},
    {"aten::tile.default", repeat},
    {"aten::flip.default", flip},
    {"aten::roll.default", roll},
    {"aten::constant_pad_nd.default", constantPad},
    {"aten::reflection_pad1d.default", padMode, "reflect"},
    {"aten::reflection_pad2d.default", padMode, "reflect"},
    {"aten::reflection_pad3d.default", padMode, "reflect"},
    {"aten::replication_pad1d.default", padMode, "replicate"},
    {"aten::replication_pad2d.default", padMode, "replicate"},
    {"aten::replication_pad3d.default", padMode, "replicate"},
};
} // namespace

SIXRUNG_PLUGIN("org.sixrung.aten.shape", "0.1.0", kLowerings);
