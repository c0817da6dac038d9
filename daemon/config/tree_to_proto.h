// SPDX-License-Identifier: Apache-2.0
//
// A JSON tree into any message of the schema, by reflection, with ALL that is wrong: unknown keys
// ("did you mean"), duplicate keys, wrong types, numbers out of range, unknown enum values, two
// members of a oneof, durations and match expressions that do not parse. Nothing is coerced: "5" is
// no number, 5 is no duration, null is no value.
//
// Keys are read in snake_case and lowerCamelCase, enum values in short and in canonical form,
// google.protobuf.Duration from strings ("5ms"), FieldMask from "a,b". An item of a repeated Match
// may be an expression (expression.h), which can give several blocks, or a typed object.
//
// Thread-safety: pure functions.
// Cost: bounded by the size of the tree; after kMaxTreeFaults the rest is not looked at, which is
// told, and `faulty` then covers every path.

#ifndef LAYERED_DAEMON_CONFIG_TREE_TO_PROTO_H_
#define LAYERED_DAEMON_CONFIG_TREE_TO_PROTO_H_

#include <cstddef>
#include <map>
#include <string>

#include "daemon/config/json_tree.h"
#include "daemon/config/path_set.h"
#include "daemon/config/violation.h"
#include "google/protobuf/message.h"

namespace layered {

inline constexpr size_t kMaxTreeFaults = 1000;

// What the walk learned about the text, for faults that are found later.
struct TreeMap {
  // Of each message, element and field by its path in the proto ("layers[2].match[1]").
  std::map<std::string, TextPosition> positions;
  // Paths whose value was faulty or is likely what a misspelt key meant; they are unset in the
  // message, so that "is missing" would be the same fault told twice.
  PathSet faulty;
};

// Fills `message` with all that is right; elements of arrays that are wrong are there, but empty,
// so that indices are those of the text. True if nothing was wrong. `map` may be nullptr.
bool TreeToProto(const JsonTree& tree, google::protobuf::Message* message, Violations* violations,
                 TreeMap* map = nullptr);

// The place of a path: its own, or that of the nearest enclosing path that has one.
TextPosition FindPosition(const TreeMap& map, const std::string& path);

}  // namespace layered

#endif  // LAYERED_DAEMON_CONFIG_TREE_TO_PROTO_H_
