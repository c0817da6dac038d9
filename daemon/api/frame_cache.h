// SPDX-License-Identifier: Apache-2.0
//
// Samples as bytes, serialised once however many streams send them. What differs between streams
// (gap, interval since the last sample sent) is a short message appended to the shared bytes: the
// wire format lets a later value of a field override an earlier one.
//
// Thread-safety: all methods may be called from any thread.
// Ownership: frames share their bytes; the cache keeps the newest sample of each kind only.

#ifndef LAYERED_DAEMON_API_FRAME_CACHE_H_
#define LAYERED_DAEMON_API_FRAME_CACHE_H_

#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/slice.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "layered/v1/stats_service.pb.h"

namespace layered::api {

// One sample, ready to send.
struct Frame {
  grpc::Slice bytes;
  uint64_t time_ns = 0;
  bool first = false;
};

// What one stream says differently.
struct FrameOverride {
  uint64_t gap = 0;          // samples lost before this one
  bool first = false;        // the flagged first sample was lost: this one is the first
  uint64_t interval_ns = 0;  // since the last sample sent; 0: as the sample says
};

// The message of `frame` with `changes` applied, without copying the shared bytes.
grpc::ByteBuffer ToBuffer(const Frame& frame, const FrameOverride& changes);

class FrameCache {
 public:
  // The frame of `sample`, made by the first caller.
  Frame Get(const std::shared_ptr<const v1::WatchResponse>& sample);

 private:
  std::mutex mutex_;
  uint64_t time_ns_ = 0;  // of the cached samples
  // Holding the sample keeps its address from being used by another.
  std::vector<std::pair<std::shared_ptr<const v1::WatchResponse>, Frame>> frames_;
};

}  // namespace layered::api

#endif  // LAYERED_DAEMON_API_FRAME_CACHE_H_
