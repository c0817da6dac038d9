// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/frame_cache.h"

#include <string>

namespace layered::api {
namespace {

// More kinds of subscriptions (interval, filter) than this at one moment are not worth a search.
constexpr std::size_t kMostFrames = 32;

}  // namespace

grpc::ByteBuffer ToBuffer(const Frame& frame, const FrameOverride& changes) {
  v1::WatchResponse suffix;
  suffix.set_gap(changes.gap);
  suffix.set_first(changes.first);
  suffix.set_interval_ns(changes.interval_ns);
  const std::string bytes = suffix.SerializeAsString();
  const grpc::Slice slices[] = {frame.bytes, grpc::Slice(bytes)};
  return grpc::ByteBuffer(slices, bytes.empty() ? 1 : 2);
}

Frame FrameCache::Get(const std::shared_ptr<const v1::WatchResponse>& sample) {
  std::lock_guard lock(mutex_);
  if (sample->time_ns() != time_ns_) {
    frames_.clear();
    time_ns_ = sample->time_ns();
  }
  for (const auto& [known, frame] : frames_) {
    if (known == sample) return frame;
  }
  Frame frame{.bytes = grpc::Slice(sample->SerializeAsString()),
              .time_ns = sample->time_ns(),
              .first = sample->first()};
  if (frames_.size() < kMostFrames) frames_.emplace_back(sample, frame);
  return frame;
}

}  // namespace layered::api
