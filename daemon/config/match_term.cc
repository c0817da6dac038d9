// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/match_term.h"

#include <algorithm>
#include <limits>

#include "bpf/layered_shared.h"
#include "daemon/config/text.h"

namespace layered {
namespace {

using Term = v1::MatchTerm;

constexpr size_t kMaxComm = LAYERED_COMM_LEN - 1;
constexpr size_t kMaxPath = LAYERED_MAX_PATTERN;

// Collects the faults of one term.
class TermCheck {
 public:
  TermCheck(const std::string& field, int column, Violations* violations)
      : field_(field), column_(column), violations_(violations) {}

  void Text(const v1::StringMatch& match, const MatchKey& key) {
    const std::string& value = match.value();
    const std::string shown = Quoted(value);
    if (!IsValidUtf8(value)) return Fail(shown + " is not valid UTF-8");
    if (value.find('\0') != std::string::npos) return Fail(shown + " holds a NUL character");
    switch (match.form()) {
      case v1::STRING_FORM_EXACT:
        break;
      case v1::STRING_FORM_PREFIX:
      case v1::STRING_FORM_SUFFIX:
      case v1::STRING_FORM_CONTAINS:
        if (value.empty()) {
          return Fail("a pattern of nothing but '*' matches every task",
                      "leave the term out, or write 'all'");
        }
        break;
      case v1::STRING_FORM_SUBTREE:
        if (key.operand != MatchOperand::kPath) {
          return Fail("the form subtree is for cgroup paths, not for " + key.name);
        }
        break;
      default:
        return Fail("the form of the comparison is missing or unknown",
                    "one of exact, prefix, suffix, contains, subtree");
    }
    key.operand == MatchOperand::kPath ? Path(match) : Comm(match);
  }

  void Number(const v1::IntMatch& match, const MatchKey& key) {
    if (!match.has_min() && !match.has_max()) {
      return Fail("a range without min and max matches every task",
                  "leave the term out, or write 'all'");
    }
    bool in_range = true;
    for (const auto& [given, value] :
         {std::pair{match.has_min(), match.min()}, std::pair{match.has_max(), match.max()}}) {
      if (!given || (value >= key.min && value <= key.max)) continue;
      in_range = false;
      Fail(key.name + " " + std::to_string(value) + " is out of range " + std::to_string(key.min) +
           ".." + std::to_string(key.max));
      if (match.has_min() && match.has_max() && match.min() == match.max()) break;
    }
    if (in_range && match.has_min() && match.has_max() && match.min() > match.max()) {
      Fail("the range " + std::to_string(match.min()) + ".." + std::to_string(match.max()) +
               " is reversed",
           "write the smaller number first");
    }
  }

  void Fail(const std::string& description, const std::string& hint = "") {
    violations_->push_back({field_, description, hint, 0, column_});
  }

 private:
  void Comm(const v1::StringMatch& match) {
    if (match.value().size() <= kMaxComm) return;
    const bool from_start =
        match.form() == v1::STRING_FORM_EXACT || match.form() == v1::STRING_FORM_PREFIX;
    std::string hint = "use at most " + std::to_string(kMaxComm) + " bytes";
    // A long program's threads show the beginning of its name: most likely that is meant.
    if (from_start) {
      hint = "the first " + std::to_string(kMaxComm) + " bytes are " +
             Quoted(match.value().substr(0, kMaxComm));
    }
    Fail(Quoted(match.value()) + " has " + std::to_string(match.value().size()) +
             " bytes, the kernel keeps only " + std::to_string(kMaxComm) + " of a thread's name",
         hint);
  }

  void Path(const v1::StringMatch& match) {
    const std::string& value = match.value();
    if (value.size() > kMaxPath) {
      return Fail("the path pattern has " + std::to_string(value.size()) + " bytes, the limit is " +
                  std::to_string(kMaxPath));
    }
    const bool anchored = match.form() == v1::STRING_FORM_EXACT ||
                          match.form() == v1::STRING_FORM_PREFIX ||
                          (match.form() == v1::STRING_FORM_SUBTREE && !value.empty());
    if (anchored && (value.empty() || value[0] != '/')) {
      return Fail(Quoted(value) + " is no cgroup path: it does not begin with '/'",
                  "write it as in /proc/PID/cgroup, such as /system.slice/*");
    }
    const bool whole = match.form() == v1::STRING_FORM_SUBTREE ||
                       (match.form() == v1::STRING_FORM_EXACT && value != "/");
    if (whole && !value.empty() && value.back() == '/') {
      Fail(Quoted(value) + " is no cgroup path: it ends with '/'",
           "write /a for the cgroup itself, /a/* for it and all below");
    }
  }

