// SPDX-License-Identifier: Apache-2.0
//
// Numbers of a JSON tree as the integer types of messages, without loss: what does not fit is not
// converted. A whole number may be written as a decimal (1e2, 5.0).
//
// Thread-safety: pure functions.

#ifndef LAYERED_DAEMON_CONFIG_JSON_NUMBER_H_
#define LAYERED_DAEMON_CONFIG_JSON_NUMBER_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "daemon/config/json_tree.h"

namespace layered {

// A whole number, with its sign apart so that int64_t and uint64_t both fit.
struct WholeNumber {
  bool negative = false;
  uint64_t magnitude = 0;
};

bool IsNumber(JsonKind kind);

// A number with a fraction ("1.5").
bool HasFraction(const JsonNode& node);

// nullopt for other kinds, for fractions, for what no 64-bit type holds, and for decimals (1e16)
// of 2^53 and more, which a double does not hold exactly.
std::optional<WholeNumber> ToWhole(const JsonNode& node);

// The number that a string spells ("17"); nullopt if it spells anything else.
std::optional<WholeNumber> ParseWhole(const std::string& text);

// nullopt if T cannot hold it. T is an integer type of at most 64 bits.
template <typename T>
std::optional<T> Narrow(const WholeNumber& whole) {
  using Limits = std::numeric_limits<T>;
  if (!whole.negative) {
    if (whole.magnitude > static_cast<uint64_t>(Limits::max())) return std::nullopt;
    return static_cast<T>(whole.magnitude);
  }
  const uint64_t lowest = 0 - static_cast<uint64_t>(static_cast<int64_t>(Limits::min()));
  if (whole.magnitude > lowest) return std::nullopt;
  return static_cast<T>(0 - whole.magnitude);
}

// The number as it was written, in quotes for a message.
std::string AsWritten(const JsonTree& tree, const JsonNode& node);

}  // namespace layered

#endif  // LAYERED_DAEMON_CONFIG_JSON_NUMBER_H_
