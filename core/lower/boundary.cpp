#include "core/lower/boundary.hpp"

#include <atomic>

namespace sixrung::lower {

uint32_t nextGeneration() {
  static std::atomic<uint32_t> last{0};
  uint32_t next = last.fetch_add(1, std::memory_order_relaxed) + 1;
  return next != 0 ? next : nextGeneration();
}

} // namespace sixrung::lower
