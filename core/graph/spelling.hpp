// Names in messages: how near two are, for "did you mean", and what is safe to show.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sixrung::graph {

// Levenshtein distance, or `limit` + 1 as soon as it is certain to exceed `limit`.
size_t editDistance(std::string_view a, std::string_view b, size_t limit);
// Edits a name may be away and still be meant: short names are near to everything.
size_t allowedEdits(std::string_view name);
// The candidate nearest to `name`; empty when none is near.
std::string nearest(std::string_view name, const std::vector<std::string> &candidates);

// `text` with control characters as "\x1b", so that a name in a file cannot steer a terminal. Line breaks and
// tabs stay.
std::string printable(std::string_view text);
// The same for a name that stands in a line: line breaks and tabs too, so that it cannot pass for one of its
// own.
std::string oneLine(std::string_view text);

} // namespace sixrung::graph
