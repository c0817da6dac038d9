// SPDX-License-Identifier: Apache-2.0
//
// The keys that a match can test, in one table, and what a term of each must look like. The
// expression language, the validator and the printers share it, so that a term which came typed
// over the API obeys the same rules as one that was written.
//
// Thread-safety: pure functions over constant tables.

#ifndef LAYERED_DAEMON_CONFIG_MATCH_TERM_H_
#define LAYERED_DAEMON_CONFIG_MATCH_TERM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "daemon/config/violation.h"
#include "layered/v1/layer.pb.h"

namespace layered {

// What a key is compared with.
enum class MatchOperand {
  kNone,    // nothing: the key alone is the test
  kPath,    // a cgroup path, with globs
  kComm,    // a thread name, with globs
  kNumber,  // a number or a range
};

struct MatchKey {
  std::string name;  // in expressions
  v1::MatchTerm::KeyCase key;
  MatchOperand operand;
  int64_t min = 0;  // of numbers: the values that the attribute can have
  int64_t max = 0;
};

// In the order in which they are listed to people.
const std::vector<MatchKey>& MatchKeys();
std::vector<std::string> MatchKeyNames();

// nullptr if there is no such key (in this version).
const MatchKey* FindMatchKey(const std::string& name);
const MatchKey* FindMatchKey(v1::MatchTerm::KeyCase key);

// A key of the language that this version does not support yet ("gid"). To say so instead of
// "unknown".
bool IsFutureMatchKey(const std::string& name);

// The operand of a term; nullptr if its key takes another kind. The mutable forms set the key.
const v1::StringMatch* StringOperand(const v1::MatchTerm& term);
const v1::IntMatch* IntOperand(const v1::MatchTerm& term);
v1::StringMatch* MutableStringOperand(const MatchKey& key, v1::MatchTerm* term);
v1::IntMatch* MutableIntOperand(const MatchKey& key, v1::MatchTerm* term);

// Sets a key that has no operand.
void SetBareKey(const MatchKey& key, v1::MatchTerm* term);

// Both ends of a number's range, an absent end replaced by the limit of the attribute.
struct IntBounds {
  int64_t lo;
  int64_t hi;
};
IntBounds BoundsOf(const v1::IntMatch& match, const MatchKey& key);

// Adds all that is wrong with a term by itself: no key, a name that is longer than the kernel
// keeps, a path that no cgroup can have, a glob that matches anything, an empty or impossible
// range. `violation.column` is set to `column` (0 if there is no expression).
void CheckTerm(const v1::MatchTerm& term, const std::string& field, int column,
               Violations* violations);

}  // namespace layered

#endif  // LAYERED_DAEMON_CONFIG_MATCH_TERM_H_
