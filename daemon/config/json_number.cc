// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/json_number.h"

#include <algorithm>
#include <cmath>

#include "daemon/config/text.h"
#include "daemon/config/violation.h"

namespace layered {
namespace {

// From here on a double may be another number than the one that was written.
constexpr double kTwoTo53 = 9007199254740992.0;

}  // namespace

bool IsNumber(JsonKind kind) {
  return kind == JsonKind::kInt || kind == JsonKind::kUint || kind == JsonKind::kDouble;
}

bool HasFraction(const JsonNode& node) {
  return node.kind == JsonKind::kDouble && std::trunc(node.number) != node.number;
}

std::optional<WholeNumber> ToWhole(const JsonNode& node) {
  switch (node.kind) {
    case JsonKind::kUint:
      return WholeNumber{false, node.unsigned_integer};
    case JsonKind::kInt:
      return WholeNumber{true, 0 - static_cast<uint64_t>(node.integer)};
    case JsonKind::kDouble:
      if (HasFraction(node) || std::fabs(node.number) >= kTwoTo53) return std::nullopt;
      return WholeNumber{node.number < 0, static_cast<uint64_t>(std::fabs(node.number))};
    default:
      return std::nullopt;
  }
}

std::optional<WholeNumber> ParseWhole(const std::string& text) {
  Violations ignored;
  const std::optional<JsonTree> tree = ParseJson(text, &ignored);
  return tree.has_value() ? ToWhole(tree->root) : std::nullopt;
}

std::string AsWritten(const JsonTree& tree, const JsonNode& node) {
  const size_t end = std::min(tree.text.find_first_of(" \t\r\n,]}", node.offset), tree.text.size());
  return Quoted(tree.text.substr(node.offset, end - node.offset));
}

}  // namespace layered
