// Generation-checked handles (ABI-8): a stale or forged id is told from a live one, never followed.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace sixrung::plugin {

// 64-bit ids {generation:32, slot:32} for small trivially copyable values (a pointer, a pointer and an
// index). Lookups take no lock and may run beside insertions and erasures of other threads; what a
// pointer points to must be kept alive by its owner until the id is erased. Id 0 is never given.
template <typename T> class HandleTable {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 32);
  static constexpr size_t kWords = (sizeof(T) + 7) / 8;
  static constexpr unsigned kFirstBits = 6; // chunk k holds 64 << k slots and never moves

  struct Slot {
    std::atomic<uint32_t> generation{0}; // odd while live
    std::array<std::atomic<uint64_t>, kWords> words{};
  };

public:
  HandleTable() = default;
  HandleTable(const HandleTable &) = delete;
  ~HandleTable() {
    for (auto &chunk : chunks_)
      delete[] chunk.load(std::memory_order_relaxed);
  }

  uint64_t insert(const T &value) {
    std::lock_guard lock(mutex_);
    uint32_t index;
    if (!free_.empty()) {
      index = free_.back();
      free_.pop_back();
    } else {
      index = grow();
    }
    Slot &slot = *slotAt(index);
    std::array<uint64_t, kWords> words{};
    std::memcpy(words.data(), &value, sizeof(T));
    for (size_t i = 0; i < kWords; ++i)
      slot.words[i].store(words[i], std::memory_order_release);
    uint32_t generation = slot.generation.load(std::memory_order_relaxed) + 1;
    slot.generation.store(generation, std::memory_order_release);
    ++live_;
    return (uint64_t{generation} << 32) | index;
  }

  std::optional<T> find(uint64_t id) const {
    auto generation = static_cast<uint32_t>(id >> 32);
    const Slot *slot = slotAt(static_cast<uint32_t>(id));
    if (!slot || (generation & 1) == 0 || slot->generation.load(std::memory_order_acquire) != generation)
      return std::nullopt;
    std::array<uint64_t, kWords> words;
    for (size_t i = 0; i < kWords; ++i)
      words[i] = slot->words[i].load(std::memory_order_acquire);
    // A word of a later tenant was stored after the generation had moved on: seen here.
    if (slot->generation.load(std::memory_order_relaxed) != generation)
      return std::nullopt;
    T value;
    std::memcpy(&value, words.data(), sizeof(T));
    return value;
  }

  // False when the id was not live.
  bool erase(uint64_t id) {
    std::lock_guard lock(mutex_);
    auto generation = static_cast<uint32_t>(id >> 32);
    Slot *slot = slotAt(static_cast<uint32_t>(id));
    if (!slot || (generation & 1) == 0 || slot->generation.load(std::memory_order_relaxed) != generation)
      return false;
    slot->generation.store(generation + 1, std::memory_order_release);
    --live_;
    if (generation + 1 != 0) // a slot whose generations are used up rests for ever
      free_.push_back(static_cast<uint32_t>(id));
    return true;
  }

  size_t live() const {
    std::lock_guard lock(mutex_);
    return live_;
  }

private:
  // Slot i lives in the chunk of the highest bit of i + 64.
  static unsigned chunkOf(uint64_t shifted) { return std::bit_width(shifted) - 1 - kFirstBits; }

  Slot *slotAt(uint32_t index) const {
    uint64_t shifted = uint64_t{index} + (uint64_t{1} << kFirstBits);
    unsigned chunk = chunkOf(shifted);
    Slot *slots = chunk < chunks_.size() ? chunks_[chunk].load(std::memory_order_acquire) : nullptr;
    return slots ? slots + (shifted - (uint64_t{1} << (chunk + kFirstBits))) : nullptr;
  }

  uint32_t grow() {
    if (used_ >= (uint64_t{1} << 32))
      throw std::length_error("handle table is full");
    uint64_t shifted = used_ + (uint64_t{1} << kFirstBits);
    unsigned chunk = chunkOf(shifted);
    if (!chunks_[chunk].load(std::memory_order_relaxed))
      chunks_[chunk].store(new Slot[size_t{1} << (chunk + kFirstBits)], std::memory_order_release);
    return static_cast<uint32_t>(used_++);
  }

  mutable std::mutex mutex_;
  std::array<std::atomic<Slot *>, 27> chunks_{};
  std::vector<uint32_t> free_;
  uint64_t used_ = 0;
  size_t live_ = 0;
};

} // namespace sixrung::plugin
