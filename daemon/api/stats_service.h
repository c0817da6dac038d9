// SPDX-License-Identifier: Apache-2.0
//
// StatsService over a SampleHub: one WatchStream per call, all samples serialised once.
//
// Thread-safety: called by gRPC from any thread.
// Ownership: what is passed in is borrowed and outlives the server that runs the service.
// Failure: INVALID_ARGUMENT with violations for the request; RESOURCE_EXHAUSTED beyond the limits.

#ifndef LAYERED_DAEMON_API_STATS_SERVICE_H_
#define LAYERED_DAEMON_API_STATS_SERVICE_H_

#include <grpcpp/grpcpp.h>

#include "absl/status/statusor.h"
#include "daemon/api/frame_cache.h"
#include "daemon/api/limits.h"
#include "daemon/api/peer_table.h"
#include "daemon/api/watch_set.h"
#include "daemon/base/clock.h"
#include "daemon/stats/sample_hub.h"
#include "layered/v1/stats_service.grpc.pb.h"

namespace layered::api {

// Checks a request; INVALID_ARGUMENT with all violations.
absl::StatusOr<SampleHub::Options> ToHubOptions(const v1::WatchRequest& request,
                                                const Limits& limits);

class StatsService final
    : public v1::StatsService::WithRawCallbackMethod_Watch<v1::StatsService::Service> {
 public:
  StatsService(SampleHub* hub, const PeerTable* peers, WatchSet* set, FrameCache* frames,
               const Clock* clock, const Limits& limits)
      : hub_(hub), peers_(peers), set_(set), frames_(frames), clock_(clock), limits_(limits) {}

  grpc::ServerWriteReactor<grpc::ByteBuffer>* Watch(grpc::CallbackServerContext* context,
                                                    const grpc::ByteBuffer* request) override;

 private:
  absl::Status Open(const std::shared_ptr<WatchStream>& stream, const grpc::ByteBuffer& request);

  SampleHub* const hub_;
  const PeerTable* const peers_;
  WatchSet* const set_;
  FrameCache* const frames_;
  const Clock* const clock_;
  const Limits limits_;
};

}  // namespace layered::api

#endif  // LAYERED_DAEMON_API_STATS_SERVICE_H_
