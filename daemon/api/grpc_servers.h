// SPDX-License-Identifier: Apache-2.0
//
// The three gRPC servers behind the socket, one per role. They have no port: connections are given
// to them. Admin and viewer have the same services (each checks the role itself), health and
// reflection; refused has nothing but the refusal.
//
// Thread-safety: Build and Shutdown by one thread, Adopt by the accept thread.
// Ownership: the services passed in are borrowed and outlive this.

#ifndef LAYERED_DAEMON_API_GRPC_SERVERS_H_
#define LAYERED_DAEMON_API_GRPC_SERVERS_H_

#include <grpcpp/grpcpp.h>

#include <array>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "daemon/api/limits.h"
#include "daemon/api/roles.h"

namespace layered::api {

class GrpcServers {
 public:
  // `services` holds the services of one role, in any order; `refuse` answers refused peers.
  absl::Status Build(const std::vector<grpc::Service*>& admin,
                     const std::vector<grpc::Service*>& viewer,
                     grpc::CallbackGenericService* refuse, const Limits& limits);

  // Gives a connection to the server of `role`, which owns `fd` from then on.
  void Adopt(Role role, int fd);

  // Health says NOT_SERVING from here on.
  void Drain();

  // Ends what is left. Bounded only if no client can block: cut all connections before.
  void Shutdown();

 private:
  std::array<std::unique_ptr<grpc::Server>, kRoles> servers_;
};

}  // namespace layered::api

#endif  // LAYERED_DAEMON_API_GRPC_SERVERS_H_
