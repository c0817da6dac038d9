// SPDX-License-Identifier: Apache-2.0

#include "client/lib/client.h"

#include <stdlib.h>

#include "client/lib/probe.h"
#include "daemon/api/status_details.h"
#include "daemon/base/default_socket.h"

namespace layered::client {
namespace {

// The daemon keeps its details below 8 KiB; others may not.
constexpr int kMetadataBytes = 1 << 20;

}  // namespace

std::string DefaultSocket() {
  const char* const socket = getenv("LAYERED_SOCKET");
  return socket != nullptr && *socket != '\0' ? socket : kDefaultSocket;
}

std::shared_ptr<grpc::Channel> MakeChannel(const std::string& socket) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_MAX_METADATA_SIZE, kMetadataBytes);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  // A daemon that is stopped or stuck looks like one that has nothing to say.
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 20'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  return grpc::CreateCustomChannel("unix:" + socket, grpc::InsecureChannelCredentials(), arguments);
}

absl::Status FromCall(const grpc::Status& status, std::chrono::milliseconds timeout) {
  switch (status.error_code()) {
    case grpc::StatusCode::UNIMPLEMENTED:
      return absl::UnimplementedError(
          "the daemon does not know this call; is it of another version? (" +
          status.error_message() + ")");
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      return absl::DeadlineExceededError("the daemon did not answer within " +
                                         std::to_string(timeout.count()) + " ms");
    default:
      return api::FromGrpc(status);
  }
}

absl::StatusOr<std::unique_ptr<Client>> Client::Connect(const std::string& socket,
                                                        std::chrono::milliseconds timeout) {
  if (const absl::Status status = ProbeSocket(socket); !status.ok()) return status;
  return std::unique_ptr<Client>(new Client(MakeChannel(socket), timeout));
}

Client::Client(const std::shared_ptr<grpc::Channel>& channel, std::chrono::milliseconds timeout)
    : timeout_(timeout),
      layers_(v1::LayerService::NewStub(channel)),
      scheduler_(v1::SchedulerService::NewStub(channel)) {}

template <typename Response, typename Method, typename Stub, typename Request>
absl::StatusOr<Response> Client::Call(const Stub& stub, Method method, const Request& request) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + timeout_);
  Response response;
  const grpc::Status status = ((*stub).*method)(&context, request, &response);
  if (!status.ok()) return FromCall(status, timeout_);
  return response;
}

absl::StatusOr<v1::ListLayersResponse> Client::ListLayers() {
  return Call<v1::ListLayersResponse>(layers_, &v1::LayerService::Stub::ListLayers,
                                      v1::ListLayersRequest());
}

absl::StatusOr<v1::GetLayerResponse> Client::GetLayer(const std::string& name) {
  v1::GetLayerRequest request;
  request.set_name(name);
  return Call<v1::GetLayerResponse>(layers_, &v1::LayerService::Stub::GetLayer, request);
}

absl::StatusOr<v1::SetLayerResponse> Client::SetLayer(const v1::SetLayerRequest& request) {
  return Call<v1::SetLayerResponse>(layers_, &v1::LayerService::Stub::SetLayer, request);
}

absl::StatusOr<v1::DeleteLayerResponse> Client::DeleteLayer(const v1::DeleteLayerRequest& request) {
  return Call<v1::DeleteLayerResponse>(layers_, &v1::LayerService::Stub::DeleteLayer, request);
}

absl::StatusOr<v1::GetStatusResponse> Client::GetStatus() {
  return Call<v1::GetStatusResponse>(scheduler_, &v1::SchedulerService::Stub::GetStatus,
                                     v1::GetStatusRequest());
}

}  // namespace layered::client
