// SPDX-License-Identifier: Apache-2.0

#include "client/ctl/table.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace layered::ctl {
namespace {

constexpr uint32_t kBroken = 0xFFFFFFFF;

// The character of UTF-8 at `at`, and how many bytes it takes; kBroken and 1 if there is none.
std::pair<uint32_t, std::size_t> Decode(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return static_cast<uint32_t>(static_cast<uint8_t>(text[i]));
  };
  const uint32_t lead = byte(at);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 && lead < 0xF5 ? 4
                             : lead >= 0xE0              ? 3
                             : lead >= 0xC2              ? 2
                                                         : 1;
  if (length == 1 || lead >= 0xF5 || at + length > text.size()) return {kBroken, 1};
  uint32_t code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return {kBroken, 1};
    code = code << 6 | (byte(at + i) & 0x3F);
  }
  return {code, length};
}

bool IsControl(uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) ||  // C0, DEL, C1
         (code >= 0x200B && code <= 0x200F) ||            // zero width, direction marks
         (code >= 0x2028 && code <= 0x202E) ||            // separators, direction overrides
         (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

int WidthOf(uint32_t code) {
  if ((code >= 0x0300 && code <= 0x036F) || (code >= 0xFE00 && code <= 0xFE0F)) return 0;
  const bool wide = (code >= 0x1100 && code <= 0x115F) || (code >= 0x2E80 && code <= 0xA4CF) ||
                    (code >= 0xAC00 && code <= 0xD7A3) || (code >= 0xF900 && code <= 0xFAFF) ||
                    (code >= 0xFE30 && code <= 0xFE6F) || (code >= 0xFF00 && code <= 0xFF60) ||
                    (code >= 0xFFE0 && code <= 0xFFE6) || (code >= 0x1F300 && code <= 0x1FAFF) ||
                    (code >= 0x20000 && code <= 0x3FFFD);
  return wide ? 2 : 1;
}

}  // namespace

std::string Printable(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, length] = Decode(text, at);
    if (code == kBroken || IsControl(code)) {
      out += '?';
    } else {
      out.append(text, at, length);
    }
    at += length;
  }
  return out;
}

int Width(const std::string& text) {
  int width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, length] = Decode(text, at);
    width += WidthOf(code);
    at += length;
  }
  return width;
}

std::string Clip(const std::string& text, int columns) {
  if (Width(text) <= columns) return text;
  std::string out;
  int width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, length] = Decode(text, at);
    width += WidthOf(code);
    if (width > columns - 1) break;
    out.append(text, at, length);
    at += length;
  }
  return out + "~";
}

std::string Table::Render() const {
  std::vector<std::vector<std::string>> lines(1);
  for (const Column& column : columns_) lines[0].push_back(column.title);
  for (const auto& row : rows_) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string cell = i < row.size() ? Printable(row[i]) : "";
      cells.push_back(columns_[i].most > 0 ? Clip(cell, columns_[i].most) : cell);
    }
    lines.push_back(std::move(cells));
  }

  std::vector<int> widths(columns_.size(), 0);
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], Width(line[i]));
  }
  std::string out;
  for (const auto& line : lines) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string padding(static_cast<std::size_t>(widths[i] - Width(line[i])), ' ');
      if (i > 0) text += "  ";
      text += columns_[i].align == Align::kRight ? padding + line[i] : line[i] + padding;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  }
  return out;
}

}  // namespace layered::ctl
