// Every op of the coreai dialect.
#ifndef SIXRUNG_COREAI_OPS_TD
#define SIXRUNG_COREAI_OPS_TD

include "CoreAIBase.td"
include "CoreAIStructure.td"
include "ops/Broadcasting.td"
include "ops/Convolution.td"
include "ops/Creation.td"
include "ops/Elementwise.td"
include "ops/Image.td"
include "ops/Indexing.td"
include "ops/LinearAlgebra.td"
include "ops/Pooling.td"
include "ops/Quantization.td"
include "ops/Reduction.td"
include "ops/Shape.td"
include "ops/Sparse.td"

#endif