  const std::string& field_;
  const int column_;
  Violations* const violations_;
};

}  // namespace

const std::vector<MatchKey>& MatchKeys() {
  static const auto* const keys = new std::vector<MatchKey>{
      {"all", Term::kAll, MatchOperand::kNone},
      {"cgroup", Term::kCgroup, MatchOperand::kPath},
      {"comm", Term::kComm, MatchOperand::kComm},
      {"leader", Term::kLeader, MatchOperand::kComm},
      {"uid", Term::kUid, MatchOperand::kNumber, 0, std::numeric_limits<uint32_t>::max()},
      {"nice", Term::kNice, MatchOperand::kNumber, -20, 19},
      {"kthread", Term::kKthread, MatchOperand::kNone},
  };
  return *keys;
}

std::vector<std::string> MatchKeyNames() {
  std::vector<std::string> names;
  for (const MatchKey& key : MatchKeys()) names.push_back(key.name);
  return names;
}

const MatchKey* FindMatchKey(const std::string& name) {
  for (const MatchKey& key : MatchKeys()) {
    if (key.name == name) return &key;
  }
  return nullptr;
}

const MatchKey* FindMatchKey(v1::MatchTerm::KeyCase key) {
  for (const MatchKey& candidate : MatchKeys()) {
    if (candidate.key == key) return &candidate;
  }
  return nullptr;
}

bool IsFutureMatchKey(const std::string& name) {
  for (const char* future : {"gid", "pid", "ppid", "tgid"}) {
    if (name == future) return true;
  }
  return false;
}

const v1::StringMatch* StringOperand(const v1::MatchTerm& term) {
  switch (term.key_case()) {
    case Term::kCgroup:
      return &term.cgroup();
    case Term::kComm:
      return &term.comm();
    case Term::kLeader:
      return &term.leader();
    default:
      return nullptr;
  }
}

const v1::IntMatch* IntOperand(const v1::MatchTerm& term) {
  switch (term.key_case()) {
    case Term::kUid:
      return &term.uid();
    case Term::kNice:
      return &term.nice();
    default:
      return nullptr;
  }
}

v1::StringMatch* MutableStringOperand(const MatchKey& key, v1::MatchTerm* term) {
  switch (key.key) {
    case Term::kCgroup:
      return term->mutable_cgroup();
    case Term::kComm:
      return term->mutable_comm();
    case Term::kLeader:
      return term->mutable_leader();
    default:
      return nullptr;
  }
}

v1::IntMatch* MutableIntOperand(const MatchKey& key, v1::MatchTerm* term) {
  switch (key.key) {
    case Term::kUid:
      return term->mutable_uid();
    case Term::kNice:
      return term->mutable_nice();
    default:
      return nullptr;
  }
}

void SetBareKey(const MatchKey& key, v1::MatchTerm* term) {
  if (key.key == Term::kAll) term->mutable_all();
  if (key.key == Term::kKthread) term->mutable_kthread();
}

IntBounds BoundsOf(const v1::IntMatch& match, const MatchKey& key) {
  return {match.has_min() ? std::max(match.min(), key.min) : key.min,
          match.has_max() ? std::min(match.max(), key.max) : key.max};
}

void CheckTerm(const v1::MatchTerm& term, const std::string& field, int column,
               Violations* violations) {
  TermCheck check(field, column, violations);
  const MatchKey* key = FindMatchKey(term.key_case());
  if (key == nullptr) {
    check.Fail("the term tests nothing", "give one of " + Joined(MatchKeyNames()));
    return;
  }
  if (const v1::StringMatch* text = StringOperand(term)) check.Text(*text, *key);
  if (const v1::IntMatch* number = IntOperand(term)) check.Number(*number, *key);
}

}  // namespace layered
