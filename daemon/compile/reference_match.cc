// SPDX-License-Identifier: Apache-2.0

#include "daemon/compile/reference_match.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

namespace layered {
namespace {

// ---- by the table ----

bool TextHolds(uint8_t form, std::string_view pattern, std::string_view text) {
  if (form == LAYERED_FORM_EXACT) return text == pattern;
  if (form == LAYERED_FORM_PREFIX) return text.substr(0, pattern.size()) == pattern;
  if (form == LAYERED_FORM_CONTAINS) return text.find(pattern) != std::string_view::npos;
  if (pattern.size() > text.size()) return false;
  if (form == LAYERED_FORM_SUFFIX) return text.substr(text.size() - pattern.size()) == pattern;
  // Subtree: the pattern itself or the pattern and "/...". Every path is below the empty one.
  const std::string_view rest = text.substr(pattern.size());
  return text.substr(0, pattern.size()) == pattern && (rest.empty() || rest[0] == '/');
}

bool PredicateHolds(const layered_revision& table, const layered_predicate& predicate,
                    const TaskAttrs& task) {
  const std::string_view name(reinterpret_cast<const char*>(predicate.text), predicate.len);
  const std::string_view pool(reinterpret_cast<const char*>(table.pool), table.pool_bytes);
  const auto in_range = [&](int64_t value) {
    return value >= predicate.lo && value <= predicate.hi;
  };
  switch (predicate.kind) {
    case LAYERED_PRED_CGROUP:
      return TextHolds(predicate.form, pool.substr(predicate.offset, predicate.len), task.cgroup);
    case LAYERED_PRED_COMM:
      return TextHolds(predicate.form, name, task.comm);
    case LAYERED_PRED_LEADER:
      return TextHolds(predicate.form, name, task.leader);
    case LAYERED_PRED_UID:
      return in_range(task.uid);
    case LAYERED_PRED_NICE:
      return in_range(task.nice);
    case LAYERED_PRED_KTHREAD:
      return task.kthread;
    default:
      return false;
  }
}

// ---- by the proto ----

bool StringHolds(const v1::StringMatch& match, const std::string& text) {
  const std::string& value = match.value();
  switch (match.form()) {
    case v1::STRING_FORM_PREFIX:
      return text.starts_with(value);
    case v1::STRING_FORM_SUFFIX:
      return text.ends_with(value);
    case v1::STRING_FORM_CONTAINS:
      return text.find(value) != std::string::npos;
    case v1::STRING_FORM_SUBTREE:
      return text == value || text.starts_with(value + "/");
    default:
      return text == value;
  }
}

// Names are compared as far as the kernel keeps them.
bool NameHolds(v1::StringMatch match, const std::string& name) {
  match.set_value(match.value().substr(0, LAYERED_COMM_LEN - 1));
  return StringHolds(match, name);
}

bool IntHolds(const v1::IntMatch& match, int64_t value) {
  return (!match.has_min() || value >= match.min()) && (!match.has_max() || value <= match.max());
}

bool TermHolds(const v1::MatchTerm& term, const TaskAttrs& task) {
  switch (term.key_case()) {
    case v1::MatchTerm::kAll:
      return !term.negate();
    case v1::MatchTerm::kCgroup:
      return StringHolds(term.cgroup(), task.cgroup) != term.negate();
    case v1::MatchTerm::kComm:
      return NameHolds(term.comm(), task.comm) != term.negate();
    case v1::MatchTerm::kLeader:
      return NameHolds(term.leader(), task.leader) != term.negate();
    case v1::MatchTerm::kUid:
      return IntHolds(term.uid(), task.uid) != term.negate();
    case v1::MatchTerm::kNice:
      return IntHolds(term.nice(), task.nice) != term.negate();
    case v1::MatchTerm::kKthread:
      return task.kthread != term.negate();
    case v1::MatchTerm::KEY_NOT_SET:
      break;
  }
  return false;
}

}  // namespace

uint8_t MatchByTable(const layered_revision& table, const TaskAttrs& task) {
  std::array<uint64_t, LAYERED_BLOCK_WORDS> alive;
  std::copy_n(table.all_blocks, alive.size(), alive.begin());
  for (uint32_t i = 0; i < table.nr_predicates; ++i) {
    const bool hit = PredicateHolds(table, table.predicate[i], task);
    const auto& dead = hit ? table.forbid[i] : table.need[i];
    for (uint32_t word = 0; word < table.nr_words; ++word) alive[word] &= ~dead[word];
  }
  for (uint32_t word = 0; word < table.nr_words; ++word) {
    if (alive[word] != 0) return table.block_slot[word * 64 + std::countr_zero(alive[word])];
  }
  return LAYERED_MAX_SLOTS;
}

const v1::Layer* MatchByRules(const v1::LayerSet& layers, const TaskAttrs& task) {
  for (const v1::Layer& layer : layers.layers()) {
    for (const v1::Match& block : layer.match()) {
      const auto holds = [&](const v1::MatchTerm& term) { return TermHolds(term, task); };
      if (std::all_of(block.terms().begin(), block.terms().end(), holds)) return &layer;
    }
  }
  return nullptr;
}

}  // namespace layered
