// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/text.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace layered {
namespace {

constexpr size_t kMaxShown = 60;
// Longer words are no misspelt keys; keeps the comparison cheap whatever the input.
constexpr size_t kMaxGuessed = 32;

std::string Escaped(unsigned char byte) {
  char buffer[8];
  std::snprintf(buffer, sizeof buffer, "\\x%02x", byte);
  return buffer;
}

std::string Lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

// Edits (insert, delete, replace, swap of neighbours) that make one word of the other.
size_t EditDistance(const std::string& a, const std::string& b) {
  std::vector<size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = previous[j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], before[j - 2] + 1);
      }
    }
    before.swap(previous);
    previous.swap(current);
  }
  return previous[b.size()];
}

}  // namespace

std::optional<char32_t> NextCodePoint(std::string_view text, size_t* offset) {
  if (*offset >= text.size()) return std::nullopt;
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[*offset + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) {
    ++*offset;
    return lead;
  }
  size_t length;
  char32_t smallest;
  if (lead >= 0xc2 && lead <= 0xdf) {
    length = 2, smallest = 0x80;
  } else if (lead >= 0xe0 && lead <= 0xef) {
    length = 3, smallest = 0x800;
  } else if (lead >= 0xf0 && lead <= 0xf4) {
    length = 4, smallest = 0x10000;
  } else {
    return std::nullopt;
  }
  if (text.size() - *offset < length) return std::nullopt;
  char32_t c = lead & (0x7f >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return std::nullopt;
    c = (c << 6) | (byte(i) & 0x3f);
  }
  const bool surrogate = c >= 0xd800 && c <= 0xdfff;
  if (c < smallest || c > 0x10ffff || surrogate) return std::nullopt;
  *offset += length;
  return c;
}

bool IsValidUtf8(std::string_view text) {
  size_t offset = 0;
  while (NextCodePoint(text, &offset).has_value()) {
  }
  return offset == text.size();
}

bool IsControl(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x2028 || c == 0x2029;
}

bool IsBlank(char32_t c) {
  return c == ' ' || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200b) || c == 0x202f ||
         c == 0x205f || c == 0x3000 || c == 0xfeff;
}

size_t CountCodePoints(std::string_view text, size_t end) {
  size_t count = 0;
  for (const char c : text.substr(0, end)) {
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) ++count;
  }
  return count;
}

std::string Quoted(std::string_view text) {
  std::string out = "'";
  size_t offset = 0;
  while (offset < text.size()) {
    if (out.size() > kMaxShown) return out + "...'";
    const size_t start = offset;
    const std::optional<char32_t> c = NextCodePoint(text, &offset);
    if (!c.has_value()) {
      out += Escaped(static_cast<unsigned char>(text[offset++]));
    } else if (IsControl(*c)) {
      for (size_t i = start; i < offset; ++i) out += Escaped(static_cast<unsigned char>(text[i]));
    } else {
      out += text.substr(start, offset - start);
    }
  }
  return out + "'";
}

std::string Closest(const std::string& word, const std::vector<std::string>& candidates) {
  if (word.empty() || word.size() > kMaxGuessed) return "";
  const std::string lower = Lower(word);
  std::string best;
  size_t best_distance = SIZE_MAX;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kMaxGuessed) continue;
    const std::string target = Lower(candidate);
    const size_t distance = EditDistance(lower, target);
    // One edit for short words, two from six letters on; never a wholly different word.
    const size_t longest = std::max(lower.size(), target.size());
    const size_t allowed = longest >= 6 ? 2 : longest >= 3 ? 1 : 0;
    if (distance <= allowed && distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string DidYouMean(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string closest = Closest(word, candidates);
  return closest.empty() ? "" : "did you mean " + Quoted(closest) + "?";
}

std::string Joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

}  // namespace layered
