// SPDX-License-Identifier: Apache-2.0
//
// Numbers of users and groups by name, read straight from /etc/passwd and /etc/group. getpwnam and
// getgrnam load NSS modules at run time, which a static binary has not: they would fail or crash on
// machines with another libc.
//
// Thread-safety: pure functions of the file's contents.
// Failure: a name that the file does not hold (also one that only LDAP or systemd knows) is absent.

#ifndef LAYERED_DAEMON_API_ACCOUNTS_H_
#define LAYERED_DAEMON_API_ACCOUNTS_H_

#include <cstdint>
#include <optional>
#include <string>

namespace layered {

// The third field of the line of `file` (passwd or group format) whose first is `name`.
std::optional<uint32_t> FindAccount(const std::string& file, const std::string& name);

}  // namespace layered

#endif  // LAYERED_DAEMON_API_ACCOUNTS_H_
