#ifndef SIXRUNG_COREAI_OPS_SHAPE_TD
#define SIXRUNG_COREAI_OPS_SHAPE_TD

include "CoreAIBase.td"

#endif
