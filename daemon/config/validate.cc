// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/validate.h"

#include <map>
#include <set>
#include <vector>

#include "bpf/layered_shared.h"
#include "daemon/config/duration.h"
#include "daemon/config/match_term.h"
#include "daemon/config/predicates.h"
#include "daemon/config/proto_names.h"
#include "daemon/config/text.h"

namespace layered {
namespace {

constexpr size_t kMaxName = LAYERED_NAME_LEN - 1;
constexpr int64_t kMinSliceNs = LAYERED_MIN_SLICE_NS;
constexpr int64_t kMaxSliceNs = LAYERED_MAX_SLICE_NS;

// A set with this many faults tells nothing more with the next one.
constexpr size_t kEnough = 1000;

std::string LayerPath(int index) { return "layers[" + std::to_string(index) + "]"; }

class Validator {
 public:
  Validator(const v1::LayerSet& set, const PathSet& faulty) : set_(set), faulty_(faulty) {}

  Violations Run() {
    if (set_.layers_size() == 0) {
      if (!faulty_.Touches("layers")) {
        Add("layers", "there are no layers",
            "at least the catch-all: {\"name\": \"default\", \"match\": [\"all\"]}");
      }
      return std::move(violations_);
    }
    for (int i = 0; i < set_.layers_size() && violations_.size() < kEnough; ++i) CheckLayer(i);
    CheckCatchAll();
    CheckTotals();
    return std::move(violations_);
  }

 private:
  void Add(const std::string& field, const std::string& description, const std::string& hint = "") {
    if (!faulty_.Covers(field)) violations_.push_back({field, description, hint, 0, 0});
  }

  void CheckLayer(int index) {
    const v1::Layer& layer = set_.layers(index);
    const std::string path = LayerPath(index);
    CheckName(layer.name(), index, path + ".name");
    if (layer.kind() != v1::LAYER_KIND_UNSPECIFIED && !v1::LayerKind_IsValid(layer.kind())) {
      Add(path + ".kind", "there is no kind " + std::to_string(layer.kind()),
          "one of " + Joined(EnumValueNames(*v1::LayerKind_descriptor())));
    }
    if (layer.has_weight() && (layer.weight() < 1 || layer.weight() > LAYERED_MAX_WEIGHT)) {
      Add(path + ".weight", std::to_string(layer.weight()) + " is out of range 1.." +
                                std::to_string(LAYERED_MAX_WEIGHT));
    }
    if (layer.has_slice()) CheckSlice(layer.slice(), path + ".slice");
    CheckBlocks(layer, path + ".match");
  }

  void CheckName(const std::string& name, int index, const std::string& path) {
    if (name.empty()) return Add(path, "a name is missing");
    const auto [first, inserted] = names_.emplace(name, index);
    if (!inserted) {
      Add(path, Quoted(name) + " is already the name of " + LayerPath(first->second),
          "names must be unique");
    }
    if (name.size() > kMaxName) {
      Add(path, Quoted(name) + " has " + std::to_string(name.size()) + " bytes, the limit is " +
                    std::to_string(kMaxName));
    }
    if (!IsValidUtf8(name)) return Add(path, Quoted(name) + " is not valid UTF-8");
    bool control = false;
    std::vector<char32_t> characters;
    for (size_t offset = 0; const auto c = NextCodePoint(name, &offset);) {
      characters.push_back(*c);
      control = control || IsControl(*c);
    }
    if (control) Add(path, Quoted(name) + " holds a control character");
    if (IsBlank(characters.front()) || IsBlank(characters.back())) {
      Add(path, Quoted(name) + " begins or ends with a space");
    }
  }

  void CheckSlice(const google::protobuf::Duration& slice, const std::string& path) {
    const auto ns = DurationToNs(slice);
    if (!ns.ok()) return Add(path, std::string(ns.status().message()));
    if (*ns >= kMinSliceNs && *ns <= kMaxSliceNs) return;
    Add(path, FormatDuration(*ns) + " is out of range " + FormatDuration(kMinSliceNs) + ".." +
                  FormatDuration(kMaxSliceNs));
  }

  void CheckBlocks(const v1::Layer& layer, const std::string& path) {
    if (layer.match_size() == 0 && !faulty_.Touches(path)) {
      Add(path, "there is no match: the layer would take no task",
          "such as \"match\": [\"cgroup=/web.slice/*\"], or [\"all\"] for the last layer");
    }
    if (layer.match_size() > LAYERED_MAX_BLOCKS_PER_LAYER) {
      Add(path, std::to_string(layer.match_size()) + " blocks, the limit of a layer is " +
                    std::to_string(LAYERED_MAX_BLOCKS_PER_LAYER));
    }
    const bool catch_all = IsCatchAll(layer);
    for (int i = 0; i < layer.match_size() && violations_.size() < kEnough; ++i) {
      const std::string block_path = path + "[" + std::to_string(i) + "]";
      const v1::Match& block = layer.match(i);
      if (block.terms_size() == 0) Add(block_path, "the block has no terms");
      for (int j = 0; j < block.terms_size(); ++j) {
        CheckOneTerm(block.terms(j), catch_all, block_path + ".terms[" + std::to_string(j) + "]");
      }
    }
  }

