// SPDX-License-Identifier: Apache-2.0
//
// layeredctl watch: what the layers use, again and again. Survives restarts of the daemon.

#include <stdlib.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "client/ctl/print.h"
#include "client/ctl/verbs.h"
#include "client/ctl/watch_view.h"
#include "client/lib/watcher.h"
#include "daemon/base/arguments.h"
#include "daemon/config/duration.h"
#include "daemon/config/violation.h"

namespace layered::ctl {
namespace {

struct Options {
  std::string interval = "1s";
  uint64_t count = 0;  // 0: for ever
  std::vector<std::string> layers;
};

absl::Status Run(const Context& context, const Options& options) {
  v1::WatchRequest request;
  const absl::StatusOr<int64_t> interval = ParseDurationNs(options.interval);
  if (!interval.ok()) {
    return ToStatus({{.field = "interval",
                      .description = std::string(interval.status().message()),
                      .hint = "give a number with a unit, like 1s"}});
  }
  *request.mutable_interval() = NsToDuration(*interval);
  // No names in the request: the share of a layer is one of the whole, so all of them are needed.
  client::Watcher watcher(context.socket, request, context.timeout_ms);
  WatchView view({.json = context.json(),
                  .redraw = !context.json() && CanRedraw(isatty(STDOUT_FILENO), getenv("TERM")),
                  .count = options.count,
                  .layers = options.layers});
  while (!view.done()) {
    const absl::StatusOr<client::WatchEvent> event = watcher.Next();
    if (!event.ok()) return event.status();
    const absl::StatusOr<Frame> frame =
        std::visit([&view](const auto& e) { return view.Show(e); }, *event);
    if (!frame.ok()) return frame.status();
    for (const absl::Status& note : frame->notes) PrintError(note, context.json());
    if (const absl::Status status = Print(frame->text); !status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

void AddWatch(CLI::App& app, Context& context) {
  CLI::App* const verb = app.add_subcommand("watch", "Show what the layers use, live");
  const auto options = std::make_shared<Options>();
  verb->add_option("LAYER", options->layers, "Only these layers")->check(NotEmpty());
  verb->add_option("--interval", options->interval, "Between samples, 100ms..1h (default 1s)")
      ->check(NotEmpty());
  verb->add_option("--count", options->count,
                   "End after so many samples with rates (default: never)")
      ->check(WholeNumberFromOne());
  verb->callback([&context, options] {
    context.run = [&context, options] { return Run(context, *options); };
  });
}

}  // namespace layered::ctl
