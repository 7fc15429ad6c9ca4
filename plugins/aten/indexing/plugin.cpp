#include "indexing.hpp"

using namespace sixrung;
using namespace sixrung::aten;

namespace {
constexpr Lowering kLowerings[] = {
    {"aten::index.Tensor", indexTensor},
    {"aten::_unsafe_index.Tensor", indexTensor},
    {"aten::index_select.default", indexSelect},
    {"aten::gather.default", gather},
    {"aten::embedding.default", embedding},
    {"aten::nonzero.default", nonzero},
    {"aten::nonzero_static.default", nonzeroStatic},
    {"aten::repeat_interleave.Tensor", repeatInterleave},
    {"aten::_embedding_bag.default", embeddingBag},
    {"aten::_embedding_bag_forward_only.default", embeddingBag},
    {"aten::masked_select.default", maskedSelect},
    {"aten::masked_scatter.default", maskedScatter},
    {"aten::masked_fill.Scalar", maskedFill},
    {"aten::masked_fill.Tensor", maskedFill},
    {"aten::index_put.default", indexPut},
    {"aten::_unsafe_index_put.default", indexPut},
    {"aten::put.default", put},
    {"aten::index_reduce.default", indexReduce},
    {"aten::scatter.src", scatter},
    {"aten::scatter.value", scatter},
    {"aten::scatter.reduce", scatter},
    {"aten::scatter.value_reduce", scatter},
    {"aten::scatter_add.default", scatterAdd},
    {"aten::scatter_reduce.two", scatterReduce},
};
} // namespace

SIXRUNG_PLUGIN("org.sixrung.aten.indexing", "0.1.0", kLowerings);
