// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/roles.h"

#include <algorithm>

namespace layered::api {

Role RoleOf(const Credentials& peer, const Policy& policy) {
  if (peer.uid == 0 || peer.uid == policy.daemon_uid) return Role::kAdmin;
  if (!policy.viewer_gid) return Role::kRefused;
  const uint32_t gid = *policy.viewer_gid;
  const bool member = peer.gid == gid ||
                      std::find(peer.groups.begin(), peer.groups.end(), gid) != peer.groups.end();
  return member ? Role::kViewer : Role::kRefused;
}

const char* RoleName(Role role) {
  switch (role) {
    case Role::kAdmin:
      return "admin";
    case Role::kViewer:
      return "viewer";
    case Role::kRefused:
      break;
  }
  return "refused";
}

std::string RefusalText(const Credentials& peer, const Policy& policy) {
  const std::string who = "uid " + std::to_string(peer.uid) + " is refused: ";
  if (!policy.viewer_gid) {
    return who + "there is no group '" + policy.group + "' on this system, so only root has access";
  }
  return who + "only root and members of group '" + policy.group + "' have access";
}

}  // namespace layered::api
