#ifndef SIXRUNG_COREAI_OPS_POOLING_TD
#define SIXRUNG_COREAI_OPS_POOLING_TD

include "CoreAIBase.td"

#endif
