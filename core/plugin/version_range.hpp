// Ranges of semantic versions, as deployment files write them: ">=1.2,<2".
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace sixrung::plugin {

// Comparisons that must all hold: "=", "==", "!=", "<", "<=", ">", ">=" before a version whose minor and
// patch may be left out (they are 0); a version alone must be met exactly. By the rules of semantic
// versioning a pre-release comes before its release; it is taken only where a bound names one of the same
// release, so ">=1.2,<2" does not take 2.0.0-rc.1.
class VersionRange {
public:
  // Throws std::invalid_argument with what is wrong.
  explicit VersionRange(std::string_view text);
  bool contains(std::string_view version) const; // false for what is no version

private:
  struct Version {
    std::array<uint64_t, 3> numbers{};
    std::vector<std::string> prerelease;
  };
  struct Bound {
    std::string op;
    Version version;
  };
  static bool parse(std::string_view text, bool partial, Version &out);
  static int compare(const Version &a, const Version &b);

  std::vector<Bound> bounds_;
};

} // namespace sixrung::plugin
