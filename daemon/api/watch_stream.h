// SPDX-License-Identifier: Apache-2.0
//
// One Watch stream. At most one frame is being written and one waits; a newer one replaces the one
// that waits, and the client is told how many it lost.
//
// Thread-safety: all methods may be called from any thread.
// Ownership: shared. The WatchSet holds a reference until OnDone; after that nothing is started on
// the call any more.

#ifndef LAYERED_DAEMON_API_WATCH_STREAM_H_
#define LAYERED_DAEMON_API_WATCH_STREAM_H_

#include <grpcpp/grpcpp.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "daemon/api/frame_cache.h"
#include "daemon/api/peer_table.h"
#include "daemon/base/clock.h"
#include "daemon/stats/sample_hub.h"

namespace layered::api {

class WatchSet;

class WatchStream final : public grpc::ServerWriteReactor<grpc::ByteBuffer>,
                          public std::enable_shared_from_this<WatchStream> {
 public:
  WatchStream(WatchSet* set, const Clock* clock, Peer peer, std::string peer_name)
      : set_(set), clock_(clock), peer_(std::move(peer)), peer_name_(std::move(peer_name)) {}

  // The source of frames; dropped in OnDone. Called before the handler returns.
  void Hold(std::unique_ptr<SampleHub::Subscription> subscription) {
    subscription_ = std::move(subscription);
  }

  // Takes a frame. Starts nothing itself (it runs on the sampler thread, and starting a write can
  // take a system call): true if the writer thread should call Pump.
  bool Offer(const Frame& frame);

  // Starts writing the waiting frame if no write is under way.
  void Pump();

  // Ends the stream. Idempotent.
  void End(const grpc::Status& status);

  // How long the current write has been under way at `now_ns`, 0 if none is.
  uint64_t BlockedFor(uint64_t now_ns) const;

  const Peer& peer() const { return peer_; }
  const std::string& peer_name() const { return peer_name_; }

  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

 private:
  void StartLocked();

  WatchSet* const set_;
  const Clock* const clock_;
  const Peer peer_;
  const std::string peer_name_;
  std::unique_ptr<SampleHub::Subscription> subscription_;

  mutable std::mutex mutex_;
  bool over_ = false;     // Finish was called: start nothing more
  bool writing_ = false;  // current_ belongs to gRPC
  grpc::ByteBuffer current_;
  uint64_t started_ns_ = 0;  // of the current write
  std::optional<Frame> waiting_;
  uint64_t lost_ = 0;        // frames lost since the last one sent
  bool lost_first_ = false;  // the flagged one among them
  uint64_t sent_ns_ = 0;     // time of the last sample sent
};

}  // namespace layered::api

#endif  // LAYERED_DAEMON_API_WATCH_STREAM_H_
