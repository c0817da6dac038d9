// SPDX-License-Identifier: Apache-2.0

#include "client/lib/probe.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <fstream>

namespace layered::client {
namespace {

// The name of a number in /etc/passwd or /etc/group, or the number. Not getpwuid: see accounts.h.
std::string NameOf(const std::string& file, unsigned id) {
  std::ifstream in(file);
  const std::string number = std::to_string(id);
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second != std::string::npos && line.compare(second + 1, number.size(), number) == 0 &&
        line.substr(second + 1 + number.size(), 1) == ":") {
      return line.substr(0, first);
    }
  }
  return number;
}

// "socket /run/x is mode 0660 root:layered"; the innermost folder that can be looked at if the
// socket itself cannot.
std::string Describe(std::string path) {
  const char* what = "socket ";
  struct stat info {};
  while (stat(path.c_str(), &info) != 0) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos || path == "/") return "socket " + path;
    path = slash == 0 ? "/" : path.substr(0, slash);
    what = "folder ";
  }
  char mode[8];
  snprintf(mode, sizeof(mode), "%04o", info.st_mode & 07777);
  return what + path + " is mode " + mode + " " + NameOf("/etc/passwd", info.st_uid) + ":" +
         NameOf("/etc/group", info.st_gid);
}

}  // namespace

absl::Status ProbeSocket(const std::string& path) {
  sockaddr_un address{};
  if (path.empty() || path.size() >= sizeof(address.sun_path)) {
    return absl::InvalidArgumentError("socket path '" + path + "' has " +
                                      std::to_string(path.size()) + " bytes, allowed are 1.." +
                                      std::to_string(sizeof(address.sun_path) - 1));
  }
  address.sun_family = AF_UNIX;
  memcpy(address.sun_path, path.data(), path.size());
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return absl::InternalError(std::string("socket: ") + strerror(errno));
  const int result = connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
  const int error = errno;
  close(fd);
  // EAGAIN: alive, with a full backlog; gRPC waits for it until its deadline.
  if (result == 0 || error == EAGAIN || error == EINPROGRESS) return absl::OkStatus();

  const std::string text = "cannot connect to " + path + ": " + strerror(error);
  switch (error) {
    case EACCES:
    case EPERM:
      return absl::PermissionDeniedError(text + " (" + Describe(path) +
                                         "; only root and members of the group have access)");
    case ENOENT:
    case ENOTDIR:
      if (path.find('/') == std::string::npos && path.find(':') != std::string::npos) {
        return absl::UnavailableError(text +
                                      " (it looks like a network address; the daemon listens on a "
                                      "unix socket only)");
      }
      return absl::UnavailableError(text + " (is layeredd running?)");
    case ECONNREFUSED:
      return absl::UnavailableError(text + " (nobody listens there; is layeredd running?)");
    default:
      return absl::UnavailableError(text);
  }
}

}  // namespace layered::client
