// SPDX-License-Identifier: Apache-2.0
//
// The only service of the server for refused peers: answers PERMISSION_DENIED to every method of
// every name, and says why.
//
// Thread-safety: called by gRPC from any thread.

#ifndef LAYERED_DAEMON_API_REFUSE_SERVICE_H_
#define LAYERED_DAEMON_API_REFUSE_SERVICE_H_

#include <grpcpp/generic/async_generic_service.h>

#include "daemon/api/peer_table.h"
#include "daemon/api/roles.h"

namespace layered::api {

class RefuseService final : public grpc::CallbackGenericService {
 public:
  RefuseService(const PeerTable* peers, Policy policy)
      : peers_(peers), policy_(std::move(policy)) {}

  grpc::ServerGenericBidiReactor* CreateReactor(
      grpc::GenericCallbackServerContext* context) override;

 private:
  const PeerTable* const peers_;
  const Policy policy_;
};

}  // namespace layered::api

#endif  // LAYERED_DAEMON_API_REFUSE_SERVICE_H_
