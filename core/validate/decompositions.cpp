#include "core/validate/validate.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace sixrung::validate {
namespace {

// Generated from the torch the host is built with; sorted.
constexpr std::string_view kDecomposed[] = {
#include "core/validate/decompositions.inc"
};
static_assert(std::is_sorted(std::begin(kDecomposed), std::end(kDecomposed)));

} // namespace

bool tableDecomposes(std::string_view key) {
  return std::binary_search(std::begin(kDecomposed), std::end(kDecomposed), key);
}

bool isAssertion(std::string_view key) {
  // They guard the exporter's assumptions and compute nothing: erased, so never lowered.
  constexpr std::array<std::string_view, 5> kAssertions = {
      "aten::_assert_async.msg", "aten::_assert_scalar.default", "aten::sym_constrain_range_for_size.default",
      "aten::sym_constrain_range.default", "aten::_assert_tensor_metadata.default"};
  return std::find(kAssertions.begin(), kAssertions.end(), key) != kAssertions.end();
}

} // namespace sixrung::validate
