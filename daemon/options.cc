// SPDX-License-Identifier: Apache-2.0

#include "daemon/options.h"

#include "CLI/CLI.hpp"
#include "daemon/base/default_socket.h"
#include "daemon/base/version.h"
#include "daemon/system/logging.h"

namespace layered {
namespace {

// An empty value is an unset variable of a script: going on as if the option were not there would
// serve the wrong socket, or drop the config.
const CLI::Validator& NotEmpty() {
  static const auto* const validator = new CLI::Validator(
      [](const std::string& value) {
        return std::string(value.empty() ? "the value is empty" : "");
      },
      "", "NotEmpty");
  return *validator;
}

EndNow UsageFault(const std::string& fault) {
  return {kExitUsage, "layeredd: " + fault + "\nTry 'layeredd --help'.\n"};
}

// The option of an argument "--option=", empty if there is none. CLI11 would take the argument that
// follows for its value.
std::string OptionWithEmptyValue(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.starts_with("--") && argument.find('=') == argument.size() - 1) {
      return argument.substr(0, argument.size() - 1);
    }
  }
  return "";
}

}  // namespace

std::variant<Options, EndNow> ParseOptions(int argc, const char* const* argv,
                                           const char* socket_from_env) {
  if (const std::string option = OptionWithEmptyValue(argc, argv); !option.empty()) {
    return UsageFault(option + ": the value is empty");
  }
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
    app.parse(argc, argv);
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
