// SPDX-License-Identifier: Apache-2.0
//
// JSON text as a tree in which every key and value knows its line and column. The form between a
// text and a message: it has no opinion on what the text means (tree_to_proto.h has), and another
// syntax could feed it as well.
//
// Strict JSON: no comments, no NaN or Infinity, UTF-8 checked, numbers that do not fit a double are
// refused. Members keep their order and their duplicates: whoever knows the path reports them.
//
// Thread-safety: plain data. Ownership: a tree owns all its text.
// Cost: one pass without recursion; bounded by kMaxJsonBytes, kMaxJsonDepth and kMaxJsonNodes.

#ifndef LAYERED_DAEMON_CONFIG_JSON_TREE_H_
#define LAYERED_DAEMON_CONFIG_JSON_TREE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/config/violation.h"

namespace layered {

inline constexpr size_t kMaxJsonBytes = 1 << 20;
inline constexpr size_t kMaxJsonDepth = 32;
inline constexpr size_t kMaxJsonNodes = 100'000;

// In characters, from 1.
struct TextPosition {
  int line = 0;
  int column = 0;

  friend bool operator==(const TextPosition&, const TextPosition&) = default;
};

enum class JsonKind {
  kNull,
  kBool,
  kInt,     // negative, in int64
  kUint,    // 0 and more, in uint64
  kDouble,  // has a fraction or an exponent, or is beyond the other two
  kString,
  kArray,
  kObject,
};

struct JsonMember;

struct JsonNode {
  JsonKind kind = JsonKind::kNull;
  TextPosition position;
  size_t offset = 0;  // of the first byte of the value in the text

  bool boolean = false;
  int64_t integer = 0;
  uint64_t unsigned_integer = 0;
  double number = 0;
  std::string string;
  std::vector<JsonNode> items;      // of an array
  std::vector<JsonMember> members;  // of an object, in the order of the text
};

struct JsonMember {
  std::string key;
  TextPosition position;  // of the key
  JsonNode value;
};

struct JsonTree {
  std::string text;
  JsonNode root;
};

// "an object", "a string", ...: for messages.
std::string Describe(JsonKind kind);

// The tree, or nullopt with the violations: too large (the text is then not looked at), empty, or
// the first fault of syntax with its place. A NUL character in a string is a violation as well, but
// does not stop the look for others.
std::optional<JsonTree> ParseJson(const std::string& text, Violations* violations);

// Line and column of a byte of a text.
TextPosition PositionAt(std::string_view text, size_t offset);

// Where in the text the character with this index (from 0) of a string node stands; escapes count
// as the one character that they mean.
TextPosition PositionInString(const JsonTree& tree, const JsonNode& string, size_t index);

}  // namespace layered

#endif  // LAYERED_DAEMON_CONFIG_JSON_TREE_H_
