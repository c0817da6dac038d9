// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/socket_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/api/limits.h"
#include "daemon/base/errno_status.h"

namespace layered::api {
namespace {

sockaddr_un Address(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  memcpy(address.sun_path, path.data(), path.size());
  return address;
}

absl::Status SystemError(const std::string& what) { return ErrnoStatus(what, errno); }

// Whether something is at `path`; FAILED_PRECONDITION if it is no socket.
absl::StatusOr<bool> SocketIsAt(const std::string& path) {
  struct stat info {};
  if (lstat(path.c_str(), &info) != 0) {
    if (errno == ENOENT) return false;
    return SystemError("stat " + path);
  }
  if (S_ISSOCK(info.st_mode)) return true;
  return absl::FailedPreconditionError(path + " exists and is not a socket; it is left alone");
}

std::string TemporaryName(const std::string& path) { return path + ".new"; }

}  // namespace

absl::Status CheckSocketPath(const std::string& path) {
  if (!path.empty() && path.size() <= kMaxSocketPath) return absl::OkStatus();
  return absl::InvalidArgumentError("socket path '" + path + "' has " +
                                    std::to_string(path.size()) + " bytes, allowed are 1.." +
                                    std::to_string(kMaxSocketPath));
}

absl::Status CheckReplaceable(const std::string& path) {
  const absl::StatusOr<bool> temporary = SocketIsAt(TemporaryName(path));
  if (!temporary.ok()) return temporary.status();
  const absl::StatusOr<bool> there = SocketIsAt(path);
  if (!there.ok() || !*there) return there.status();
  const UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.valid()) return SystemError("socket");
  const sockaddr_un address = Address(path);
  const bool answered =
      connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0 ||
      errno == EAGAIN;  // alive with a full backlog
  if (!answered) return absl::OkStatus();
  ucred owner{};
  socklen_t length = sizeof(owner);
  getsockopt(fd.get(), SOL_SOCKET, SO_PEERCRED, &owner, &length);
  return absl::AlreadyExistsError("pid " + std::to_string(owner.pid) + " answers on " + path +
                                  "; end it or give another --socket");
}

absl::StatusOr<std::unique_ptr<SocketFile>> SocketFile::Create(const std::string& path,
                                                               std::optional<uint32_t> gid) {
  if (absl::Status status = CheckSocketPath(path); !status.ok()) return status;
  if (absl::Status status = CheckReplaceable(path); !status.ok()) return status;

  std::unique_ptr<SocketFile> file(new SocketFile);
  file->fd_ = UniqueFd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!file->fd_.valid()) return SystemError("socket");

  const std::string temporary = TemporaryName(path);
  unlink(temporary.c_str());  // a socket of an instance that died right here
  // The file that bind makes inherits the socket's own mode: no umask, no moment in between.
  if (fchmod(file->fd_.get(), 0600) != 0) return SystemError("fchmod of a socket");
  const sockaddr_un address = Address(temporary);
  if (bind(file->fd_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    return SystemError("bind " + temporary);
  }
  file->path_ = temporary;
  struct stat info {};
  if (lstat(temporary.c_str(), &info) != 0) return SystemError("stat " + temporary);
  file->device_ = info.st_dev;
  file->inode_ = info.st_ino;

  if (gid) {
    if (lchown(temporary.c_str(), static_cast<uid_t>(-1), *gid) != 0) {
      return SystemError("chown " + temporary);
    }
    if (chmod(temporary.c_str(), 0660) != 0) return SystemError("chmod " + temporary);
  }
  if (listen(file->fd_.get(), SOMAXCONN) != 0) return SystemError("listen " + temporary);
  if (rename(temporary.c_str(), path.c_str()) != 0) return SystemError("rename to " + path);
  file->path_ = path;
  return file;
}

SocketFile::~SocketFile() {
  if (!path_.empty()) {
    struct stat info {};
    const bool ours =
        lstat(path_.c_str(), &info) == 0 && info.st_dev == device_ && info.st_ino == inode_;
    if (ours) unlink(path_.c_str());
  }
}

}  // namespace layered::api
