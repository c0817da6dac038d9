// SPDX-License-Identifier: Apache-2.0

#include "client/lib/exit_code.h"

#include <gtest/gtest.h>

#include <utility>

namespace layered::client {
namespace {

// The numbers are an interface to scripts: written out here on purpose.
TEST(ExitCodeTest, TheTable) {
  const std::pair<absl::StatusCode, int> table[] = {
      {absl::StatusCode::kOk, 0},
      {absl::StatusCode::kCancelled, 1},
      {absl::StatusCode::kUnknown, 1},
      {absl::StatusCode::kInvalidArgument, 7},
      {absl::StatusCode::kDeadlineExceeded, 6},
      {absl::StatusCode::kNotFound, 3},
      {absl::StatusCode::kAlreadyExists, 4},
      {absl::StatusCode::kPermissionDenied, 5},
      {absl::StatusCode::kResourceExhausted, 4},
      {absl::StatusCode::kFailedPrecondition, 7},
      {absl::StatusCode::kAborted, 4},
      {absl::StatusCode::kOutOfRange, 7},
      {absl::StatusCode::kUnimplemented, 1},
      {absl::StatusCode::kInternal, 1},
      {absl::StatusCode::kUnavailable, 6},
      {absl::StatusCode::kDataLoss, 1},
      {absl::StatusCode::kUnauthenticated, 5},
  };
  for (const auto& [code, expected] : table) {
    EXPECT_EQ(ExitCodeOf(absl::Status(code, "x")), expected) << absl::StatusCodeToString(code);
  }
}

}  // namespace
}  // namespace layered::client
