// SPDX-License-Identifier: Apache-2.0

#include "daemon/options.h"

#include "CLI/CLI.hpp"
#include "daemon/base/arguments.h"
#include "daemon/base/default_socket.h"
#include "daemon/base/version.h"
#include "daemon/system/logging.h"

namespace layered {
namespace {

EndNow UsageFault(const std::string& fault) {
  return {kExitUsage, "layeredd: " + fault + "\nTry 'layeredd --help'.\n"};
}

}  // namespace

std::variant<Options, EndNow> ParseOptions(int argc, const char* const* argv,
                                           const char* socket_from_env) {
  Options options;
  options.socket_path =
      socket_from_env != nullptr && *socket_from_env != '\0' ? socket_from_env : kDefaultSocket;
  CLI::App app("Loads the layered scheduler into the kernel and serves its API.", "layeredd");
  app.set_version_flag("--version", std::string("layeredd ") + kVersion);
  app.add_option("--config", options.config,
                 "Layer set to start with and to read again at SIGHUP "
                 "(default: one open catch-all layer)")
      ->type_name("FILE")
      ->check(NotEmpty());
  app.add_option("--socket", options.socket_path, "Unix socket of the API, also $LAYERED_SOCKET")
      ->type_name("PATH")
      ->check(NotEmpty())
      ->capture_default_str();
  app.add_option("--log-level", options.log_level, "Least severe message to log")
      ->type_name("LEVEL")
      ->check(CLI::IsMember(LogLevels()))
      ->capture_default_str();
  app.add_option("--sysfs-root", options.sysfs_root, "Read the CPU topology from here")
      ->type_name("DIR")
      ->check(NotEmpty())
      ->capture_default_str();
  app.add_flag("--check-config", options.check_config,
               "Print all faults of the config and end; needs no root and no sched_ext");
  try {
    app.parse(ReversedArguments(argc, argv));
  } catch (const CLI::CallForHelp&) {
    return EndNow{kExitOk, app.help()};
  } catch (const CLI::CallForVersion& version) {
    return EndNow{kExitOk, std::string(version.what()) + "\n"};
  } catch (const CLI::ParseError& error) {
    return UsageFault(error.what());
  }
  return options;
}

}  // namespace layered
