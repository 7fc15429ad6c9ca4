#include "normalization.hpp"

namespace sixrung::aten {

constexpr Lowering kLowerings[] = {
    {"aten::_softmax.default", softmax},
    {"aten::softmax.int", softmax},
    {"aten::_log_softmax.default", logSoftmax},
    {"aten::log_softmax.int", logSoftmax},
    {"aten::native_layer_norm.default", layerNorm},
    {"aten::native_group_norm.default", groupNorm},
    {"aten::instance_norm.default", instanceNorm},
    {"aten::rms_norm.default", rmsNorm},
    {"aten::_native_batch_norm_legit_no_training.default", batchNormInference},
    {"aten::_native_batch_norm_legit.no_stats", batchNormStatistics},
    {"aten::_native_batch_norm_legit_functional.default", batchNormFunctional},
};

} // namespace sixrung::aten

SIXRUNG_PLUGIN("org.sixrung.aten.normalization", "0.1.0", sixrung::aten::kLowerings);
