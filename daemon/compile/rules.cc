// SPDX-License-Identifier: Apache-2.0

#include "daemon/compile/rules.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "daemon/compile/pattern_pool.h"
#include "daemon/config/predicates.h"

namespace layered {
namespace {

// The kernel keeps this many bytes of a thread's name.
constexpr size_t kCommBytes = LAYERED_COMM_LEN - 1;

absl::Status TooMany(const std::string& what, size_t number, size_t limit) {
  return absl::InvalidArgumentError(std::to_string(number) + " " + what + ", at most " +
                                    std::to_string(limit) + " are possible");
}

uint8_t FormOf(v1::StringForm form) {
  switch (form) {
    case v1::STRING_FORM_PREFIX:
      return LAYERED_FORM_PREFIX;
    case v1::STRING_FORM_SUFFIX:
      return LAYERED_FORM_SUFFIX;
    case v1::STRING_FORM_CONTAINS:
      return LAYERED_FORM_CONTAINS;
    case v1::STRING_FORM_SUBTREE:
      return LAYERED_FORM_SUBTREE;
    default:
      return LAYERED_FORM_EXACT;
  }
}

class Compiler {
 public:
  Compiler(const v1::LayerSet& layers, const SlotTable& slots)
      : layers_(layers),
        slots_(slots),
        out_(std::make_unique<layered_revision>()),
        pool_(out_.get()) {}

  absl::StatusOr<std::unique_ptr<layered_revision>> Compile(uint64_t revision, uint32_t publish) {
    out_->revision = revision;
    out_->publish = publish;
    for (absl::Status status : {CheckSize(), AddPredicates(), AddBlocks()}) {
      if (!status.ok()) return status;
    }
    AddPolicies();
    return std::move(out_);
  }

 private:
  // A block with a term that never holds; its predicates are not worth evaluating.
  static bool IsDead(const v1::Match& block) {
    return std::any_of(block.terms().begin(), block.terms().end(),
                       [](const v1::MatchTerm& term) { return term.has_all() && term.negate(); });
  }

  absl::Status CheckSize() const {
    if (layers_.layers_size() > LAYERED_MAX_LAYERS) {
      return TooMany("layers", layers_.layers_size(), LAYERED_MAX_LAYERS);
    }
    int blocks = 0;
    for (const v1::Layer& layer : layers_.layers()) blocks += layer.match_size();
    return blocks > LAYERED_MAX_BLOCKS ? TooMany("match blocks", blocks, LAYERED_MAX_BLOCKS)
                                       : absl::OkStatus();
  }

