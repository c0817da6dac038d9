// SPDX-License-Identifier: Apache-2.0
//
// What the API sees of the control side: the current revision and a queue of commands. The control
// thread owns desired state; readers take a snapshot.
//
// Thread-safety: all methods may be called from any thread.
// Ownership: snapshots are immutable and shared; they stay valid as long as they are held.
// Failure: a command that is refused changes nothing; its status says why (see Mutation).

#ifndef LAYERED_DAEMON_CONTROL_LAYER_STORE_H_
#define LAYERED_DAEMON_CONTROL_LAYER_STORE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "layered/v1/layer.pb.h"
#include "layered/v1/layer_service.pb.h"

namespace layered {

// A numbered, immutable, validated set of layers.
struct Revision {
  uint64_t number = 0;
  std::string etag;  // instance id and number
  v1::LayerSet layers;
  std::string author;  // "uid=0 pid=12 comm=layeredctl" or "config FILE"
  std::string reason;
  uint64_t parent = 0;
  int64_t time_ns = 0;  // CLOCK_REALTIME
};

// Who asks for a change.
struct Author {
  uint32_t uid = 0;
  int32_t pid = 0;
  std::string comm;
};

// A change. Replace is SIGHUP's and the start's.
struct ReplaceCommand {
  v1::LayerSet layers;
  std::string reason;
};
using Command = std::variant<v1::SetLayerRequest, v1::DeleteLayerRequest, ReplaceCommand>;

// What became of it.
struct CommitResult {
  std::shared_ptr<const Revision> revision;
  bool unchanged = false;
};

class LayerStore {
 public:
  using Done = std::function<void(absl::StatusOr<CommitResult>)>;

  virtual ~LayerStore() = default;

  // The newest accepted revision; never null after start.
  virtual std::shared_ptr<const Revision> Desired() const = 0;

  // Queues a command; `done` is called once, on the control thread, when it is accepted or
  // refused (not when it is published). Statuses: INVALID_ARGUMENT with violations, ABORTED on an
  // etag mismatch, NOT_FOUND, FAILED_PRECONDITION (deleting the catch-all), RESOURCE_EXHAUSTED
  // (no slot, or too many queued commands), UNAVAILABLE (stopping).
  virtual void Submit(Command command, Author author, Done done) = 0;
};

}  // namespace layered

#endif  // LAYERED_DAEMON_CONTROL_LAYER_STORE_H_
