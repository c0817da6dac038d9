// SPDX-License-Identifier: Apache-2.0
//
// The version of this source tree, shown by every program of ours.
//
// Thread-safety: a constant.

#ifndef LAYERED_DAEMON_BASE_VERSION_H_
#define LAYERED_DAEMON_BASE_VERSION_H_

namespace layered {

// Semantic versioning; 0.x until the API is declared stable.
inline constexpr char kVersion[] = "0.1.0";

}  // namespace layered

#endif  // LAYERED_DAEMON_BASE_VERSION_H_
