// SPDX-License-Identifier: Apache-2.0
//
// Where the API listens unless told otherwise: one place, so that the daemon and its clients meet.
//
// Thread-safety: a constant.

#ifndef LAYERED_DAEMON_BASE_DEFAULT_SOCKET_H_
#define LAYERED_DAEMON_BASE_DEFAULT_SOCKET_H_

namespace layered {

// Used if neither --socket nor $LAYERED_SOCKET names a path.
inline constexpr char kDefaultSocket[] = "/run/layered/layered.sock";

}  // namespace layered

#endif  // LAYERED_DAEMON_BASE_DEFAULT_SOCKET_H_
