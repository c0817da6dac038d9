// SPDX-License-Identifier: Apache-2.0
//
// layeredd: loads the layered scheduler and serves its API.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <variant>

#include "daemon/base/std_fds.h"
#include "daemon/config_source.h"
#include "daemon/daemon.h"
#include "daemon/options.h"
#include "daemon/system/logging.h"
#include "daemon/system/signals.h"

namespace layered {
namespace {

ExitCode CheckConfig(const Options& options) {
  const auto layers = ReadConfig(options.config);
  if (!layers.ok()) {
    for (const std::string& fault : ConfigFaults(options.config, layers.status())) {
      std::fprintf(stderr, "%s\n", fault.c_str());
    }
    return kExitInvalid;
  }
  std::printf("%s\n", ConfigSummary(options.config, *layers).c_str());
  return kExitOk;
}

ExitCode Main(int argc, const char* const* argv) {
  if (!OpenStdFds()) return kExitInternal;
  const auto parsed = ParseOptions(argc, argv, std::getenv("LAYERED_SOCKET"));
  if (const auto* end = std::get_if<EndNow>(&parsed)) {
    std::fputs(end->text.c_str(), end->code == kExitOk ? stdout : stderr);
    return end->code;
  }
  const Options& options = std::get<Options>(parsed);
  if (options.check_config) return CheckConfig(options);
  SetUpLogging(options.log_level, WantsPriorityPrefixes());
  BlockSignals();
  return RunDaemon(options);
}

}  // namespace
}  // namespace layered

int main(int argc, char** argv) { return layered::Main(argc, argv); }
