// SPDX-License-Identifier: Apache-2.0
//
// SchedulerService over a StatusSource; adds the latency of writes, which the API measures.
//
// Thread-safety: called by gRPC from any thread.
// Ownership: what is passed in is borrowed and outlives the server that runs the service.

#ifndef LAYERED_DAEMON_API_SCHEDULER_SERVICE_H_
#define LAYERED_DAEMON_API_SCHEDULER_SERVICE_H_

#include <grpcpp/grpcpp.h>

#include "daemon/control/status_source.h"
#include "daemon/stats/histogram.h"
#include "layered/v1/scheduler_service.grpc.pb.h"

namespace layered::api {

class SchedulerService final : public v1::SchedulerService::CallbackService {
 public:
  SchedulerService(const StatusSource* status, const Histogram* latency)
      : status_(status), latency_(latency) {}

  grpc::ServerUnaryReactor* GetStatus(grpc::CallbackServerContext* context,
                                      const v1::GetStatusRequest* request,
                                      v1::GetStatusResponse* response) override;

 private:
  const StatusSource* const status_;
  const Histogram* const latency_;
};

}  // namespace layered::api

#endif  // LAYERED_DAEMON_API_SCHEDULER_SERVICE_H_
