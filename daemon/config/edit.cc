// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/edit.h"

#include <set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "daemon/config/text.h"
#include "daemon/config/validate.h"
#include "daemon/config/violation.h"
#include "google/protobuf/util/message_differencer.h"

namespace layered {
namespace {

using google::protobuf::util::MessageDifferencer;

const std::vector<std::string>& EditableFields() {
  static const auto* const fields =
      new std::vector<std::string>{"kind", "match", "weight", "slice"};
  return *fields;
}

std::vector<std::string> Names(const v1::LayerSet& set) {
  std::vector<std::string> names;
  for (const v1::Layer& layer : set.layers()) names.push_back(layer.name());
  return names;
}

Violation NoSuchLayer(const v1::LayerSet& set, const std::string& field, const std::string& name) {
  const std::string guess = DidYouMean(name, Names(set));
  return {field, "there is no layer " + Quoted(name), guess, 0, 0};
}

bool SameMatch(const v1::Layer& a, const v1::Layer& b) {
  if (a.match_size() != b.match_size()) return false;
  for (int i = 0; i < a.match_size(); ++i) {
    if (!MessageDifferencer::Equals(a.match(i), b.match(i))) return false;
  }
  return true;
}

// One SetLayer on one set.
class SetEdit {
 public:
  SetEdit(const v1::LayerSet& current, const v1::SetLayerRequest& request)
      : current_(current),
        request_(request),
        given_(request.layer()),
        index_(FindLayer(current, request.layer().name())) {}

  absl::StatusOr<EditResult> Run() {
    ReadMask();
    if (given_.name().empty()) Add("layer.name", "a name is missing");
    CheckMatch();
    FindPlace();

    EditResult result{Build(), false};
    CheckResult(result.layers);
    if (!violations_.empty()) {
      violations_.insert(violations_.end(), not_found_.begin(), not_found_.end());
      return ToStatus(violations_);
    }
    if (!not_found_.empty()) return ToStatus(absl::StatusCode::kNotFound, not_found_);
    result.unchanged =
        MessageDifferencer::Equals(WithDefaults(result.layers), WithDefaults(current_));
    if (result.unchanged) result.layers = current_;
    return result;
  }

 private:
  void Add(const std::string& field, const std::string& description, const std::string& hint = "") {
    violations_.push_back({field, description, hint, 0, 0});
  }

  bool is_new() const { return index_ < 0; }
  bool is_catch_all() const { return !is_new() && IsCatchAll(current_.layers(index_)); }
  bool Takes(const std::string& field) const { return fields_.count(field) > 0; }

  void ReadMask() {
    if (request_.update_mask().paths().empty()) {
      if (given_.kind() != v1::LAYER_KIND_UNSPECIFIED) fields_.insert("kind");
      if (given_.match_size() > 0) fields_.insert("match");
      if (given_.has_weight()) fields_.insert("weight");
      if (given_.has_slice()) fields_.insert("slice");
      return;
    }
    for (const std::string& path : request_.update_mask().paths()) {
      bool known = false;
      for (const std::string& field : EditableFields()) known = known || path == field;
      if (known) {
        fields_.insert(path);
      } else if (path == "name") {
        Add("update_mask", "a name cannot be changed",
            "create a layer of the new name and delete the old one");
      } else {
        const std::string guess = DidYouMean(path, EditableFields());
        Add("update_mask", "there is no field " + Quoted(path),
            guess.empty() ? "fields are " + Joined(EditableFields()) : guess);
      }
    }
  }

  void CheckMatch() {
    static constexpr char kExample[] = "such as --match 'cgroup=/web.slice/*'";
    if (is_catch_all()) {
      if (Takes("match") && !SameMatch(given_, current_.layers(index_))) {
        Add("layer.match", "the catch-all takes no match but 'all'");
        match_told_ = true;
      }
      return;
    }
    const bool taken = Takes("match") && given_.match_size() > 0;
    if (is_new() && !taken) {
      Add("layer.match", "a new layer needs a match", kExample);
      match_told_ = true;
    } else if (Takes("match") && !taken) {
      Add("layer.match", "a layer needs a match", kExample);
      match_told_ = true;
    } else if (taken && IsCatchAll(given_)) {
      Add("layer.match",
          "there is a catch-all already, " +
              Quoted(current_.layers(current_.layers_size() - 1).name()),
          "change that one instead");
      match_told_ = true;
    }
  }

