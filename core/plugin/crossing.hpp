// Both ways over the C boundary: exceptions become statuses and statuses exceptions (ABI-7), and what a
// plugin hands over is looked at before it is used.
#pragma once

#include "core/graph/error.hpp"
#include "core/plugin/registry.hpp"
#include "sixrung/plugin.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace sixrung::plugin {

// An error with the status code it crosses the boundary as.
Error failure(uint32_t code, const std::string &message);
// "INVALID_ARGUMENT" of SIXRUNG_INVALID_ARGUMENT, for people.
std::string_view codeName(uint32_t code);
// The exception being handled, as a status. Call inside a catch block only.
sixrung_status *currentExceptionToStatus() noexcept;

template <typename Body> sixrung_status *guarded(Body &&body) noexcept {
  try {
    body();
    return nullptr;
  } catch (...) {
    return currentExceptionToStatus();
  }
}

bool isUtf8(std::string_view text);
// A string of a plugin, checked: not NULL, at most `longest` bytes, UTF-8.
std::string_view checkedString(sixrung_str text, const char *what, size_t longest);

// A copy of a struct of a plugin, by the smaller of both sizes; fields it does not reach are zero.
// `first` is the size of ABI 1.0, below which a struct is malformed (ABI-4).
template <typename T> T checkedStruct(const T *given, const char *what, uint32_t first) {
  if (!given)
    throw failure(SIXRUNG_INVALID_ARGUMENT, std::string(what) + " is NULL");
  if (given->struct_size < first)
    throw failure(SIXRUNG_INVALID_ARGUMENT, std::string(what) + " has struct_size " +
                                                std::to_string(given->struct_size) + ", less than the " +
                                                std::to_string(first) + " of ABI 1.0");
  T copy{};
  std::memcpy(&copy, given, given->struct_size < sizeof(T) ? given->struct_size : sizeof(T));
  return copy;
}

} // namespace sixrung::plugin
