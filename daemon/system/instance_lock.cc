// SPDX-License-Identifier: Apache-2.0

#include "daemon/system/instance_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "daemon/base/errno_status.h"

namespace layered {
namespace {

std::string HolderOf(int fd) {
  char text[32] = {};
  if (pread(fd, text, sizeof(text) - 1, 0) <= 0) return "unknown pid";
  text[std::strcspn(text, "\n")] = '\0';
  return std::string("pid ") + text;
}

}  // namespace

absl::StatusOr<InstanceLock> InstanceLock::Acquire(const std::string& socket_path) {
  const size_t slash = socket_path.rfind('/');
  if (slash != std::string::npos && slash > 0) {
    const std::string folder = socket_path.substr(0, slash);
    if (mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) {
      if (errno == ENOENT) {
        return absl::NotFoundError("there is no folder for " + socket_path + "; mkdir -p " +
                                   folder + ", or give another --socket");
      }
      return ErrnoStatus("create " + folder, errno);
    }
  }
  const std::string path = socket_path + ".lock";
  // Never truncated on open: the pid in it may be another daemon's.
  UniqueFd fd(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (!fd.valid()) return ErrnoStatus("open " + path, errno);
  if (flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return ErrnoStatus("lock " + path, errno);
    return absl::AlreadyExistsError("another layeredd (" + HolderOf(fd.get()) +
                                    ") serves this socket; it holds " + path);
  }
  const std::string pid = std::to_string(getpid()) + "\n";
  if (ftruncate(fd.get(), 0) != 0 ||
      pwrite(fd.get(), pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size())) {
    return ErrnoStatus("write " + path, errno);
  }
  return InstanceLock(std::move(fd));
}

}  // namespace layered