  // Sets place_: the index, in the set without this layer, before which the layer goes.
  void FindPlace() {
    place_ = is_new() ? current_.layers_size() - 1 : index_;
    const bool before = request_.position_case() == v1::SetLayerRequest::kBefore;
    const bool after = request_.position_case() == v1::SetLayerRequest::kAfter;
    if (!before && !after) return;
    const std::string field = before ? "before" : "after";
    const std::string& name = before ? request_.before() : request_.after();
    if (name.empty()) return Add(field, "the name of a layer is missing");
    if (is_catch_all()) return Add(field, "the catch-all cannot be moved: it stays last");
    if (name == given_.name()) return Add(field, "a layer has no place relative to itself");
    const int other = FindLayer(current_, name);
    if (other < 0) return not_found_.push_back(NoSuchLayer(current_, field, name));
    if (after && IsCatchAll(current_.layers(other))) {
      return Add(field, "nothing can go after the catch-all, " + Quoted(name),
                 "use --before " + name);
    }
    place_ = other + (after ? 1 : 0);
    if (!is_new() && index_ < other) --place_;
  }

  v1::Layer Merged() const {
    v1::Layer layer;
    if (is_new()) {
      layer.set_name(given_.name());
    } else {
      layer = current_.layers(index_);
    }
    if (Takes("kind")) layer.set_kind(given_.kind());
    if (Takes("match")) *layer.mutable_match() = given_.match();
    if (Takes("weight")) {
      layer.clear_weight();
      if (given_.has_weight()) layer.set_weight(given_.weight());
    }
    if (Takes("slice")) {
      layer.clear_slice();
      if (given_.has_slice()) *layer.mutable_slice() = given_.slice();
    }
    return layer;
  }

  v1::LayerSet Build() const {
    std::vector<const v1::Layer*> order;
    for (int i = 0; i < current_.layers_size(); ++i) {
      if (i != index_) order.push_back(&current_.layers(i));
    }
    const v1::Layer merged = Merged();
    order.insert(order.begin() + place_, &merged);
    v1::LayerSet set;
    for (const v1::Layer* layer : order) *set.add_layers() = *layer;
    return set;
  }

  // The whole set must obey the rules; what they say of this layer is about the request.
  void CheckResult(const v1::LayerSet& set) {
    const std::string own = "layers[" + std::to_string(place_) + "]";
    PathSet told;
    if (given_.name().empty()) told.Add(own + ".name");
    if (match_told_) {
      // Also what follows for others, such as two catch-alls.
      for (int i = 0; i < set.layers_size(); ++i) {
        told.Add("layers[" + std::to_string(i) + "].match");
      }
    }
    for (Violation& violation : ValidateLayerSet(set, told)) {
      if (violation.field.rfind(own + ".", 0) == 0) {
        violation.field.replace(0, own.size(), "layer");
      }
      violations_.push_back(std::move(violation));
    }
  }

  const v1::LayerSet& current_;
  const v1::SetLayerRequest& request_;
  const v1::Layer& given_;
  const int index_;  // -1: a new layer
  int place_ = 0;
  bool match_told_ = false;  // the match has a violation already
  std::set<std::string> fields_;
  Violations violations_;
  Violations not_found_;
};

}  // namespace

absl::StatusOr<EditResult> ApplySet(const v1::LayerSet& current,
                                    const v1::SetLayerRequest& request) {
  if (current.layers_size() == 0) return absl::InternalError("the current set has no layers");
  return SetEdit(current, request).Run();
}

absl::StatusOr<EditResult> ApplyDelete(const v1::LayerSet& current,
                                       const v1::DeleteLayerRequest& request) {
  if (request.name().empty()) return ToStatus({{"name", "a name is missing", "", 0, 0}});
  const int index = FindLayer(current, request.name());
  if (index < 0) {
    return ToStatus(absl::StatusCode::kNotFound, {NoSuchLayer(current, "name", request.name())});
  }
  if (IsCatchAll(current.layers(index))) {
    return ToStatus(
        absl::StatusCode::kFailedPrecondition,
        {{"name",
          Quoted(request.name()) + " is the catch-all: without it some tasks would have no layer",
          "", 0, 0}});
  }
  EditResult result{current, false};
  result.layers.mutable_layers()->DeleteSubrange(index, 1);
  return result;
}

int FindLayer(const v1::LayerSet& set, const std::string& name) {
  for (int i = 0; i < set.layers_size(); ++i) {
    if (set.layers(i).name() == name) return i;
  }
  return -1;
}

}  // namespace layered
