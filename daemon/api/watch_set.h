// SPDX-License-Identifier: Apache-2.0
//
// All Watch streams, and the one thread that starts their writes (so that the sampler does not) and
// cuts off clients that stopped reading.
//
// Thread-safety: all methods may be called from any thread.
// Ownership: holds a reference to each stream until it is done; the peer table is borrowed.
// Failure: a user with too many streams is refused (Add); nothing else fails.

#ifndef LAYERED_DAEMON_API_WATCH_SET_H_
#define LAYERED_DAEMON_API_WATCH_SET_H_

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "daemon/api/limits.h"
#include "daemon/api/peer_table.h"
#include "daemon/api/watch_stream.h"
#include "daemon/base/clock.h"

namespace layered::api {

class WatchSet {
 public:
  WatchSet(PeerTable* peers, Clock* clock, const Limits& limits);

  // Joins the thread. No stream may be left.
  ~WatchSet();

  WatchSet(const WatchSet&) = delete;
  WatchSet& operator=(const WatchSet&) = delete;

  // Registers a stream, which lives until it is done. RESOURCE_EXHAUSTED with the limit if its user
  // or all users together have too many, UNAVAILABLE if all were ended already: the caller ends it.
  absl::Status Add(const std::shared_ptr<WatchStream>& stream);

  // Forgets a stream that is done.
  void Remove(WatchStream* stream);

  // Asks the thread to call stream->Pump().
  void Ready(std::shared_ptr<WatchStream> stream);

  // Ends all streams, takes no new ones, and waits at most `patience` until they are done. False if
  // some are not: their clients do not read, their connections must be cut.
  bool EndAll(const grpc::Status& status, std::chrono::milliseconds patience);

  // Open streams.
  int size() const;

 private:
  struct Entry {
    std::shared_ptr<WatchStream> stream;
    bool counted = false;  // against the limits; refused ones and administrators' are not
  };

  absl::Status AdmitLocked(const Peer& peer) const;
  void Run();
  void CutStalled();

  PeerTable* const peers_;
  Clock* const clock_;
  const Limits limits_;

  mutable std::mutex mutex_;
  std::condition_variable wakeup_;  // the thread: ready_ or stop_
  std::condition_variable removed_;
  bool ended_ = false;
  bool stop_ = false;
  std::map<WatchStream*, Entry> streams_;
  std::map<uint32_t, int> by_uid_;  // counted streams
  int others_ = 0;                  // the same, of all uids
  std::vector<std::shared_ptr<WatchStream>> ready_;
  std::thread thread_;
};

}  // namespace layered::api

#endif  // LAYERED_DAEMON_API_WATCH_SET_H_
