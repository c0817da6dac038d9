// SPDX-License-Identifier: Apache-2.0
//
// A LayerStore for tests of the API: the whole contract of layer_store.h in memory, answered on a
// thread of its own, without a kernel.
//
// Thread-safety: all methods may be called from any thread.
// Ownership: the destructor drops what is still queued without answering it, as a controller that
// hangs would.

#ifndef LAYERED_DAEMON_API_TESTING_FAKE_LAYER_STORE_H_
#define LAYERED_DAEMON_API_TESTING_FAKE_LAYER_STORE_H_

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "daemon/control/layer_store.h"

namespace layered::api {

class FakeLayerStore final : public LayerStore {
 public:
  // Starts with one catch-all layer "default" at revision 1.
  explicit FakeLayerStore(std::string instance_id);
  ~FakeLayerStore() override;

  std::shared_ptr<const Revision> Desired() const override;
  void Submit(Command command, Author author, Done done) override;

  // Answers nothing until told otherwise.
  void Freeze(bool frozen);

 private:
  struct Queued {
    Command command;
    Author author;
    Done done;
  };

  void Run();
  absl::StatusOr<CommitResult> Execute(const Queued& queued);
  CommitResult Commit(v1::LayerSet layers, const Author& author, const std::string& reason);

  const std::string instance_id_;
  mutable std::mutex mutex_;
  std::condition_variable wakeup_;
  std::deque<Queued> queue_;
  bool stop_ = false;
  bool frozen_ = false;
  std::shared_ptr<const Revision> revision_;
  std::thread thread_;
};

}  // namespace layered::api

#endif  // LAYERED_DAEMON_API_TESTING_FAKE_LAYER_STORE_H_
