// SPDX-License-Identifier: Apache-2.0
//
// The listening socket's file: made so that there is no moment at which a process could connect
// with a wrong mode, and removed only if it still is ours.
//
// The socket is bound under a temporary name with mode 0600, gets its group and mode, listens, and
// only then is renamed to its path. A stale file is replaced in that same step.
//
// Thread-safety: one thread.
// Ownership: owns the descriptor and the file.

#ifndef LAYERED_DAEMON_API_SOCKET_FILE_H_
#define LAYERED_DAEMON_API_SOCKET_FILE_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "daemon/base/unique_fd.h"

namespace layered::api {

// OK if a socket may be made at a path of this length; INVALID_ARGUMENT with the limit otherwise.
absl::Status CheckSocketPath(const std::string& path);

// OK if nothing is at `path`, or a socket that nobody answers on. ALREADY_EXISTS naming the pid if
// some process does; FAILED_PRECONDITION if something else than a socket is there, or under the
// temporary name.
absl::Status CheckReplaceable(const std::string& path);

class SocketFile {
 public:
  // Listens at `path`: 0660 and the given group, or 0600 without one. The caller has made sure (by
  // a lock) that no other instance of it is alive. Statuses: those of the checks above, otherwise
  // what the system said.
  static absl::StatusOr<std::unique_ptr<SocketFile>> Create(const std::string& path,
                                                            std::optional<uint32_t> gid);

  // Closes and removes.
  ~SocketFile();

  SocketFile(const SocketFile&) = delete;
  SocketFile& operator=(const SocketFile&) = delete;

  // Non-blocking, listening.
  int fd() const { return fd_.get(); }

 private:
  SocketFile() = default;

  UniqueFd fd_;
  std::string path_;
  dev_t device_ = 0;  // with inode_: tells our file from one that replaced it
  ino_t inode_ = 0;
};

}  // namespace layered::api

#endif  // LAYERED_DAEMON_API_SOCKET_FILE_H_
