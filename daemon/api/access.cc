// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/access.h"

namespace layered::api {

bool IsWrite(const std::string& method) {
  return method == "/layered.v1.LayerService/SetLayer" ||
         method == "/layered.v1.LayerService/DeleteLayer";
}

absl::Status CheckMayWrite(const std::optional<Peer>& peer, const std::string& method) {
  if (!peer) return absl::UnavailableError("the connection is gone");
  if (peer->role == Role::kAdmin) return absl::OkStatus();
  return absl::PermissionDeniedError(method + " needs role admin (root); uid " +
                                     std::to_string(peer->credentials.uid) + " has role " +
                                     RoleName(peer->role) + ", which may only read");
}

}  // namespace layered::api
