// SPDX-License-Identifier: Apache-2.0

#include "client/ctl/context.h"

#include "daemon/config/duration.h"
#include "daemon/config/violation.h"

namespace layered::ctl {
namespace {

constexpr int64_t kNsPerMs = 1'000'000;
constexpr int64_t kLongestTimeoutNs = int64_t{3600} * 1'000 * kNsPerMs;

}  // namespace

absl::Status Context::Prepare() {
  const absl::StatusOr<int64_t> ns = ParseDurationNs(timeout);
  if (!ns.ok()) {
    return ToStatus({{.field = "timeout",
                      .description = std::string(ns.status().message()),
                      .hint = "give a number with a unit, like 10s"}});
  }
  if (*ns < kNsPerMs || *ns > kLongestTimeoutNs) {
    return ToStatus({{.field = "timeout",
                      .description = timeout + " is out of range 1ms..1h",
                      .hint = "leave it out for 10s"}});
  }
  timeout_ms = std::chrono::milliseconds(*ns / kNsPerMs);
  return absl::OkStatus();
}

}  // namespace layered::ctl
