// SPDX-License-Identifier: Apache-2.0
//
// layeredctl: the command line over the daemon's API.
//
// The only file with a `catch`: CLI11 reports faults of the command line by exceptions.

#include <signal.h>
#include <unistd.h>

#include <string>

#include "client/ctl/context.h"
#include "client/ctl/print.h"
#include "client/ctl/verbs.h"
#include "client/lib/exit_code.h"
#include "daemon/base/arguments.h"
#include "daemon/base/std_fds.h"
#include "daemon/base/version.h"

namespace layered::ctl {
namespace {

ExitCode UsageFault(const Context& context, const std::string& fault) {
  PrintError(absl::InvalidArgumentError(fault + " (see 'layeredctl help')"), context.json());
  return kExitUsage;
}

void Build(CLI::App& app, Context& context) {
  app.require_subcommand(1);
  app.fallthrough();  // global options are taken after the verb too
  app.set_version_flag("--version", "layeredctl " + std::string(kVersion) + "\n",
                       "The version of this program ('version' asks the daemon too)");
  // First, as it says how the faults of the others are told.
  app.add_option("-o,--output", context.output, "table or json")
      ->check(CLI::IsMember({"table", "json"}));
  app.add_option("--socket", context.socket, "The daemon's socket (also: $LAYERED_SOCKET)")
      ->check(NotEmpty());
  app.add_option("--timeout", context.timeout, "Longest wait for an answer (default 10s)")
      ->check(NotEmpty());
  AddSetLayer(app, context);
  AddGet(app, context);
  AddList(app, context);
  AddDeleteLayer(app, context);
  AddWatch(app, context);
  AddStatus(app, context);
  AddVersion(app, context);
  AddHelp(app, context);
}

int Main(int argc, char** argv) {
  if (!OpenStdFds()) return kExitInternal;
  // Every output is written whole and flushed, so there is nothing to tidy up.
  signal(SIGINT, [](int) { _exit(kExitInterrupted); });

  Context context;
  CLI::App app("Changes and shows the layers of a running layered scheduler.", "layeredctl");
  Build(app, context);
  try {
    app.parse(ReversedArguments(argc, argv));
  } catch (const CLI::CallForHelp&) {
    const auto verbs = app.get_subcommands();
    return client::ExitCodeOf(Print(HelpText(app, verbs.empty() ? nullptr : verbs.front())));
  } catch (const CLI::CallForVersion& version) {
    return client::ExitCodeOf(Print(version.what()));
  } catch (const CLI::ParseError& error) {
    return UsageFault(context, error.what());
  }

  absl::Status status = context.Prepare();
  if (status.ok()) status = context.run();
  if (!status.ok()) PrintError(status, context.json());
  return client::ExitCodeOf(status);
}

}  // namespace
}  // namespace layered::ctl

int main(int argc, char** argv) { return layered::ctl::Main(argc, argv); }
