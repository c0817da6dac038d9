// SPDX-License-Identifier: Apache-2.0
//
// The pool of cgroup patterns of one revision: each distinct text is stored once, and a text that
// occurs inside another one needs no bytes of its own.
//
// Thread-safety: none. Ownership: writes into the caller's revision, which must outlive it.
// Failure: INVALID_ARGUMENT with number and limit when a text is too long or the pool is full.

#ifndef LAYERED_DAEMON_COMPILE_PATTERN_POOL_H_
#define LAYERED_DAEMON_COMPILE_PATTERN_POOL_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "bpf/layered_shared.h"

namespace layered {

class PatternPool {
 public:
  // Fills `revision->pool` and `revision->pool_bytes`, which must be empty.
  explicit PatternPool(layered_revision* revision) : revision_(revision) {}

  // Offset of the text in the pool; adds it if it is not there. The empty text is at 0.
  absl::StatusOr<uint32_t> Add(const std::string& text);

 private:
  layered_revision* revision_;
};

}  // namespace layered

#endif  // LAYERED_DAEMON_COMPILE_PATTERN_POOL_H_
