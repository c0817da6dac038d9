// SPDX-License-Identifier: Apache-2.0
//
// One fault of an input, with its place: what every check of a text, a file or a request produces.
// Checks collect all faults; nothing stops at the first.
//
// Thread-safety: plain data, pure functions.

#ifndef LAYERED_DAEMON_CONFIG_VIOLATION_H_
#define LAYERED_DAEMON_CONFIG_VIOLATION_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace layered {

struct Violation {
  std::string field;        // path, "layers[2].weight"; empty for the input as a whole
  std::string description;  // what is wrong, with the value and the limit
  std::string hint;         // what to do about it; may be empty
  int line = 0;             // in the text, from 1; 0 without a text
  int column = 0;           // in the line or the expression, from 1; 0 if unknown

  friend bool operator==(const Violation&, const Violation&) = default;
};

using Violations = std::vector<Violation>;

// Key of the payload in an absl::Status; its value is a serialised layered.v1.BadRequest.
inline constexpr char kViolationsTypeUrl[] = "type.googleapis.com/google.rpc.BadRequest";

// "layers[2].weight: 0 is out of range 1..10000 (line 4, column 12); hint".
std::string ToString(const Violation& violation);

// INVALID_ARGUMENT that carries all violations as a payload, or OK if there are none. The message
// is the first violation and the number of further ones.
absl::Status ToStatus(const Violations& violations);

// The same with another code ("no layer of this name": NOT_FOUND). `violations` must not be empty.
absl::Status ToStatus(absl::StatusCode code, const Violations& violations);

// The violations that ToStatus put into a status; empty if there are none.
Violations FromStatus(const absl::Status& status);

// As many of the violations, from the first, as take at most about `max_bytes` on the wire; if some
// are left out, a last one says how many. For transports that bound their metadata, and for texts
// that are nothing but faults.
Violations Bounded(const Violations& violations, size_t max_bytes);

}  // namespace layered

#endif  // LAYERED_DAEMON_CONFIG_VIOLATION_H_
