// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/grpc_servers.h"

#include <grpc/grpc.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/impl/server_builder_option.h>
#include <grpcpp/impl/server_builder_plugin.h>
#include <grpcpp/server_posix.h>

#include <chrono>

namespace layered::api {
namespace {

// Reflection is a plugin that linking alone gives to every server.
class NoPlugins final : public grpc::ServerBuilderOption {
 public:
  void UpdateArguments(grpc::ChannelArguments* /*arguments*/) override {}
  void UpdatePlugins(std::vector<std::unique_ptr<grpc::ServerBuilderPlugin>>* plugins) override {
    plugins->clear();
  }
};

// Keeps the library initialised until the process ends. Otherwise the last server's destructor
// would shut it down, and that waits for a poller that gRPC starts for write-blocked connections:
// up to 10 s, seen with clients that were stopped.
void KeepLibrary() {
  static const bool kept = [] {
    grpc_init();
    return true;
  }();
  (void)kept;
}

void SetCommon(const Limits& limits, grpc::ServerBuilder* builder) {
  builder->SetMaxReceiveMessageSize(limits.message_bytes);
  builder->SetMaxSendMessageSize(limits.message_bytes);
  builder->AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, limits.streams_per_connection);
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, limits.keepalive_ms);
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, limits.keepalive_timeout_ms);
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder->AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  // Clients that watch at long intervals make sure that we are alive.
  builder->AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 5'000);
  // Reflection is a synchronous service: one queue and few threads for it.
  builder->SetSyncServerOption(grpc::ServerBuilder::NUM_CQS, 1);
  builder->SetSyncServerOption(grpc::ServerBuilder::MIN_POLLERS, 1);
  builder->SetSyncServerOption(grpc::ServerBuilder::MAX_POLLERS, 2);
}

std::unique_ptr<grpc::Server> BuildFull(const std::vector<grpc::Service*>& services,
                                        const Limits& limits) {
  // Registers itself, but only if something refers to it: a static library's objects are not linked
  // for their initialisers.
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::EnableDefaultHealthCheckService(true);  // process-wide: set before each build
  grpc::ServerBuilder builder;
  SetCommon(limits, &builder);
  for (grpc::Service* service : services) builder.RegisterService(service);
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr) return nullptr;
  grpc::HealthCheckServiceInterface* const health = server->GetHealthCheckService();
  for (const char* name :
       {"layered.v1.LayerService", "layered.v1.SchedulerService", "layered.v1.StatsService"}) {
    health->SetServingStatus(name, true);
  }
  return server;
}

std::unique_ptr<grpc::Server> BuildRefused(grpc::CallbackGenericService* refuse,
                                           const Limits& limits) {
  grpc::EnableDefaultHealthCheckService(false);
  grpc::ServerBuilder builder;
  SetCommon(limits, &builder);
  builder.SetOption(std::make_unique<NoPlugins>());
  builder.RegisterCallbackGenericService(refuse);
  return builder.BuildAndStart();
}

}  // namespace

absl::Status GrpcServers::Build(const std::vector<grpc::Service*>& admin,
                                const std::vector<grpc::Service*>& viewer,
                                grpc::CallbackGenericService* refuse, const Limits& limits) {
  KeepLibrary();
  servers_[static_cast<int>(Role::kAdmin)] = BuildFull(admin, limits);
  servers_[static_cast<int>(Role::kViewer)] = BuildFull(viewer, limits);
  servers_[static_cast<int>(Role::kRefused)] = BuildRefused(refuse, limits);
  for (const auto& server : servers_) {
    if (server == nullptr) return absl::InternalError("a gRPC server could not be built");
  }
  return absl::OkStatus();
}

void GrpcServers::Adopt(Role role, int fd) {
  grpc::AddInsecureChannelFromFd(servers_[static_cast<int>(role)].get(), fd);
}

void GrpcServers::Drain() {
  for (const auto& server : servers_) {
    grpc::HealthCheckServiceInterface* const health =
        server == nullptr ? nullptr : server->GetHealthCheckService();
    if (health != nullptr) health->Shutdown();
  }
}

void GrpcServers::Shutdown() {
  for (const auto& server : servers_) {
    if (server == nullptr) continue;
    server->Shutdown(std::chrono::system_clock::now() + std::chrono::milliseconds(50));
    server->Wait();
  }
  for (auto& server : servers_) server.reset();
}

}  // namespace layered::api
