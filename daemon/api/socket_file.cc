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

namespace layered::api {
namespace {

sockaddr_un Address(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  memcpy(address.sun_path, path.data(), path.size());
  return address;
}

absl::Status SystemError(const std::string& what) {
  const std::string text = what + ": " + strerror(errno);
  if (errno == EACCES || errno == EPERM) return absl::PermissionDeniedError(text);
  if (errno == ENOENT || errno == ENOTDIR) return absl::NotFoundError(text);
  return absl::InternalError(text);
}

// OK if `path` may be replaced: nothing is there, or a socket that nobody answers on.
absl::Status CheckReplaceable(const std::string& path) {
  struct stat info {};
  if (lstat(path.c_str(), &info) != 0) {
    return errno == ENOENT ? absl::OkStatus() : SystemError("stat " + path);
  }
  if (!S_ISSOCK(info.st_mode)) {
    return absl::FailedPreconditionError(path + " exists and is not a socket; it is left alone");
  }
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return SystemError("socket");
  const sockaddr_un address = Address(path);
  const bool answered =
      connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0 ||
      errno == EAGAIN;  // alive with a full backlog
  ucred owner{};
  socklen_t length = sizeof(owner);
  if (answered) getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &owner, &length);
  close(fd);
  if (!answered) return absl::OkStatus();
  return absl::AlreadyExistsError("pid " + std::to_string(owner.pid) + " answers on " + path);
}

}  // namespace

absl::StatusOr<std::unique_ptr<SocketFile>> SocketFile::Create(const std::string& path,
                                                               std::optional<uint32_t> gid) {
  if (path.empty() || path.size() > kMaxSocketPath) {
    return absl::InvalidArgumentError("socket path '" + path + "' has " +
                                      std::to_string(path.size()) + " bytes, allowed are 1.." +
                                      std::to_string(kMaxSocketPath));
  }
  if (const absl::Status status = CheckReplaceable(path); !status.ok()) return status;

  std::unique_ptr<SocketFile> file(new SocketFile);
  file->fd_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (file->fd_ < 0) return SystemError("socket");

  const std::string temporary = path + ".new";
  unlink(temporary.c_str());  // of an instance that died right here
  // The file that bind makes inherits the socket's own mode: no umask, no moment in between.
  if (fchmod(file->fd_, 0600) != 0) return SystemError("fchmod of a socket");
  const sockaddr_un address = Address(temporary);
  if (bind(file->fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
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
  if (listen(file->fd_, SOMAXCONN) != 0) return SystemError("listen " + temporary);
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
  if (fd_ >= 0) close(fd_);
}

}  // namespace layered::api
