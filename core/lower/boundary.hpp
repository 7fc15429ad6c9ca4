// What every slot of the host table does at the C boundary, over core/plugin/crossing.hpp: structs are
// read and written by the smaller of both sizes (ABI-4), handles carry a generation (ABI-8).
#pragma once

#include "core/plugin/crossing.hpp"
#include "sixrung/plugin.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace sixrung::lower {

using plugin::failure;
using plugin::guarded;

// Handle ids: the generation above, an index below. Generations are unique in the process, so a handle
// of one session or graph never passes in another; they start at 1, so no id is 0.
inline uint64_t makeId(uint32_t generation, size_t index) {
  return (static_cast<uint64_t>(generation) << 32) | static_cast<uint32_t>(index);
}
inline uint32_t generationOf(uint64_t id) { return static_cast<uint32_t>(id >> 32); }
inline uint32_t indexOf(uint64_t id) { return static_cast<uint32_t>(id); }
uint32_t nextGeneration();

// Bytes both sides know of a struct a plugin gave. The size a struct has today is the one of ABI 1.0;
// when a minor appends a field, the first size stays here as a number.
template <typename T> uint32_t commonSize(const T *given, const char *what) {
  plugin::checkedStruct(given, what, sizeof(T));
  return given->struct_size < sizeof(T) ? given->struct_size : static_cast<uint32_t>(sizeof(T));
}

template <typename T> T readStruct(const T *given, const char *what) {
  return plugin::checkedStruct(given, what, sizeof(T));
}

// Fills what both sides know; `struct_size` stays the caller's.
template <typename T> void writeStruct(T *out, T value, uint32_t size) {
  value.struct_size = out->struct_size;
  std::memcpy(out, &value, size);
}

// Entry `index` of an array whose entries have the size their maker knew (ABI-4).
template <typename T> T readEntry(const T *array, size_t index, const char *what) {
  readStruct(array, what);
  const uint32_t stride = array->struct_size;
  const T *entry =
      reinterpret_cast<const T *>(reinterpret_cast<const std::byte *>(array) + index * size_t{stride});
  if (stride % alignof(T) != 0 || entry->struct_size != stride)
    throw failure(SIXRUNG_INVALID_ARGUMENT, std::string(what) +
                                                ": entries of one array have one struct_size, a "
                                                "multiple of 8; entry " +
                                                std::to_string(index) + " has another");
  return readStruct(entry, what);
}

inline sixrung_str toStr(std::string_view text) { return {text.data(), text.size()}; }
inline std::string_view fromStr(sixrung_str text, const char *what) {
  constexpr size_t kLongest = size_t{1} << 24; // a size that was never set shows as absurd
  return plugin::checkedString(text, what, kLongest);
}

template <typename T> T &notNull(T *pointer, const char *what) {
  if (!pointer)
    throw failure(SIXRUNG_INVALID_ARGUMENT, std::string(what) + " is NULL");
  return *pointer;
}

} // namespace sixrung::lower
