// SPDX-License-Identifier: Apache-2.0
//
// Text tables for terminals and logs. Columns are as wide as their widest cell; names that come
// from others cannot move the cursor or break a line.
//
// Thread-safety: a Table is used by one thread.

#ifndef LAYERED_CLIENT_CTL_TABLE_H_
#define LAYERED_CLIENT_CTL_TABLE_H_

#include <string>
#include <vector>

namespace layered::ctl {

// `text` with control characters and broken UTF-8 replaced by '?'.
std::string Printable(const std::string& text);

// Columns that `text` takes on a terminal: two for East Asian wide characters and emoji, none for
// combining marks.
int Width(const std::string& text);

// `text`, or its beginning and "~" so that it takes at most `columns`.
std::string Clip(const std::string& text, int columns);

class Table {
 public:
  enum class Align { kLeft, kRight };
  struct Column {
    std::string title;
    Align align = Align::kLeft;
    int most = 0;  // clip cells to this width; 0: never
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // As many cells as columns.
  void Add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  // All lines, each with its newline, without trailing spaces.
  std::string Render() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace layered::ctl

#endif  // LAYERED_CLIENT_CTL_TABLE_H_
