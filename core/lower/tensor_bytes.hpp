// The bytes a parameter, buffer or constant has in the converted program.
#pragma once

#include "core/graph/program.hpp"

#include <memory>
#include <span>
#include <string>

namespace sixrung::lower {

// Row-major and dense, borrowed from the program wherever its own bytes will do.
struct TensorBytes {
  graph::DType dtype = graph::DType::kNone; // narrowed where every element fits
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
  std::string note; // what narrowing did; empty when nothing
};
TensorBytes tensorBytes(const graph::TensorData &data, const std::string &name, bool wide);

} // namespace sixrung::lower
