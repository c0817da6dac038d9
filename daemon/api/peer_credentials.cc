// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/peer_credentials.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include <fstream>

namespace layered::api {
namespace {

// <asm/socket.h> of older libc headers lacks it.
#ifndef SO_PEERGROUPS
#define SO_PEERGROUPS 59
#endif

absl::Status Failed(const char* what) {
  return absl::InternalError(std::string(what) + ": " + strerror(errno));
}

}  // namespace

absl::StatusOr<Credentials> ReadPeerCredentials(int fd) {
  ucred kernel{};
  socklen_t length = sizeof(kernel);
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &kernel, &length) != 0) return Failed("SO_PEERCRED");
  Credentials peer{.uid = kernel.uid, .gid = kernel.gid, .pid = kernel.pid, .groups = {}};

  // The length is in bytes; ERANGE says how many are needed.
  peer.groups.resize(64);
  for (;;) {
    length = static_cast<socklen_t>(peer.groups.size() * sizeof(uint32_t));
    if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, peer.groups.data(), &length) == 0) break;
    if (errno != ERANGE || length <= peer.groups.size() * sizeof(uint32_t)) {
      return Failed("SO_PEERGROUPS");
    }
    peer.groups.resize(length / sizeof(uint32_t));
  }
  peer.groups.resize(length / sizeof(uint32_t));
  return peer;
}

std::string ReadComm(int32_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/comm");
  std::string comm;
  if (!std::getline(in, comm) || comm.empty()) return "?";
  for (char& c : comm) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return comm;
}

}  // namespace layered::api
