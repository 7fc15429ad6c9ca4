// The slots of the host table served here, named as in the table. None lets an exception out.
#pragma once

#include "sixrung/plugin.h"

namespace sixrung::plugin::slots {

sixrung_status *status_create(uint32_t code, const char *message, uint64_t size);
void status_release(sixrung_status *status);
void status_add(sixrung_status *status, sixrung_str key, sixrung_str value);
uint32_t status_code(const sixrung_status *status);
sixrung_str status_message(const sixrung_status *status);
const void *get_extension(sixrung_str name);
sixrung_status *add_lowering(sixrung_transaction transaction, const sixrung_lowering *lowering);
sixrung_status *add_emitter(sixrung_transaction transaction, const sixrung_emitter *emitter);
sixrung_status *add_composite(sixrung_transaction transaction, const sixrung_composite *composite);
sixrung_status *add_strategy(sixrung_transaction transaction, const sixrung_strategy *strategy);

} // namespace sixrung::plugin::slots
