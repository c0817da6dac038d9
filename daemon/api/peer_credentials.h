// SPDX-License-Identifier: Apache-2.0
//
// What the kernel knows of the other end of a unix socket: the credentials it had when it
// connected. They cannot be forged and do not change when the process later changes its own.
//
// Thread-safety: all functions may be called from any thread.

#ifndef LAYERED_DAEMON_API_PEER_CREDENTIALS_H_
#define LAYERED_DAEMON_API_PEER_CREDENTIALS_H_

#include <string>

#include "absl/status/statusor.h"
#include "daemon/api/roles.h"

namespace layered::api {

// Reads SO_PEERCRED and SO_PEERGROUPS of a connected unix socket.
absl::StatusOr<Credentials> ReadPeerCredentials(int fd);

// /proc/PID/comm, control characters replaced (it goes to logs); "?" if the process is gone. A hint
// for people only: the number may belong to another process by now.
std::string ReadComm(int32_t pid);

}  // namespace layered::api

#endif  // LAYERED_DAEMON_API_PEER_CREDENTIALS_H_
