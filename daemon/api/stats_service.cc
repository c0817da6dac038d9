// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/stats_service.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "daemon/api/status_details.h"
#include "daemon/config/duration.h"
#include "daemon/config/violation.h"

namespace layered::api {
namespace {

bool Parse(const grpc::ByteBuffer& buffer, v1::WatchRequest* request) {
  std::vector<grpc::Slice> slices;
  if (!buffer.Dump(&slices).ok()) return false;
  std::string bytes;
  for (const grpc::Slice& slice : slices) {
    bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  }
  return request->ParseFromString(bytes);
}

}  // namespace

absl::StatusOr<SampleHub::Options> ToHubOptions(const v1::WatchRequest& request,
                                                const Limits& limits) {
  SampleHub::Options options{.interval_ns = limits.default_watch_interval_ns, .layers = {}};
  Violations violations;
  if (request.has_interval()) {
    const absl::StatusOr<int64_t> ns = DurationToNs(request.interval());
    const std::string range = FormatDuration(limits.min_watch_interval_ns) + ".." +
                              FormatDuration(limits.max_watch_interval_ns);
    if (!ns.ok()) {
      violations.push_back({.field = "interval",
                            .description = std::string(ns.status().message()),
                            .hint = "allowed are " + range});
    } else if (*ns < limits.min_watch_interval_ns || *ns > limits.max_watch_interval_ns) {
      violations.push_back({.field = "interval",
                            .description = FormatDuration(*ns) + " is out of range " + range,
                            .hint = "leave it out for 1s"});
    } else {
      options.interval_ns = *ns;
    }
  }
  if (request.layers_size() > limits.watch_layers) {
    violations.push_back({.field = "layers",
                          .description = std::to_string(request.layers_size()) +
                                         " names, at most " + std::to_string(limits.watch_layers) +
                                         " are allowed",
                          .hint = "leave it empty for all layers"});
  }
  if (!violations.empty()) return ToStatus(violations);
  options.layers.assign(request.layers().begin(), request.layers().end());
  return options;
}

absl::Status StatsService::Open(const std::shared_ptr<WatchStream>& stream,
                                const grpc::ByteBuffer& bytes) {
  if (absl::Status status = set_->Add(stream); !status.ok()) return status;
  v1::WatchRequest request;
  if (!Parse(bytes, &request)) return absl::InvalidArgumentError("not a WatchRequest");
  absl::StatusOr<SampleHub::Options> options = ToHubOptions(request, limits_);
  if (!options.ok()) return options.status();

  // The subscription ends before the stream does, so the callback may use a plain pointer.
  auto subscription = hub_->Subscribe(
      *std::move(options), [this, raw = stream.get()](std::shared_ptr<const v1::WatchResponse> s) {
        if (raw->Offer(frames_->Get(s))) set_->Ready(raw->shared_from_this());
      });
  if (!subscription.ok()) return subscription.status();
  stream->Hold(*std::move(subscription));
  return absl::OkStatus();
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* StatsService::Watch(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request) {
  const std::string name = context->peer();
  const auto stream =
      std::make_shared<WatchStream>(set_, clock_, peers_->Find(name).value_or(Peer{}), name);
  if (const absl::Status status = Open(stream, *request); !status.ok()) {
    stream->End(ToGrpc(status));
  }
  return stream.get();  // the set holds it until it is done
}

}  // namespace layered::api