  void CheckOneTerm(const v1::MatchTerm& term, bool catch_all, const std::string& path) {
    if (faulty_.Covers(path)) return;
    CheckTerm(term, path, 0, &violations_);
    if (term.key_case() == v1::MatchTerm::kAll && !catch_all) {
      Add(path,
          term.negate() ? "'not all' matches no task" : "'all' must be the only term of its layer",
          "only the catch-all, the last layer, has it: \"match\": [\"all\"]");
    }
    const std::string key = PredicateKey(term);
    if (!key.empty() && predicates_.insert(key).second) pool_bytes_ += PredicatePoolBytes(term);
  }

  void CheckCatchAll() {
    const int last = set_.layers_size() - 1;
    std::vector<int> found;
    bool unknown = false;  // a layer whose match could not be read may have been it
    for (int i = 0; i <= last; ++i) {
      if (IsCatchAll(set_.layers(i))) found.push_back(i);
      unknown = unknown || faulty_.Touches(LayerPath(i) + ".match");
    }
    if (found.empty()) {
      if (unknown) return;
      return Add("layers", "there is no catch-all: some tasks would have no layer",
                 "add a last layer {\"name\": \"default\", \"match\": [\"all\"]}");
    }
    for (size_t i = 0; i + 1 < found.size(); ++i) {
      Add(LayerPath(found[i]) + ".match",
          "there can be only one catch-all, and " + LayerPath(found.back()) + " (" +
              Quoted(set_.layers(found.back()).name()) + ") is one too");
    }
    if (found.back() != last) {
      Add(LayerPath(found.back()) + ".match",
          "the catch-all must be the last layer: no task would reach the " +
              std::to_string(last - found.back()) + " behind it",
          "move it to the end");
    }
  }

  void CheckTotals() {
    if (set_.layers_size() > LAYERED_MAX_LAYERS) {
      Add("layers", std::to_string(set_.layers_size()) + " layers, the limit is " +
                        std::to_string(LAYERED_MAX_LAYERS));
    }
    int blocks = 0;
    for (const v1::Layer& layer : set_.layers()) blocks += layer.match_size();
    if (blocks > LAYERED_MAX_BLOCKS) {
      Add("layers", std::to_string(blocks) + " match blocks in all layers, the limit is " +
                        std::to_string(LAYERED_MAX_BLOCKS));
    }
    if (predicates_.size() > LAYERED_MAX_PREDICATES) {
      Add("layers", std::to_string(predicates_.size()) +
                        " different tests in all layers, the limit is " +
                        std::to_string(LAYERED_MAX_PREDICATES));
    }
    if (pool_bytes_ > LAYERED_PATTERN_POOL) {
      Add("layers", "the cgroup patterns of all layers have " + std::to_string(pool_bytes_) +
                        " bytes, the limit is " + std::to_string(LAYERED_PATTERN_POOL));
    }
  }

  const v1::LayerSet& set_;
  const PathSet& faulty_;
  Violations violations_;
  std::map<std::string, int> names_;
  std::set<std::string> predicates_;
  size_t pool_bytes_ = 0;
};

}  // namespace

Violations ValidateLayerSet(const v1::LayerSet& set, const PathSet& faulty) {
  return Validator(set, faulty).Run();
}

bool IsCatchAll(const v1::Layer& layer) {
  return layer.match_size() == 1 && layer.match(0).terms_size() == 1 &&
         layer.match(0).terms(0).has_all() && !layer.match(0).terms(0).negate();
}

int64_t EffectiveSliceNs(const v1::Layer& layer) {
  constexpr int64_t kDefault = LAYERED_DEFAULT_SLICE_NS;
  return layer.has_slice() ? DurationToNs(layer.slice()).value_or(kDefault) : kDefault;
}

uint32_t EffectiveWeight(const v1::Layer& layer) {
  constexpr uint32_t kDefault = LAYERED_DEFAULT_WEIGHT;
  return layer.has_weight() ? layer.weight() : kDefault;
}

v1::LayerKind EffectiveKind(const v1::Layer& layer) {
  return layer.kind() == v1::LAYER_KIND_UNSPECIFIED ? v1::LAYER_KIND_OPEN : layer.kind();
}

v1::Layer WithDefaults(const v1::Layer& layer) {
  v1::Layer out = layer;
  out.set_kind(EffectiveKind(layer));
  out.set_weight(EffectiveWeight(layer));
  *out.mutable_slice() = NsToDuration(EffectiveSliceNs(layer));
  return out;
}

v1::LayerSet WithDefaults(const v1::LayerSet& set) {
  v1::LayerSet out;
  for (const v1::Layer& layer : set.layers()) *out.add_layers() = WithDefaults(layer);
  return out;
}

}  // namespace layered
