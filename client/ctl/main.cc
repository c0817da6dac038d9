// SPDX-License-Identifier: Apache-2.0
//
// layeredctl: the command line over the daemon's API.
//
// The only file with a `catch`: CLI11 reports faults of the command line by exceptions.

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <string>

#include "client/ctl/context.h"
#include "client/ctl/print.h"
#include "client/ctl/verbs.h"
#include "client/lib/exit_code.h"

namespace layered::ctl {
namespace {

void Report(const Context& context, const absl::Status& status) {
  const std::string text = context.json() ? ErrorJson(status) : ErrorText(status);
  fputs(text.c_str(), stderr);
}

void Build(CLI::App& app, Context& context) {
  app.require_subcommand(1);
  app.fallthrough();  // global options are taken after the verb too
  app.add_option("--socket", context.socket, "The daemon's socket (also: $LAYERED_SOCKET)");
  app.add_option("-o,--output", context.output, "table or json")
      ->check(CLI::IsMember({"table", "json"}));
  app.add_option("--timeout", context.timeout, "Longest wait for an answer (default 10s)");
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
  // Every output is written whole and flushed, so there is nothing to tidy up.
  signal(SIGINT, [](int) { _exit(kExitInterrupted); });

  Context context;
  CLI::App app("Changes and shows the layers of a running layered scheduler.", "layeredctl");
  Build(app, context);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const auto verbs = app.get_subcommands();
    return client::ExitCodeOf(Print(HelpText(app, verbs.empty() ? nullptr : verbs.front())));
  } catch (const CLI::ParseError& error) {
    Report(context,
           absl::InvalidArgumentError(std::string(error.what()) + " (see 'layeredctl help')"));
    return kExitUsage;
  }

  absl::Status status = context.Prepare();
  if (status.ok()) status = context.run();
  if (!status.ok()) Report(context, status);
  return client::ExitCodeOf(status);
}

}  // namespace
}  // namespace layered::ctl

int main(int argc, char** argv) { return layered::ctl::Main(argc, argv); }
