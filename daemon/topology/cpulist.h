// SPDX-License-Identifier: Apache-2.0
//
// The kernel's list form of CPU and node sets, "0-3,8,10-11", as sysfs and cpusets print it.
//
// Thread-safety: pure functions.
// Failure: INVALID_ARGUMENT that quotes the text and names the byte.

#ifndef LAYERED_DAEMON_TOPOLOGY_CPULIST_H_
#define LAYERED_DAEMON_TOPOLOGY_CPULIST_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace layered {

// Largest id that is read. Far above what any kernel is built for (8192), and small enough that a
// damaged file ("0-4294967295") cannot make us allocate without end.
inline constexpr int kMaxListId = 65535;

// The ids, ascending, without duplicates. Surrounding white space is ignored; an empty text is an
// empty set, which the kernel prints for a node without CPUs.
absl::StatusOr<std::vector<int>> ParseCpuList(std::string_view text);

// The shortest list form of a set; `ids` ascending. Empty for an empty set.
std::string FormatCpuList(const std::vector<int>& ids);

}  // namespace layered

#endif  // LAYERED_DAEMON_TOPOLOGY_CPULIST_H_
