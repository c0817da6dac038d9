// SPDX-License-Identifier: Apache-2.0
//
// The check in front of every change: viewers are told which role they have and which it takes.
//
// Thread-safety: pure functions.

#ifndef LAYERED_DAEMON_API_ACCESS_H_
#define LAYERED_DAEMON_API_ACCESS_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "daemon/api/peer_table.h"

namespace layered::api {

// Whether a gRPC method ("/layered.v1.LayerService/SetLayer") changes something.
bool IsWrite(const std::string& method);

// OK for administrators; PERMISSION_DENIED for others; UNAVAILABLE if the connection is gone.
absl::Status CheckMayWrite(const std::optional<Peer>& peer, const std::string& method);

}  // namespace layered::api

#endif  // LAYERED_DAEMON_API_ACCESS_H_
