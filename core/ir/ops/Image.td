#ifndef SIXRUNG_COREAI_OPS_IMAGE_TD
#define SIXRUNG_COREAI_OPS_IMAGE_TD

include "CoreAIBase.td"

#endif
