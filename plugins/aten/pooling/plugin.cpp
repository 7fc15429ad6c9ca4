#include "pooling.hpp"

using namespace sixrung;
using namespace sixrung::aten;

namespace {
constexpr Lowering kLowerings[] = {
    {"aten::max_pool2d_with_indices.default", maxPoolWithIndices, "2"},
    {"aten::max_pool3d_with_indices.default", maxPoolWithIndices, "3"},
    {"aten::max_pool2d.default", maxPool, "2"},
    {"aten::max_pool3d.default", maxPool, "3"},
    {"aten::avg_pool2d.default", averagePool, "2"},
    {"aten::avg_pool3d.default", averagePool, "3"},
    {"aten::_adaptive_avg_pool2d.default", adaptiveAverage, "2"},
    {"aten::_adaptive_avg_pool3d.default", adaptiveAverage, "3"},
    {"aten::adaptive_avg_pool2d.default", adaptiveAverage, "2"},
    {"aten::adaptive_max_pool2d.default", adaptiveMax, "2"},
    {"aten::adaptive_max_pool3d.default", adaptiveMax, "3"},
};
} // namespace

SIXRUNG_PLUGIN("org.sixrung.aten.pooling", "0.1.0", kLowerings);
