// SPDX-License-Identifier: Apache-2.0

#include "client/lib/watcher.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "client/lib/client.h"
#include "client/lib/probe.h"

namespace layered::client {
namespace {

constexpr std::chrono::milliseconds kFirstDelay{100};
constexpr std::chrono::milliseconds kLongestDelay{2000};

// Trying again may help: the daemon is gone, stopping, starting or cut us off.
bool IsTransient(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kCancelled:
    case absl::StatusCode::kUnknown:
    case absl::StatusCode::kInternal:
    case absl::StatusCode::kDeadlineExceeded:
      return true;
    default:
      return false;
  }
}

// Cancels a call that does not get anywhere in time. A stream has no deadline of its own that would
// end with its first message.
class FirstMessageDeadline {
 public:
  FirstMessageDeadline(std::shared_ptr<grpc::ClientContext> context,
                       std::chrono::milliseconds patience)
      : thread_([this, context = std::move(context), patience] {
          std::unique_lock lock(mutex_);
          if (wakeup_.wait_for(lock, patience, [this] { return met_; })) return;
          expired_ = true;
          context->TryCancel();
        }) {}

  ~FirstMessageDeadline() { Met(); }

  // Ends the wait; false if it was too late.
  bool Met() {
    {
      std::lock_guard lock(mutex_);
      met_ = true;
    }
    wakeup_.notify_all();
    if (thread_.joinable()) thread_.join();
    return !expired_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable wakeup_;
  bool met_ = false;
  bool expired_ = false;
  std::thread thread_;
};

}  // namespace

Watcher::Watcher(std::string socket, v1::WatchRequest request, std::chrono::milliseconds timeout)
    : socket_(std::move(socket)), request_(std::move(request)), timeout_(timeout) {}

Watcher::~Watcher() {
  Cancel();
  if (reader_ != nullptr) reader_->Finish();
}

void Watcher::Cancel() {
  std::lock_guard lock(mutex_);
  cancelled_ = true;
  if (context_ != nullptr) context_->TryCancel();
  wakeup_.notify_all();
}

absl::StatusOr<WatchEvent> Watcher::Next() {
  if (first_ != nullptr) return WatchEvent(*std::exchange(first_, nullptr));
  absl::StatusOr<v1::WatchResponse> sample = reader_ != nullptr ? Read() : Open();
  if (sample.ok() && lost_at_ == std::chrono::steady_clock::time_point()) {
    instance_ = sample->instance_id();
    return WatchEvent(*std::move(sample));
  }

  bool known_lost = lost_at_ != std::chrono::steady_clock::time_point();
  while (!sample.ok()) {
    {
      std::lock_guard lock(mutex_);
      if (cancelled_) return absl::CancelledError("the watch was ended");
    }
    // Before the first sample nothing is lost: the caller hears why it does not work.
    if (instance_.empty() || !IsTransient(sample.status())) return sample.status();
    if (!known_lost) {
      lost_at_ = std::chrono::steady_clock::now();
      delay_ = kFirstDelay;
      return WatchEvent(Lost{std::string(sample.status().message())});
    }
    if (!BackOff()) return absl::CancelledError("the watch was ended");
    sample = Open();
  }

  const auto away = std::chrono::steady_clock::now() -
                    std::exchange(lost_at_, std::chrono::steady_clock::time_point());
  Back back{.away_ns = std::chrono::nanoseconds(away).count(),
            .restarted = sample->instance_id() != instance_};
  instance_ = sample->instance_id();
  first_ = std::make_unique<v1::WatchResponse>(*std::move(sample));
  return WatchEvent(back);
}

absl::StatusOr<v1::WatchResponse> Watcher::Open() {
  if (const absl::Status status = ProbeSocket(socket_); !status.ok()) return status;
  stub_ = v1::StatsService::NewStub(MakeChannel(socket_));
  {
    std::lock_guard lock(mutex_);
    context_ = std::make_shared<grpc::ClientContext>();
    if (cancelled_) return absl::CancelledError("the watch was ended");
  }
  FirstMessageDeadline deadline(context_, timeout_);
  reader_ = stub_->Watch(context_.get(), request_);
  absl::StatusOr<v1::WatchResponse> first = Read();
  if (deadline.Met() || first.ok()) return first;
  return FromCall(grpc::Status(grpc::StatusCode::DEADLINE_EXCEEDED, ""), timeout_);
}

absl::StatusOr<v1::WatchResponse> Watcher::Read() {
  v1::WatchResponse sample;
  if (reader_->Read(&sample)) return sample;
  const absl::Status status = FromCall(reader_->Finish(), timeout_);
  reader_.reset();
  if (status.ok()) return absl::UnavailableError("the daemon ended the stream");
  return status;
}

bool Watcher::BackOff() {
  std::unique_lock lock(mutex_);
  wakeup_.wait_for(lock, delay_, [this] { return cancelled_; });
  delay_ = std::min(2 * delay_, kLongestDelay);
  return !cancelled_;
}

}  // namespace layered::client
