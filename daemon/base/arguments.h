// SPDX-License-Identifier: Apache-2.0
//
// What CLI11 lacks to read the command lines of our programs strictly. Values that the checks
// refuse end with kExitUsage.
//
// Thread-safety: pure functions.

#ifndef LAYERED_DAEMON_BASE_ARGUMENTS_H_
#define LAYERED_DAEMON_BASE_ARGUMENTS_H_

#include <string>
#include <vector>

#include "CLI/CLI.hpp"

namespace layered {

// Refuses the empty value. For every option and name where "" would read as "not given": with a
// shell variable that is not set, `--etag "$E"` must not become a write without an etag.
CLI::Validator NotEmpty();

// Refuses what is not a whole number from 1 that fits 64 bits.
CLI::Validator WholeNumberFromOne();

// The arguments without the name of the program, last one first, as CLI::App::parse wants them, and
// with "--option=" made the two arguments "--option" and "". CLI11 by itself would take the
// argument that follows for the value: `--reason= --etag=x` would lose the etag.
std::vector<std::string> ReversedArguments(int argc, const char* const* argv);

}  // namespace layered

#endif  // LAYERED_DAEMON_BASE_ARGUMENTS_H_
