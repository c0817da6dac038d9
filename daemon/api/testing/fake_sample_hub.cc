// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/testing/fake_sample_hub.h"

#include <algorithm>
#include <utility>

namespace layered::api {
namespace {

void AddLayer(const std::string& name, uint32_t slot, uint64_t cpu_ns, v1::WatchResponse* sample) {
  v1::LayerStats* const layer = sample->add_layers();
  layer->set_name(name);
  layer->set_slot(slot);
  layer->set_generation(1);
  layer->set_cpu_ns(cpu_ns);
  layer->set_tasks(12);
  layer->set_queued(3);
  layer->set_running(1);
  layer->set_weight(100);
}

}  // namespace

class FakeSampleHub::Ticket final : public Subscription {
 public:
  Ticket(FakeSampleHub* hub, int id) : hub_(hub), id_(id) {}
  ~Ticket() override { hub_->Leave(id_); }

 private:
  FakeSampleHub* const hub_;
  const int id_;
};

FakeSampleHub::FakeSampleHub(std::string instance_id, Clock* clock, std::size_t padding)
    : instance_id_(std::move(instance_id)), clock_(clock), padding_(padding) {}

FakeSampleHub::~FakeSampleHub() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wakeup_.notify_all();
  if (thread_.joinable()) thread_.join();
}

absl::StatusOr<std::unique_ptr<SampleHub::Subscription>> FakeSampleHub::Subscribe(
    Options options, Callback callback) {
  std::lock_guard lock(mutex_);
  const int id = next_id_++;
  subscribers_[id] = {.options = std::move(options), .callback = std::move(callback)};
  wakeup_.notify_all();
  return std::make_unique<Ticket>(this, id);
}

void FakeSampleHub::Start() {
  thread_ = std::thread([this] { Run(); });
}

void FakeSampleHub::Tick() {
  std::lock_guard lock(mutex_);
  const uint64_t now = clock_->MonotonicNs();
  for (auto& [id, subscriber] : subscribers_) Give(&subscriber, now);
}

int FakeSampleHub::subscribers() const {
  std::lock_guard lock(mutex_);
  return static_cast<int>(subscribers_.size());
}

SampleHub::Options FakeSampleHub::last_options() const {
  std::lock_guard lock(mutex_);
  return subscribers_.empty() ? Options{} : subscribers_.rbegin()->second.options;
}

void FakeSampleHub::Leave(int id) {
  std::lock_guard lock(mutex_);
  subscribers_.erase(id);
}

void FakeSampleHub::Run() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    const uint64_t now = clock_->MonotonicNs();
    uint64_t next = Clock::kNever;
    for (auto& [id, subscriber] : subscribers_) {
      if (now >= subscriber.due_ns) {
        Give(&subscriber, now);
        subscriber.due_ns = now + static_cast<uint64_t>(subscriber.options.interval_ns);
      }
      next = std::min(next, subscriber.due_ns);
    }
    clock_->WaitUntil(lock, wakeup_, next);
  }
}

void FakeSampleHub::Give(Subscriber* subscriber, uint64_t now_ns) {
  auto sample = std::make_shared<v1::WatchResponse>();
  sample->set_time_ns(now_ns);
  sample->set_first(subscriber->last_ns == 0);
  sample->set_interval_ns(subscriber->last_ns == 0 ? 0 : now_ns - subscriber->last_ns);
  sample->set_instance_id(instance_id_);
  sample->set_revision(1);
  AddLayer("web", 0, 3 * now_ns, sample.get());
  AddLayer("default", 1, now_ns, sample.get());
  if (padding_ > 0) AddLayer(std::string(padding_, 'x'), 2, 0, sample.get());
  sample->mutable_machine()->set_cpus(4);
  subscriber->last_ns = now_ns;
  subscriber->callback(sample);
}

}  // namespace layered::api
