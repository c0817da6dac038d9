// SPDX-License-Identifier: Apache-2.0

#include "daemon/control/command_eval.h"

#include <utility>

#include "daemon/config/edit.h"
#include "daemon/config/validate.h"
#include "daemon/config/violation.h"
#include "google/protobuf/util/message_differencer.h"

namespace layered {
namespace {

using google::protobuf::util::MessageDifferencer;

absl::Status CheckEtag(const Revision& current, const std::string& etag) {
  if (etag.empty() || etag == current.etag) return absl::OkStatus();
  return absl::AbortedError("etag " + etag + " does not name the current state, which is " +
                            current.etag);
}

// Whether the layer of this name differs between the two sets (absent from one counts).
bool Differs(const v1::LayerSet& a, const v1::LayerSet& b, const std::string& name) {
  const int in_a = FindLayer(a, name);
  const int in_b = FindLayer(b, name);
  if (in_a < 0 || in_b < 0) return in_a != in_b;
  return !MessageDifferencer::Equals(WithDefaults(a.layers(in_a)), WithDefaults(b.layers(in_b)));
}

class Evaluator {
 public:
  Evaluator(const Revision& current, const std::set<std::string>& live_changes)
      : current_(current), live_changes_(live_changes) {}

  absl::StatusOr<Evaluation> operator()(const v1::SetLayerRequest& request) const {
    absl::Status status = CheckEtag(current_, request.etag());
    if (!status.ok()) return status;
    return FromEdit(ApplySet(current_.layers, request), request.reason(),
                    "SetLayer " + request.layer().name());
  }

  absl::StatusOr<Evaluation> operator()(const v1::DeleteLayerRequest& request) const {
    absl::Status status = CheckEtag(current_, request.etag());
    if (!status.ok()) return status;
    return FromEdit(ApplyDelete(current_.layers, request), request.reason(),
                    "DeleteLayer " + request.name());
  }

  absl::StatusOr<Evaluation> operator()(const ReplaceCommand& command) const {
    absl::Status status = ToStatus(ValidateLayerSet(command.layers));
    if (!status.ok()) return status;
    Evaluation evaluation;
    evaluation.unchanged =
        MessageDifferencer::Equals(WithDefaults(current_.layers), WithDefaults(command.layers));
    evaluation.layers = command.layers;
    evaluation.reason = command.reason;
    evaluation.method = "Replace";
    evaluation.from_config = true;
    std::string dropped;
    for (const std::string& name : live_changes_) {
      if (!Differs(current_.layers, command.layers, name)) continue;
      dropped += (dropped.empty() ? "" : ", ") + name;
    }
    if (!dropped.empty()) evaluation.reason += "; drops live changes of: " + dropped;
    return evaluation;
  }

 private:
  static absl::StatusOr<Evaluation> FromEdit(absl::StatusOr<EditResult> edit,
                                             const std::string& reason, std::string method) {
    if (!edit.ok()) return edit.status();
    Evaluation evaluation;
    evaluation.layers = std::move(edit->layers);
    evaluation.unchanged = edit->unchanged;
    evaluation.reason = reason;
    evaluation.method = std::move(method);
    return evaluation;
  }

  const Revision& current_;
  const std::set<std::string>& live_changes_;
};

}  // namespace

absl::StatusOr<Evaluation> EvaluateCommand(const Revision& current,
                                           const std::set<std::string>& live_changes,
                                           const Command& command) {
  return std::visit(Evaluator(current, live_changes), command);
}

std::string MakeEtag(const std::string& instance_id, uint64_t number) {
  return instance_id + "-" + std::to_string(number);
}

std::string ToString(const Author& author) {
  return "uid=" + std::to_string(author.uid) + " pid=" + std::to_string(author.pid) +
         " comm=" + author.comm;
}

}  // namespace layered
