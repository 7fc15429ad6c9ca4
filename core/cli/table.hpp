// Columns of text, as wide as their widest cell.
#pragma once

#include "core/graph/spelling.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace sixrung::cli {

class Table {
public:
  explicit Table(std::vector<std::string> heads) { row(std::move(heads)); }

  void row(std::vector<std::string> cells) {
    if (widths_.size() < cells.size())
      widths_.resize(cells.size());
    for (size_t i = 0; i < cells.size(); ++i) {
      cells[i] = graph::oneLine(cells[i]); // a name in a file may hold anything
      widths_[i] = std::max(widths_[i], cells[i].size());
    }
    rows_.push_back(std::move(cells));
  }

  std::string text() const {
    std::string out;
    for (const std::vector<std::string> &cells : rows_) {
      for (size_t i = 0; i < cells.size(); ++i) {
        out += cells[i];
        if (i + 1 < cells.size())
          out.append(widths_[i] - cells[i].size() + 2, ' ');
      }
      out.erase(out.find_last_not_of(' ') + 1);
      out += '\n';
    }
    return out;
  }

private:
  std::vector<std::vector<std::string>> rows_;
  std::vector<size_t> widths_;
};

} // namespace sixrung::cli
