// SPDX-License-Identifier: Apache-2.0
//
// The command line of layeredd.
//
// Thread-safety: pure, save for reading the environment.
// Failure: a fault of the command line becomes a text that names it and exit code 2. The parsing
// library throws; nothing gets out of here.

#ifndef LAYERED_DAEMON_OPTIONS_H_
#define LAYERED_DAEMON_OPTIONS_H_

#include <string>
#include <variant>

#include "daemon/base/exit_codes.h"

namespace layered {

struct Options {
  std::string config;               // file; empty: one catch-all layer
  std::string socket_path;          // where the API listens
  std::string log_level = "info";   // one of LogLevels()
  std::string sysfs_root = "/sys";  // where the topology is read
  bool check_config = false;        // check the config and end
};

// Nothing to run: print the text and end with this code.
struct EndNow {
  ExitCode code = kExitOk;
  std::string text;  // for stdout if code is 0, else for stderr
};

// `socket_from_env` is the value of $LAYERED_SOCKET, or null.
std::variant<Options, EndNow> ParseOptions(int argc, const char* const* argv,
                                           const char* socket_from_env);

}  // namespace layered

#endif  // LAYERED_DAEMON_OPTIONS_H_
