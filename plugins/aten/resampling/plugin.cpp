#include "resampling.hpp"

using namespace sixrung;
using namespace sixrung::aten;

namespace {
constexpr Lowering kLowerings[] = {
    {"aten::upsample_nearest1d.default", upsampleNearest, "legacy"},
    {"aten::upsample_nearest1d.vec", upsampleNearest, "legacy"},
    {"aten::upsample_nearest2d.default", upsampleNearest, "legacy"},
    {"aten::upsample_nearest2d.vec", upsampleNearest, "legacy"},
    {"aten::upsample_nearest3d.default", upsampleNearest, "legacy"},
    {"aten::upsample_nearest3d.vec", upsampleNearest, "legacy"},
    {"aten::_upsample_nearest_exact1d.default", upsampleNearest, "exact"},
    {"aten::_upsample_nearest_exact1d.vec", upsampleNearest, "exact"},
    {"aten::_upsample_nearest_exact2d.default", upsampleNearest, "exact"},
    {"aten::_upsample_nearest_exact2d.vec", upsampleNearest, "exact"},
    {"aten::_upsample_nearest_exact3d.default", upsampleNearest, "exact"},
    {"aten::_upsample_nearest_exact3d.vec", upsampleNearest, "exact"},
    {"aten::upsample_linear1d.default", upsampleLinear},
    {"aten::upsample_linear1d.vec", upsampleLinear},
    {"aten::upsample_bilinear2d.default", upsampleLinear},
    {"aten::upsample_bilinear2d.vec", upsampleLinear},
    {"aten::upsample_trilinear3d.default", upsampleLinear},
    {"aten::upsample_trilinear3d.vec", upsampleLinear},
    {"aten::upsample_bicubic2d.default", upsampleCubic},
    {"aten::upsample_bicubic2d.vec", upsampleCubic},
    {"aten::_upsample_bilinear2d_aa.default", upsampleAntialias, "linear"},
    {"aten::_upsample_bilinear2d_aa.vec", upsampleAntialias, "linear"},
    {"aten::_upsample_bicubic2d_aa.default", upsampleAntialias, "cubic"},
    {"aten::_upsample_bicubic2d_aa.vec", upsampleAntialias, "cubic"},
    {"aten::grid_sampler_2d.default", gridSample},
    {"aten::grid_sampler_3d.default", gridSample},
};
} // namespace

SIXRUNG_PLUGIN("org.sixrung.aten.resampling", "0.1.0", kLowerings);
