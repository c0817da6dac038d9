// SPDX-License-Identifier: Apache-2.0
//
// Sets up the log: spdlog on stderr. On a terminal with time and level; elsewhere with the priority
// prefixes that journald understands ("<3>error text") and no time, for the journal has its own.
//
// Thread-safety: SetUpLogging before other threads exist; logging itself from any thread.
// Ownership: replaces spdlog's default logger.
// Failure: an unknown level is refused, nothing else can fail.

#ifndef LAYERED_DAEMON_SYSTEM_LOGGING_H_
#define LAYERED_DAEMON_SYSTEM_LOGGING_H_

#include <string>
#include <string_view>
#include <vector>

namespace layered {

// The names that --log-level takes, from the most to the least talkative.
const std::vector<std::string>& LogLevels();

// The line as the journal wants it: the priority of `level` (one of LogLevels) in front of the text
// and of every further line in it.
std::string WithPriority(std::string_view level, std::string_view text);

// `level` is one of LogLevels; false for another. `prefixes` selects the journal's form.
bool SetUpLogging(const std::string& level, bool prefixes);

// Whether stderr is better served with priority prefixes: it is no terminal.
bool WantsPriorityPrefixes();

}  // namespace layered

#endif  // LAYERED_DAEMON_SYSTEM_LOGGING_H_
