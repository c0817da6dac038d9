// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/layer_service.h"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "daemon/api/access.h"
#include "daemon/api/audit.h"
#include "daemon/api/status_details.h"
#include "daemon/config/edit.h"
#include "daemon/config/validate.h"
#include "spdlog/spdlog.h"

namespace layered::api {
namespace {

grpc::ServerUnaryReactor* FinishNow(grpc::CallbackServerContext* context,
                                    const absl::Status& status) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  reactor->Finish(ToGrpc(status));
  return reactor;
}

// One write. Finished by whoever comes first, the store's answer or the cancellation (a client that
// left, a server that stops): gRPC waits at its shutdown for calls that nobody finishes.
class WriteCall final : public grpc::ServerUnaryReactor {
 public:
  // Held by the reactor and by the store's callback, which may outlive it.
  struct Gate {
    std::mutex mutex;
    WriteCall* call;  // null once finished
  };

  WriteCall(const Clock* clock, Histogram* latency)
      : gate_(std::make_shared<Gate>()),
        clock_(clock),
        latency_(latency),
        received_ns_(clock->MonotonicNs()) {
    gate_->call = this;
  }

  std::shared_ptr<Gate> gate() const { return gate_; }

  // Runs `fill`, which may touch the response, and finishes; nothing if that has happened.
  static void Finish(Gate& gate, const std::function<grpc::Status()>& fill) {
    std::lock_guard lock(gate.mutex);
    WriteCall* const call = std::exchange(gate.call, nullptr);
    if (call != nullptr) call->ServerUnaryReactor::Finish(fill());
  }

  void OnCancel() override {
    Finish(*gate_, [] { return grpc::Status(grpc::StatusCode::CANCELLED, "the call was ended"); });
  }

  void OnDone() override {
    const uint64_t now = clock_->MonotonicNs();
    latency_->Record(now > received_ns_ ? now - received_ns_ : 0);
    delete this;
  }

 private:
  const std::shared_ptr<Gate> gate_;
  const Clock* const clock_;
  Histogram* const latency_;
  const uint64_t received_ns_;
};

// What a write says of itself in the audit.
struct Attempt {
  Peer peer;
  std::string method;
  std::string layer;
  std::string reason;

  void Log(const absl::StatusOr<CommitResult>& result) const {
    spdlog::info("{}", AuditLine(peer, method, layer, reason, result));
  }
};

// Queues `command`; `fill` turns the accepted revision into the response.
grpc::ServerUnaryReactor* Write(LayerStore* store, const Clock* clock, Histogram* latency,
                                Attempt attempt, Command command,
                                std::function<void(const CommitResult&)> fill) {
  auto* const call = new WriteCall(clock, latency);
  const Author author = attempt.peer.ToAuthor();
  store->Submit(std::move(command), author,
                [gate = call->gate(), attempt = std::move(attempt),
                 fill = std::move(fill)](absl::StatusOr<CommitResult> result) {
                  attempt.Log(result);
                  WriteCall::Finish(*gate, [&] {
                    if (result.ok()) fill(*result);
                    return ToGrpc(result.status());
                  });
                });
  return call;
}

}  // namespace

grpc::ServerUnaryReactor* LayerService::ListLayers(grpc::CallbackServerContext* context,
                                                   const v1::ListLayersRequest* /*request*/,
                                                   v1::ListLayersResponse* response) {
  const std::shared_ptr<const Revision> revision = store_->Desired();
  *response->mutable_layers() = WithDefaults(revision->layers).layers();
  response->set_revision(revision->number);
  response->set_etag(revision->etag);
  return FinishNow(context, absl::OkStatus());
}

grpc::ServerUnaryReactor* LayerService::GetLayer(grpc::CallbackServerContext* context,
                                                 const v1::GetLayerRequest* request,
                                                 v1::GetLayerResponse* response) {
  const std::shared_ptr<const Revision> revision = store_->Desired();
  const int index = FindLayer(revision->layers, request->name());
  if (index < 0) {
    return FinishNow(context, absl::NotFoundError("no layer " + Quote(request->name())));
  }
  *response->mutable_layer() = WithDefaults(revision->layers.layers(index));
  response->set_revision(revision->number);
  response->set_etag(revision->etag);
  return FinishNow(context, absl::OkStatus());
}

grpc::ServerUnaryReactor* LayerService::SetLayer(grpc::CallbackServerContext* context,
                                                 const v1::SetLayerRequest* request,
                                                 v1::SetLayerResponse* response) {
  const std::optional<Peer> peer = peers_->Find(context->peer());
  const absl::Status allowed = CheckMayWrite(peer, "SetLayer");
  Attempt attempt{peer.value_or(Peer{}), "SetLayer", request->layer().name(), request->reason()};
  if (!allowed.ok()) {
    attempt.Log(allowed);
    return FinishNow(context, allowed);
  }
  return Write(store_, clock_, latency_, std::move(attempt), *request,
               [response, name = request->layer().name()](const CommitResult& result) {
                 response->set_revision(result.revision->number);
                 response->set_etag(result.revision->etag);
                 response->set_unchanged(result.unchanged);
                 const v1::LayerSet& layers = result.revision->layers;
                 const int index = FindLayer(layers, name);
                 if (index < 0) return;
                 *response->mutable_layer() = WithDefaults(layers.layers(index));
               });
}

grpc::ServerUnaryReactor* LayerService::DeleteLayer(grpc::CallbackServerContext* context,
                                                    const v1::DeleteLayerRequest* request,
                                                    v1::DeleteLayerResponse* response) {
  const std::optional<Peer> peer = peers_->Find(context->peer());
  const absl::Status allowed = CheckMayWrite(peer, "DeleteLayer");
  Attempt attempt{peer.value_or(Peer{}), "DeleteLayer", request->name(), request->reason()};
  if (!allowed.ok()) {
    attempt.Log(allowed);
    return FinishNow(context, allowed);
  }
  return Write(store_, clock_, latency_, std::move(attempt), *request,
               [response](const CommitResult& result) {
                 response->set_revision(result.revision->number);
                 response->set_etag(result.revision->etag);
               });
}

}  // namespace layered::api
