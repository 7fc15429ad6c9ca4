// The slots of the host table served by core/lower, declared from the one list and defined by group.
// Those of statuses and transactions are core/plugin's.
#pragma once

#include "sixrung/plugin.h"

namespace sixrung::lower::slots {

#define SIXRUNG_HOST_FN(since, ret, name, params) ret name params;
#include "sixrung/host_functions.def"
#undef SIXRUNG_HOST_FN

} // namespace sixrung::lower::slots
