// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/scheduler_service.h"

namespace layered::api {
namespace {

v1::LatencySummary Summarize(const Histogram& latency) {
  v1::LatencySummary summary;
  summary.set_count(latency.Count());
  summary.set_p50_ns(latency.Percentile(50));
  summary.set_p99_ns(latency.Percentile(99));
  summary.set_max_ns(latency.Max());
  return summary;
}

}  // namespace

grpc::ServerUnaryReactor* SchedulerService::GetStatus(grpc::CallbackServerContext* context,
                                                      const v1::GetStatusRequest* /*request*/,
                                                      v1::GetStatusResponse* response) {
  *response = status_->GetStatus();
  *response->mutable_write_latency() = Summarize(*latency_);
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  reactor->Finish(grpc::Status::OK);
  return reactor;
}

}  // namespace layered::api
