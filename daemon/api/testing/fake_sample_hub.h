// SPDX-License-Identifier: Apache-2.0
//
// A SampleHub for tests of the API: gives samples when it is told to, or at each subscriber's
// interval.
//
// Thread-safety: all methods may be called from any thread.
// Ownership: outlives its subscriptions.

#ifndef LAYERED_DAEMON_API_TESTING_FAKE_SAMPLE_HUB_H_
#define LAYERED_DAEMON_API_TESTING_FAKE_SAMPLE_HUB_H_

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "daemon/base/clock.h"
#include "daemon/stats/sample_hub.h"

namespace layered::api {

class FakeSampleHub final : public SampleHub {
 public:
  // Two layers, "web" that uses three quarters of 4 CPUs and "default" that uses one. `padding`
  // adds so many bytes to each sample (in the name of a third layer).
  FakeSampleHub(std::string instance_id, Clock* clock, std::size_t padding = 0);
  ~FakeSampleHub() override;

  absl::StatusOr<std::unique_ptr<Subscription>> Subscribe(Options options,
                                                          Callback callback) override;

  // From now on each subscriber gets samples at its interval.
  void Start();

  // Gives one sample to every subscriber, now.
  void Tick();

  int subscribers() const;

  // Of the newest subscriber.
  Options last_options() const;

 private:
  class Ticket;
  struct Subscriber {
    Options options;
    Callback callback;
    uint64_t last_ns = 0;  // of its last sample; 0: none yet
    uint64_t due_ns = 0;
  };

  void Run();
  void Give(Subscriber* subscriber, uint64_t now_ns);
  void Leave(int id);

  const std::string instance_id_;
  Clock* const clock_;
  const std::size_t padding_;
  mutable std::mutex mutex_;  // held during callbacks: a leaving subscriber waits for its own
  std::condition_variable wakeup_;
  bool stop_ = false;
  int next_id_ = 0;
  std::map<int, Subscriber> subscribers_;
  std::thread thread_;
};

}  // namespace layered::api

#endif  // LAYERED_DAEMON_API_TESTING_FAKE_SAMPLE_HUB_H_
