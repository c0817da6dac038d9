// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/watch_set.h"

#include <string>
#include <utility>

#include "spdlog/spdlog.h"

namespace layered::api {
namespace {

// How often stalled streams are looked for.
constexpr uint64_t kTickNs = 1'000'000'000;

}  // namespace

WatchSet::WatchSet(PeerTable* peers, Clock* clock, const Limits& limits)
    : peers_(peers), clock_(clock), limits_(limits), thread_([this] { Run(); }) {}

WatchSet::~WatchSet() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wakeup_.notify_all();
  thread_.join();
}

absl::Status WatchSet::Add(const std::shared_ptr<WatchStream>& stream) {
  const Peer& peer = stream->peer();
  std::lock_guard lock(mutex_);
  absl::Status status = AdmitLocked(peer);
  const bool counted = status.ok() && peer.role != Role::kAdmin;
  streams_[stream.get()] = {.stream = stream, .counted = counted};
  if (counted) {
    ++by_uid_[peer.credentials.uid];
    ++others_;
  }
  return status;
}

absl::Status WatchSet::AdmitLocked(const Peer& peer) const {
  if (ended_) return absl::UnavailableError("the daemon stops");
  if (peer.role == Role::kAdmin) return absl::OkStatus();
  const auto at = by_uid_.find(peer.credentials.uid);
  const int mine = at == by_uid_.end() ? 0 : at->second;
  if (mine >= limits_.watchers_per_uid) {
    return absl::ResourceExhaustedError("uid " + std::to_string(peer.credentials.uid) + " has " +
                                        std::to_string(mine) +
                                        " open Watch streams, which is the limit");
  }
  if (others_ >= limits_.watchers_of_others) {
    return absl::ResourceExhaustedError("viewers have " + std::to_string(others_) +
                                        " open Watch streams in all, which is the limit");
  }
  return absl::OkStatus();
}

void WatchSet::Remove(WatchStream* stream) {
  std::shared_ptr<WatchStream> last;  // destroyed without the lock
  std::lock_guard lock(mutex_);
  const auto at = streams_.find(stream);
  if (at == streams_.end()) return;
  last = std::move(at->second.stream);
  if (at->second.counted) {
    const auto uid = by_uid_.find(stream->peer().credentials.uid);
    if (--uid->second == 0) by_uid_.erase(uid);
    --others_;
  }
  streams_.erase(at);
  removed_.notify_all();
}

void WatchSet::Ready(std::shared_ptr<WatchStream> stream) {
  {
    std::lock_guard lock(mutex_);
    ready_.push_back(std::move(stream));
  }
  wakeup_.notify_one();
}

bool WatchSet::EndAll(const grpc::Status& status, std::chrono::milliseconds patience) {
  std::vector<std::shared_ptr<WatchStream>> all;
  {
    std::lock_guard lock(mutex_);
    ended_ = true;
    for (const auto& [raw, entry] : streams_) all.push_back(entry.stream);
  }
  for (const auto& stream : all) stream->End(status);
  all.clear();
  std::unique_lock lock(mutex_);
  return removed_.wait_for(lock, patience, [this] { return streams_.empty(); });
}

int WatchSet::size() const {
  std::lock_guard lock(mutex_);
  return static_cast<int>(streams_.size());
}

void WatchSet::Run() {
  uint64_t tick = clock_->MonotonicNs() + kTickNs;
  std::unique_lock lock(mutex_);
  while (!stop_) {
    if (ready_.empty()) clock_->WaitUntil(lock, wakeup_, tick);
    const std::vector<std::shared_ptr<WatchStream>> ready = std::exchange(ready_, {});
    lock.unlock();
    for (const auto& stream : ready) stream->Pump();
    if (const uint64_t now = clock_->MonotonicNs(); now >= tick) {
      CutStalled();
      tick = now + kTickNs;
    }
    lock.lock();
  }
}

void WatchSet::CutStalled() {
  std::vector<std::shared_ptr<WatchStream>> all;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [raw, entry] : streams_) all.push_back(entry.stream);
  }
  const uint64_t now = clock_->MonotonicNs();
  for (const auto& stream : all) {
    if (stream->BlockedFor(now) <= limits_.stalled_stream_ns) continue;
    // Cancelling would not end a blocked write; cutting the connection does.
    if (peers_->Cut(stream->peer_name())) {
      const Peer& peer = stream->peer();
      spdlog::warn("api: dropped a watcher that does not read: uid={} pid={} comm={}",
                   peer.credentials.uid, peer.credentials.pid, peer.comm);
    }
  }
}

}  // namespace layered::api
