// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/server.h"

#include <unistd.h>

#include <chrono>
#include <optional>
#include <utility>

#include "daemon/api/accounts.h"
#include "daemon/api/frame_cache.h"
#include "daemon/api/grpc_servers.h"
#include "daemon/api/layer_service.h"
#include "daemon/api/listener.h"
#include "daemon/api/peer_table.h"
#include "daemon/api/refuse_service.h"
#include "daemon/api/scheduler_service.h"
#include "daemon/api/socket_file.h"
#include "daemon/api/stats_service.h"
#include "daemon/api/watch_set.h"
#include "daemon/stats/histogram.h"
#include "spdlog/spdlog.h"

namespace layered::api {
namespace {

// For clients that read to see their streams end in an orderly way.
constexpr std::chrono::milliseconds kPatience{200};

Policy MakePolicy(const Server::Options& options) {
  return {.daemon_uid = geteuid(),
          .viewer_gid = FindAccount(options.group_file, options.group),
          .group = options.group};
}

}  // namespace

class Server::Impl {
 public:
  explicit Impl(Options options)
      : options_(std::move(options)),
        policy_(MakePolicy(options_)),
        peers_(options_.limits),
        watchers_(&peers_, options_.clock, options_.limits),
        admin_(this),
        viewer_(this),
        refuse_(&peers_, policy_, options_.clock) {}

  ~Impl() { Stop(); }

  absl::Status Start() {
    auto socket = SocketFile::Create(options_.socket_path, policy_.viewer_gid);
    if (!socket.ok()) return socket.status();
    if (!policy_.viewer_gid) {
      spdlog::warn("api: no group '{}' on this system: only root can use {}", policy_.group,
                   options_.socket_path);
    }
    // From here on clients can connect; they wait in the backlog until the servers are there.
    running_ = true;
    const absl::Status built =
        servers_.Build(admin_.All(), viewer_.All(), &refuse_, options_.limits);
    if (!built.ok()) return built;
    listener_.emplace(
        *std::move(socket), &peers_,
        Listener::Options{.policy = policy_,
                          .hand_over = [this](Role role, int fd) { servers_.Adopt(role, fd); },
                          .credentials = options_.credentials});
    return listener_->Start();
  }

  void Stop() {
    if (!std::exchange(running_, false)) return;
    if (listener_) listener_->Stop();
    servers_.Drain();
    watchers_.EndAll(grpc::Status(grpc::StatusCode::UNAVAILABLE, "the daemon stops"), kPatience);
    // No deadline ends a call whose client does not read; without a connection it does end.
    peers_.CutAll();
    servers_.Shutdown();
  }

 private:
  // The services of one server.
  struct Services {
    explicit Services(Impl* impl)
        : layers(impl->options_.store, &impl->peers_, impl->options_.clock, &impl->latency_),
          scheduler(impl->options_.status, &impl->latency_),
          stats(impl->options_.hub, &impl->peers_, &impl->watchers_, &impl->frames_,
                impl->options_.clock, impl->options_.limits) {}

    std::vector<grpc::Service*> All() { return {&layers, &scheduler, &stats}; }

    LayerService layers;
    SchedulerService scheduler;
    StatsService stats;
  };

  // In order of use: what is below uses what is above.
  const Options options_;
  const Policy policy_;
  bool running_ = false;
  Histogram latency_;
  FrameCache frames_;
  PeerTable peers_;
  WatchSet watchers_;
  Services admin_;
  Services viewer_;
  RefuseService refuse_;
  GrpcServers servers_;
  std::optional<Listener> listener_;
};

Server::Server(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}

Server::~Server() = default;

absl::Status Server::Start() { return impl_->Start(); }

void Server::Stop() { impl_->Stop(); }

}  // namespace layered::api