  // Numbers the distinct predicates, those of cgroups in a first pass.
  absl::Status AddPredicates() {
    std::vector<const v1::MatchTerm*> distinct;
    for (const bool cgroups : {true, false}) {
      for (const v1::Layer& layer : layers_.layers()) {
        for (const v1::Match& block : layer.match()) {
          if (IsDead(block)) continue;
          for (const v1::MatchTerm& term : block.terms()) {
            if (term.has_all() || term.has_cgroup() != cgroups) continue;
            const bool added = index_.emplace(PredicateKey(term), distinct.size()).second;
            if (added) distinct.push_back(&term);
          }
        }
      }
    }
    if (distinct.size() > LAYERED_MAX_PREDICATES) {
      return TooMany("distinct predicates", distinct.size(), LAYERED_MAX_PREDICATES);
    }
    out_->nr_predicates = static_cast<uint32_t>(distinct.size());
    for (size_t i = 0; i < distinct.size(); ++i) {
      const absl::Status status = FillPredicate(*distinct[i], out_->predicate[i]);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  absl::Status FillPredicate(const v1::MatchTerm& term, layered_predicate& out) {
    switch (term.key_case()) {
      case v1::MatchTerm::kCgroup:
        out_->attrs |= LAYERED_ATTR_CGROUP;
        return FillCgroup(term.cgroup(), out);
      case v1::MatchTerm::kComm:
        out_->attrs |= LAYERED_ATTR_COMM;
        out.kind = LAYERED_PRED_COMM;
        return FillComm(term.comm(), out);
      case v1::MatchTerm::kLeader:
        out_->attrs |= LAYERED_ATTR_LEADER;
        out.kind = LAYERED_PRED_LEADER;
        return FillComm(term.leader(), out);
      case v1::MatchTerm::kUid:
        out_->attrs |= LAYERED_ATTR_UID;
        out.kind = LAYERED_PRED_UID;
        FillRange(term.uid(), out);
        return absl::OkStatus();
      case v1::MatchTerm::kNice:
        out_->attrs |= LAYERED_ATTR_NICE;
        out.kind = LAYERED_PRED_NICE;
        FillRange(term.nice(), out);
        return absl::OkStatus();
      case v1::MatchTerm::kKthread:
        // No attribute: a task never becomes or stops being a kernel thread.
        out.kind = LAYERED_PRED_KTHREAD;
        return absl::OkStatus();
      case v1::MatchTerm::kAll:
      case v1::MatchTerm::KEY_NOT_SET:
        break;
    }
    return absl::InvalidArgumentError("a match term without a key");
  }

  absl::Status FillCgroup(const v1::StringMatch& match, layered_predicate& out) {
    out.kind = LAYERED_PRED_CGROUP;
    out.form = FormOf(match.form());
    const absl::StatusOr<uint32_t> offset = pool_.Add(match.value());
    if (!offset.ok()) return offset.status();
    out.offset = *offset;
    out.len = static_cast<uint16_t>(match.value().size());
    return absl::OkStatus();
  }

  static absl::Status FillComm(const v1::StringMatch& match, layered_predicate& out) {
    const std::string& text = match.value();
    out.form = FormOf(match.form());
    // A longer name shows its first bytes only, so that is all that can be compared; where it ends
    // and what its cut-off part contains cannot be known.
    if (text.size() > kCommBytes && out.form != LAYERED_FORM_EXACT &&
        out.form != LAYERED_FORM_PREFIX) {
      return absl::InvalidArgumentError("thread names have at most " + std::to_string(kCommBytes) +
                                        " bytes, \"" + text + "\" has " +
                                        std::to_string(text.size()));
    }
    out.len = static_cast<uint16_t>(std::min(text.size(), kCommBytes));
    std::memcpy(out.text, text.data(), out.len);
    uint8_t mask[LAYERED_COMM_LEN] = {};
    std::memset(mask, 0xff, out.form == LAYERED_FORM_EXACT ? sizeof(mask) : out.len);
    std::memcpy(&out.lo, mask, sizeof(out.lo));
    std::memcpy(&out.hi, mask + sizeof(out.lo), sizeof(out.hi));
    return absl::OkStatus();
  }

  static void FillRange(const v1::IntMatch& match, layered_predicate& out) {
    out.lo = match.has_min() ? match.min() : std::numeric_limits<int64_t>::min();
    out.hi = match.has_max() ? match.max() : std::numeric_limits<int64_t>::max();
  }

  absl::Status AddBlocks() {
    uint32_t number = 0;
    for (const v1::Layer& layer : layers_.layers()) {
      const Slot* slot = slots_.Find(layer.name());
      if (slot == nullptr || slot->draining) {
        return absl::FailedPreconditionError("layer \"" + layer.name() + "\" has no slot");
      }
      for (const v1::Match& block : layer.match()) {
        // It would match every task.
        if (block.terms().empty()) {
          return absl::InvalidArgumentError("layer \"" + layer.name() + "\" has an empty match");
        }
        AddBlock(block, number, static_cast<uint8_t>(slot->slot));
        ++number;
      }
    }
    out_->nr_blocks = number;
    out_->nr_words = (number + 63) / 64;
    return absl::OkStatus();
  }

  void AddBlock(const v1::Match& block, uint32_t number, uint8_t slot) {
    const uint32_t word = number / 64;
    const uint64_t bit = uint64_t{1} << (number % 64);
    out_->block_slot[number] = slot;
    if (IsDead(block)) return;
    out_->all_blocks[word] |= bit;
    for (const v1::MatchTerm& term : block.terms()) {
      if (term.has_all()) continue;
      const size_t predicate = index_.at(PredicateKey(term));
      (term.negate() ? out_->forbid : out_->need)[predicate][word] |= bit;
    }
  }

  void AddPolicies() {
    // Unused slots too: BPF divides by the weight of whatever slot it has at hand.
    for (layered_policy& policy : out_->policy) {
      policy.slice_ns = LAYERED_DEFAULT_SLICE_NS;
      policy.weight = LAYERED_DEFAULT_WEIGHT;
    }
    for (const auto* list : {&slots_.Live(), &slots_.Draining()}) {
      for (const Slot& slot : *list) {
        out_->policy[slot.slot] = {.slice_ns = slot.slice_ns,
                                   .weight = slot.weight,
                                   .generation = slot.generation,
                                   .live = static_cast<uint8_t>(slot.draining ? 0 : 1),
                                   .pad = {}};
      }
    }
  }

  const v1::LayerSet& layers_;
  const SlotTable& slots_;
  std::unique_ptr<layered_revision> out_;
  PatternPool pool_;
  std::unordered_map<std::string, size_t> index_;  // by PredicateKey
};

}  // namespace

absl::StatusOr<std::unique_ptr<layered_revision>> CompileRules(const v1::LayerSet& layers,
                                                               const SlotTable& slots,
                                                               uint64_t revision,
                                                               uint32_t publish) {
  return Compiler(layers, slots).Compile(revision, publish);
}

}  // namespace layered
