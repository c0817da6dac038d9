// SPDX-License-Identifier: Apache-2.0
//
// Who may do what: the decision from a peer's credentials to its role. Pure.
//
//   admin    uid 0, or the uid that the daemon runs as: everything
//   viewer   a member of the daemon's group: every method that only reads
//   refused  everybody else: nothing, not even health
//
// The socket's mode keeps strangers out already; the roles hold also where somebody widened it.
//
// Thread-safety: plain data and pure functions.

#ifndef LAYERED_DAEMON_API_ROLES_H_
#define LAYERED_DAEMON_API_ROLES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace layered::api {

enum class Role { kRefused, kViewer, kAdmin };
inline constexpr int kRoles = 3;

// What the kernel says of the process that connected, at the time it connected.
struct Credentials {
  uint32_t uid = 0;
  uint32_t gid = 0;
  int32_t pid = 0;
  std::vector<uint32_t> groups;  // supplementary
};

// What the decision depends on besides the peer.
struct Policy {
  uint32_t daemon_uid = 0;
  std::optional<uint32_t> viewer_gid;  // none: there are no viewers
  std::string group;                   // its name, for messages
};

Role RoleOf(const Credentials& peer, const Policy& policy);

// "admin", "viewer", "refused".
const char* RoleName(Role role);

// Why `peer` is refused and what would help, for people.
std::string RefusalText(const Credentials& peer, const Policy& policy);

}  // namespace layered::api

#endif  // LAYERED_DAEMON_API_ROLES_H_
