// SPDX-License-Identifier: Apache-2.0
//
// A plain connect before gRPC: gRPC says UNAVAILABLE to everything, the system says why.
//
// Thread-safety: may be called from any thread. Does not block: a unix connect is immediate.

#ifndef LAYERED_CLIENT_LIB_PROBE_H_
#define LAYERED_CLIENT_LIB_PROBE_H_

#include <string>

#include "absl/status/status.h"

namespace layered::client {

// OK if somebody listens at `path`. PERMISSION_DENIED naming the socket with its mode, owner and
// group (or the folder that bars the way); UNAVAILABLE if nobody is there; INVALID_ARGUMENT for a
// path that cannot be a socket's.
absl::Status ProbeSocket(const std::string& path);

}  // namespace layered::client

#endif  // LAYERED_CLIENT_LIB_PROBE_H_
