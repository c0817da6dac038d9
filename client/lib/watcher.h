// SPDX-License-Identifier: Apache-2.0
//
// Samples of the daemon for as long as one wants: when the daemon goes away the watcher says so
// once, tries again (after 100 ms, then twice as long each time, at most 2 s), and says when it is
// back.
//
// Thread-safety: one thread calls Next; Cancel may be called from any other.
// Failure: Next returns the error of the first connection, and later only errors that trying again
// does not cure (PERMISSION_DENIED, INVALID_ARGUMENT, ...).

#ifndef LAYERED_CLIENT_LIB_WATCHER_H_
#define LAYERED_CLIENT_LIB_WATCHER_H_

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <variant>

#include "absl/status/statusor.h"
#include "layered/v1/stats_service.grpc.pb.h"

namespace layered::client {

// The connection is lost; the watcher keeps trying.
struct Lost {
  std::string reason;
};

// The connection is back; the next event is its first sample.
struct Back {
  int64_t away_ns = 0;     // since Lost
  bool restarted = false;  // it is another instance of the daemon: counters began anew
};

using WatchEvent = std::variant<v1::WatchResponse, Lost, Back>;

class Watcher {
 public:
  Watcher(std::string socket, v1::WatchRequest request, std::chrono::milliseconds timeout);
  ~Watcher();

  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // Waits for the next event. CANCELLED after Cancel.
  absl::StatusOr<WatchEvent> Next();

  // Ends a Next that waits, and all later ones.
  void Cancel();

 private:
  // One try: connects and reads the first sample.
  absl::StatusOr<v1::WatchResponse> Open();
  absl::StatusOr<v1::WatchResponse> Read();
  // Waits before the next try; false if cancelled.
  bool BackOff();

  const std::string socket_;
  const v1::WatchRequest request_;
  const std::chrono::milliseconds timeout_;

  std::unique_ptr<v1::StatsService::Stub> stub_;
  std::unique_ptr<grpc::ClientReader<v1::WatchResponse>> reader_;
  std::string instance_;                           // of the last sample; empty before the first
  std::chrono::steady_clock::time_point lost_at_;  // while reader_ is null
  std::chrono::milliseconds delay_{0};
  std::unique_ptr<v1::WatchResponse> first_;  // to be returned after Back

  std::mutex mutex_;
  std::condition_variable wakeup_;
  bool cancelled_ = false;
  std::shared_ptr<grpc::ClientContext> context_;  // of the open stream
};

}  // namespace layered::client

#endif  // LAYERED_CLIENT_LIB_WATCHER_H_
