// SPDX-License-Identifier: Apache-2.0
//
// A queue between threads that refuses instead of growing: a flood of requests costs the sender an
// error, not the daemon its memory.
//
// Thread-safety: all methods may be called from any thread.
// Ownership: owns what is in it.
// Failure: a refused item is left with the caller, see Push.

#ifndef LAYERED_DAEMON_CONTROL_BOUNDED_QUEUE_H_
#define LAYERED_DAEMON_CONTROL_BOUNDED_QUEUE_H_

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace layered {

enum class PushResult { kQueued, kFull, kClosed };

template <typename T>
class BoundedQueue {
 public:
  // Holds at most `limit` items.
  explicit BoundedQueue(size_t limit) : limit_(limit) {}

  // Takes `item` only if the answer is kQueued.
  PushResult Push(T& item) {
    std::lock_guard lock(mutex_);
    if (closed_) return PushResult::kClosed;
    if (items_.size() >= limit_) return PushResult::kFull;
    items_.push_back(std::move(item));
    changed_.notify_one();
    return PushResult::kQueued;
  }

  // Waits for an item; nothing once the queue is closed and empty.
  std::optional<T> Pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || !items_.empty(); });
    if (items_.empty()) return std::nullopt;
    T item = std::move(items_.front());
    items_.pop_front();
    return item;
  }

  // From now on Push refuses; Pop hands out what is left, then nothing.
  void Close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

  bool closed() const {
    std::lock_guard lock(mutex_);
    return closed_;
  }

 private:
  const size_t limit_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<T> items_;
  bool closed_ = false;
};

}  // namespace layered

#endif  // LAYERED_DAEMON_CONTROL_BOUNDED_QUEUE_H_
