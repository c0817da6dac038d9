// SPDX-License-Identifier: Apache-2.0
//
// Durations as people write them ("5ms") and as the schema carries them (google.protobuf.Duration),
// both to and from whole nanoseconds in an int64_t. Exact: no floating point on the way.
//
// Thread-safety: pure functions.
// Failure: INVALID_ARGUMENT with a text for people; nothing wraps, nothing is rounded.

#ifndef LAYERED_DAEMON_CONFIG_DURATION_H_
#define LAYERED_DAEMON_CONFIG_DURATION_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "google/protobuf/duration.pb.h"

namespace layered {

// A decimal number and a unit (ns, us, ms, s, m, h) without space between: "5ms", "1.5s", "-2m".
// Refused: a missing or unknown unit, parts of a nanosecond, what does not fit (about 292 years).
absl::StatusOr<int64_t> ParseDurationNs(const std::string& text);

// The one way we print a duration: the largest unit that needs no fraction ("5ms", "1500us",
// "90s"). ParseDurationNs reads it back to the same value. Zero is "0s".
std::string FormatDuration(int64_t ns);

// Refuses what the type's own rules forbid (more than 999,999,999 nanos, mixed signs) and what does
// not fit.
absl::StatusOr<int64_t> DurationToNs(const google::protobuf::Duration& duration);

// Always valid by the type's own rules.
google::protobuf::Duration NsToDuration(int64_t ns);

}  // namespace layered

#endif  // LAYERED_DAEMON_CONFIG_DURATION_H_
