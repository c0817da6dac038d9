// SPDX-License-Identifier: Apache-2.0
//
// One daemon per socket: a locked file beside it ("layered.sock.lock") that holds our pid. The lock
// is the kernel's (flock), so it goes with the process however that ends; the file stays and is
// harmless.
//
// Thread-safety: one thread.
// Ownership: holds the lock until destroyed.
// Failure: ALREADY_EXISTS names the pid of the daemon that holds it; otherwise the system's error
// with the path.

#ifndef LAYERED_DAEMON_SYSTEM_INSTANCE_LOCK_H_
#define LAYERED_DAEMON_SYSTEM_INSTANCE_LOCK_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "daemon/base/unique_fd.h"

namespace layered {

class InstanceLock {
 public:
  // Creates the socket's folder (0755) if it is missing, but not folders above it.
  static absl::StatusOr<InstanceLock> Acquire(const std::string& socket_path);

 private:
  explicit InstanceLock(UniqueFd fd) : fd_(std::move(fd)) {}

  UniqueFd fd_;
};

}  // namespace layered

#endif  // LAYERED_DAEMON_SYSTEM_INSTANCE_LOCK_H_
