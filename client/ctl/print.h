// SPDX-License-Identifier: Apache-2.0
//
// Everything that layeredctl writes goes through here: results to stdout, errors to stderr.
//
// Thread-safety: may be called from any thread.

#ifndef LAYERED_CLIENT_CTL_PRINT_H_
#define LAYERED_CLIENT_CTL_PRINT_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "google/protobuf/message.h"

namespace layered::ctl {

// Writes to stdout at once. INTERNAL if that fails (a full disk): a script must not take half an
// answer for a whole one.
absl::Status Print(const std::string& text);

// A message as JSON, indented, or on one line for streams; both end with a newline.
std::string ToJson(const google::protobuf::Message& message);
std::string ToJsonLine(const google::protobuf::Message& message);

// A measured time with three digits: "12.3 us", "336 ms", "2.63 s". For people; exact times are in
// the JSON output.
std::string TimeText(uint64_t ns);

// An error for stderr: one line per violation, each "layeredctl: layers[2].weight: ... (hint)", or
// one line with the message; as JSON {code, message, violations}, where code is the name of the
// gRPC code ("NOT_FOUND").
std::string ErrorText(const absl::Status& status);
std::string ErrorJson(const absl::Status& status);

// Writes ErrorText or ErrorJson to stderr. If that fails there is nobody to tell.
void PrintError(const absl::Status& status, bool json);

}  // namespace layered::ctl

#endif  // LAYERED_CLIENT_CTL_PRINT_H_
