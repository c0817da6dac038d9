// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/watch_stream.h"

#include <utility>

#include "daemon/api/watch_set.h"

namespace layered::api {

bool WatchStream::Offer(const Frame& frame) {
  std::lock_guard lock(mutex_);
  if (over_) return false;
  if (waiting_) {
    ++lost_;
    lost_first_ |= waiting_->first;
  }
  const bool idle = !writing_ && !waiting_;
  waiting_ = frame;
  return idle;
}

void WatchStream::Pump() {
  std::lock_guard lock(mutex_);
  if (!over_ && !writing_ && waiting_) StartLocked();
}

void WatchStream::StartLocked() {
  FrameOverride changes{
      .gap = std::exchange(lost_, 0), .first = std::exchange(lost_first_, false), .interval_ns = 0};
  if (changes.gap > 0 && sent_ns_ != 0 && waiting_->time_ns > sent_ns_) {
    changes.interval_ns = waiting_->time_ns - sent_ns_;
  }
  sent_ns_ = waiting_->time_ns;
  current_ = ToBuffer(*waiting_, changes);
  waiting_.reset();
  writing_ = true;
  started_ns_ = clock_->MonotonicNs();
  StartWrite(&current_);
}

void WatchStream::End(const grpc::Status& status) {
  std::lock_guard lock(mutex_);
  if (std::exchange(over_, true)) return;
  waiting_.reset();
  Finish(status);
}

uint64_t WatchStream::BlockedFor(uint64_t now_ns) const {
  std::lock_guard lock(mutex_);
  return writing_ && now_ns > started_ns_ ? now_ns - started_ns_ : 0;
}

void WatchStream::OnWriteDone(bool ok) {
  {
    std::lock_guard lock(mutex_);
    writing_ = false;
    if (over_) return;
    if (ok) {
      if (waiting_) StartLocked();
      return;
    }
  }
  End(grpc::Status(grpc::StatusCode::CANCELLED, "the connection is gone"));
}

void WatchStream::OnCancel() {
  End(grpc::Status(grpc::StatusCode::CANCELLED, "the call was ended"));
}

void WatchStream::OnDone() {
  subscription_.reset();  // waits for a callback that is running
  set_->Remove(this);     // may delete this
}

}  // namespace layered::api
