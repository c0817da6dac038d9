// SPDX-License-Identifier: Apache-2.0
//
// The only service of the server for refused peers: answers PERMISSION_DENIED to every method of
// every name, and says why. An attempt to change something is an audit line, at most one per
// second: a refused user must not fill the log.
//
// Thread-safety: called by gRPC from any thread.

#ifndef LAYERED_DAEMON_API_REFUSE_SERVICE_H_
#define LAYERED_DAEMON_API_REFUSE_SERVICE_H_

#include <grpcpp/generic/async_generic_service.h>

#include <cstdint>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "daemon/api/peer_table.h"
#include "daemon/api/roles.h"
#include "daemon/base/clock.h"

namespace layered::api {

class RefuseService final : public grpc::CallbackGenericService {
 public:
  RefuseService(const PeerTable* peers, Policy policy, const Clock* clock)
      : peers_(peers), policy_(std::move(policy)), clock_(clock) {}

  grpc::ServerGenericBidiReactor* CreateReactor(
      grpc::GenericCallbackServerContext* context) override;

 private:
  void Audit(const Peer& peer, const std::string& method, const absl::Status& refusal);

  const PeerTable* const peers_;
  const Policy policy_;
  const Clock* const clock_;

  std::mutex mutex_;
  uint64_t next_line_ns_ = 0;  // guarded by mutex_; no line before
  uint64_t unsaid_ = 0;        // guarded by mutex_; attempts since the last line
};

}  // namespace layered::api

#endif  // LAYERED_DAEMON_API_REFUSE_SERVICE_H_
