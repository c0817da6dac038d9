// SPDX-License-Identifier: Apache-2.0
//
// When two terms are one predicate. In the kernel each distinct predicate of a revision is
// evaluated once, whatever the number of terms that use it; validation counts them against the
// limit and the compiler numbers them, and both must agree.
//
// Thread-safety: pure functions.

#ifndef LAYERED_DAEMON_CONFIG_PREDICATES_H_
#define LAYERED_DAEMON_CONFIG_PREDICATES_H_

#include <cstddef>
#include <string>

#include "layered/v1/layer.pb.h"

namespace layered {

// Equal for terms that test the same, different otherwise. `negate` does not count (it is a matter
// of the block, not of the predicate), nor does the spelling of a range: an absent end equals the
// attribute's limit. Empty for `all` and for a term without a key: they need no predicate.
// The key is opaque bytes; it may hold NUL.
std::string PredicateKey(const v1::MatchTerm& term);

// Bytes that the term's predicate takes in the pool of cgroup patterns; 0 for other keys.
size_t PredicatePoolBytes(const v1::MatchTerm& term);

}  // namespace layered

#endif  // LAYERED_DAEMON_CONFIG_PREDICATES_H_
