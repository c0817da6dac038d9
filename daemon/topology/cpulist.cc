// SPDX-License-Identifier: Apache-2.0

#include "daemon/topology/cpulist.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace layered {
namespace {

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

absl::Status Malformed(std::string_view text, size_t offset, const std::string& what) {
  return absl::InvalidArgumentError("CPU list \"" + std::string(text.substr(0, 200)) +
                                    "\": " + what + " at byte " + std::to_string(offset + 1));
}

// Reads one id at `offset` and moves past it.
absl::StatusOr<int> ReadId(std::string_view text, size_t& offset) {
  int id = 0;
  const char* begin = text.data() + offset;
  const char* end = text.data() + text.size();
  // from_chars would take a minus sign.
  if (begin == end || *begin < '0' || *begin > '9') return Malformed(text, offset, "no number");
  const auto [rest, error] = std::from_chars(begin, end, id);
  if (error != std::errc() || id > kMaxListId) {
    return Malformed(text, offset, "a number above " + std::to_string(kMaxListId));
  }
  offset += static_cast<size_t>(rest - begin);
  return id;
}

}  // namespace

absl::StatusOr<std::vector<int>> ParseCpuList(std::string_view raw) {
  const std::string_view text = Trim(raw);
  std::vector<int> ids;
  size_t offset = 0;
  while (offset < text.size()) {
    const size_t start = offset;
    const absl::StatusOr<int> first = ReadId(text, offset);
    if (!first.ok()) return first.status();
    int last = *first;
    if (offset < text.size() && text[offset] == '-') {
      ++offset;
      const absl::StatusOr<int> end = ReadId(text, offset);
      if (!end.ok()) return end.status();
      last = *end;
    }
    if (last < *first) return Malformed(text, start, "a range that ends before it begins");
    for (int id = *first; id <= last; ++id) ids.push_back(id);
    if (offset == text.size()) break;
    if (text[offset] != ',') return Malformed(text, offset, "neither ',' nor '-'");
    if (++offset == text.size()) return Malformed(text, offset, "nothing after ','");
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

std::string FormatCpuList(const std::vector<int>& ids) {
  std::string text;
  for (size_t i = 0; i < ids.size();) {
    size_t last = i;
    while (last + 1 < ids.size() && ids[last + 1] == ids[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += std::to_string(ids[i]);
    if (last > i) text += '-' + std::to_string(ids[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace layered
