// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/testing/fake_layer_store.h"

#include <utility>
#include <vector>

#include "daemon/config/validate.h"
#include "google/protobuf/util/message_differencer.h"

namespace layered::api {
namespace {

int IndexOf(const v1::LayerSet& set, const std::string& name) {
  for (int i = 0; i < set.layers_size(); ++i) {
    if (set.layers(i).name() == name) return i;
  }
  return -1;
}

bool Has(const v1::SetLayerRequest& request, const std::string& field) {
  if (!request.has_update_mask()) return true;
  for (const std::string& path : request.update_mask().paths()) {
    if (path == field) return true;
  }
  return false;
}

void Merge(const v1::SetLayerRequest& request, v1::Layer* layer) {
  const v1::Layer& wanted = request.layer();
  layer->set_name(wanted.name());
  if (Has(request, "weight") && wanted.has_weight()) layer->set_weight(wanted.weight());
  if (Has(request, "slice") && wanted.has_slice()) *layer->mutable_slice() = wanted.slice();
  if (Has(request, "match") && wanted.match_size() > 0) *layer->mutable_match() = wanted.match();
}

// Moves the layer at `from` to right before the one at `to`.
void Move(v1::LayerSet* set, int from, int to) {
  for (; from < to - 1; ++from) set->mutable_layers()->SwapElements(from, from + 1);
  for (; from > to; --from) set->mutable_layers()->SwapElements(from, from - 1);
}

absl::StatusOr<v1::LayerSet> Apply(v1::LayerSet set, const v1::SetLayerRequest& request) {
  int at = IndexOf(set, request.layer().name());
  if (at < 0) {
    at = set.layers_size();
    set.add_layers();
    Move(&set, at, at - 1);  // just before the catch-all
    --at;
  }
  Merge(request, set.mutable_layers(at));
  if (request.position_case() != v1::SetLayerRequest::POSITION_NOT_SET) {
    const bool before = request.has_before();
    const std::string& anchor = before ? request.before() : request.after();
    const int to = IndexOf(set, anchor);
    if (to < 0) return absl::NotFoundError("no layer '" + anchor + "'");
    Move(&set, at, before ? to : to + 1);
  }
  if (const Violations violations = ValidateLayerSet(set); !violations.empty()) {
    return ToStatus(violations);
  }
  return set;
}

absl::StatusOr<v1::LayerSet> Apply(v1::LayerSet set, const v1::DeleteLayerRequest& request) {
  const int at = IndexOf(set, request.name());
  if (at < 0) return absl::NotFoundError("no layer '" + request.name() + "'");
  if (IsCatchAll(set.layers(at))) {
    return absl::FailedPreconditionError("the catch-all cannot be removed");
  }
  set.mutable_layers()->DeleteSubrange(at, 1);
  return set;
}

}  // namespace

FakeLayerStore::FakeLayerStore(std::string instance_id) : instance_id_(std::move(instance_id)) {
  v1::LayerSet set;
  set.add_layers()->set_name("default");
  set.mutable_layers(0)->add_match()->add_terms()->mutable_all();
  Commit(set, {}, "start");
  thread_ = std::thread([this] { Run(); });
}

FakeLayerStore::~FakeLayerStore() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wakeup_.notify_all();
  thread_.join();
}

std::shared_ptr<const Revision> FakeLayerStore::Desired() const {
  std::lock_guard lock(mutex_);
  return revision_;
}

void FakeLayerStore::Submit(Command command, Author author, Done done) {
  {
    std::lock_guard lock(mutex_);
    queue_.push_back({std::move(command), std::move(author), std::move(done)});
  }
  wakeup_.notify_all();
}

void FakeLayerStore::Freeze(bool frozen) {
  {
    std::lock_guard lock(mutex_);
    frozen_ = frozen;
  }
  wakeup_.notify_all();
}

void FakeLayerStore::Run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wakeup_.wait(lock, [this] { return stop_ || (!frozen_ && !queue_.empty()); });
    if (stop_) return;
    const Queued queued = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    queued.done(Execute(queued));
    lock.lock();
  }
}

absl::StatusOr<CommitResult> FakeLayerStore::Execute(const Queued& queued) {
  const std::shared_ptr<const Revision> current = Desired();
  const auto run = [&](const auto& request) -> absl::StatusOr<CommitResult> {
    if (!request.etag().empty() && request.etag() != current->etag) {
      return absl::AbortedError("etag " + request.etag() + " is not the current one, " +
                                current->etag);
    }
    absl::StatusOr<v1::LayerSet> set = Apply(current->layers, request);
    if (!set.ok()) return set.status();
    if (google::protobuf::util::MessageDifferencer::Equals(WithDefaults(*set),
                                                           WithDefaults(current->layers))) {
      return CommitResult{.revision = current, .unchanged = true};
    }
    return Commit(*std::move(set), queued.author, request.reason());
  };
  if (const auto* set = std::get_if<v1::SetLayerRequest>(&queued.command)) return run(*set);
  if (const auto* remove = std::get_if<v1::DeleteLayerRequest>(&queued.command)) {
    return run(*remove);
  }
  return absl::UnimplementedError("the API does not replace");
}

CommitResult FakeLayerStore::Commit(v1::LayerSet layers, const Author& author,
                                    const std::string& reason) {
  auto revision = std::make_shared<Revision>();
  std::lock_guard lock(mutex_);
  revision->parent = revision_ == nullptr ? 0 : revision_->number;
  revision->number = revision->parent + 1;
  revision->etag = instance_id_ + "-" + std::to_string(revision->number);
  revision->layers = std::move(layers);
  revision->author = "uid=" + std::to_string(author.uid);
  revision->reason = reason;
  revision_ = revision;
  return {.revision = revision_, .unchanged = false};
}

}  // namespace layered::api
