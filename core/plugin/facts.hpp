// What a plugin's facts must look like, wherever they stand: manifest, descriptor or transaction.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sixrung::plugin {

constexpr size_t kLongestKey = 512;

bool isReverseDns(std::string_view id);     // "com.acme.lowerings"
bool isSemanticVersion(std::string_view v); // "1.2.0", "1.2.0-rc.1+build"
bool isEmitterName(std::string_view name);  // "mlir"; composites and strategies are named alike
// What is wrong with a lowering's key, with the right spelling; nullopt when it is canonical (LADDER-0).
std::optional<std::string> keyFault(std::string_view key);

} // namespace sixrung::plugin
