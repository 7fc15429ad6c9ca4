// The one host table of the process (ABI-5).
#include "core/lower/host_slots.hpp"
#include "core/lower/session.hpp"

#include <cstdint>
#include <type_traits>

namespace sixrung::lower {
namespace {

// Statuses and transactions are core/plugin's; it has no capability of its own.
constexpr bool isOurs(uint32_t slot) {
  return slot == SIXRUNG_SLOT_get_extension ||
         (slot >= SIXRUNG_SLOT_call_node && slot != SIXRUNG_SLOT_add_composite &&
          slot != SIXRUNG_SLOT_add_strategy);
}

sixrung_host makeTable() {
  sixrung_host table{};
  table.struct_size = sizeof(table);
  table.abi_major = SIXRUNG_ABI_MAJOR;
  table.abi_minor = SIXRUNG_ABI_MINOR;
  plugin::fillPluginSlots(table);
  // A generic lambda: what `if constexpr` leaves out of it needs no definition.
#define SIXRUNG_HOST_FN(since, ret, name, params)                                                            \
  [&](auto slot) {                                                                                           \
    if constexpr (isOurs(slot()))                                                                            \
      table.name = &slots::name;                                                                             \
  }(std::integral_constant<uint32_t, SIXRUNG_SLOT_##name>());
#include "sixrung/host_functions.def"
#undef SIXRUNG_HOST_FN
  return table;
}

} // namespace

const sixrung_host *hostTable() {
  static const sixrung_host table = makeTable();
  return &table;
}

std::string abiVersion() {
  return std::to_string(SIXRUNG_ABI_MAJOR) + "." + std::to_string(SIXRUNG_ABI_MINOR);
}

std::string productVersion() { return SIXRUNG_PRODUCT_VERSION; }

} // namespace sixrung::lower
