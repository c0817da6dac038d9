// SPDX-License-Identifier: Apache-2.0
//
// The daemon's API for C++ programs: typed calls, errors with their violations.
//
// Thread-safety: all methods may be called from any thread; they block until the answer or the
// timeout.
// Ownership: a Client owns its connection.
// Failure: the daemon's own statuses, with violations (FromStatus in daemon/config/violation.h);
// DEADLINE_EXCEEDED after the timeout; UNAVAILABLE if the connection breaks.

#ifndef LAYERED_CLIENT_LIB_CLIENT_H_
#define LAYERED_CLIENT_LIB_CLIENT_H_

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "layered/v1/layer_service.grpc.pb.h"
#include "layered/v1/scheduler_service.grpc.pb.h"

namespace layered::client {

// $LAYERED_SOCKET, or kDefaultSocket if that is not set or empty.
std::string DefaultSocket();

// A channel of its own to the socket, shared with no other channel of the process.
std::shared_ptr<grpc::Channel> MakeChannel(const std::string& socket);

// What a call ended with, in words for people: explains versions that differ and timeouts.
absl::Status FromCall(const grpc::Status& status, std::chrono::milliseconds timeout);

class Client {
 public:
  // Connects. The statuses of ProbeSocket (probe.h).
  static absl::StatusOr<std::unique_ptr<Client>> Connect(const std::string& socket,
                                                         std::chrono::milliseconds timeout);

  absl::StatusOr<v1::ListLayersResponse> ListLayers();
  absl::StatusOr<v1::GetLayerResponse> GetLayer(const std::string& name);
  absl::StatusOr<v1::SetLayerResponse> SetLayer(const v1::SetLayerRequest& request);
  absl::StatusOr<v1::DeleteLayerResponse> DeleteLayer(const v1::DeleteLayerRequest& request);
  absl::StatusOr<v1::GetStatusResponse> GetStatus();

 private:
  Client(const std::shared_ptr<grpc::Channel>& channel, std::chrono::milliseconds timeout);

  template <typename Response, typename Method, typename Stub, typename Request>
  absl::StatusOr<Response> Call(const Stub& stub, Method method, const Request& request);

  const std::chrono::milliseconds timeout_;
  const std::unique_ptr<v1::LayerService::Stub> layers_;
  const std::unique_ptr<v1::SchedulerService::Stub> scheduler_;
};

}  // namespace layered::client

#endif  // LAYERED_CLIENT_LIB_CLIENT_H_
