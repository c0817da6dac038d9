// SPDX-License-Identifier: Apache-2.0
//
// layeredctl watch: what the layers use, again and again. Survives restarts of the daemon.

#include <unistd.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/ctl/print.h"
#include "client/ctl/verbs.h"
#include "client/ctl/watch_text.h"
#include "client/lib/rates.h"
#include "client/lib/watcher.h"
#include "daemon/config/duration.h"
#include "daemon/config/violation.h"

namespace layered::ctl {
namespace {

struct Options {
  std::string interval = "1s";
  uint64_t count = 0;  // 0: for ever
  std::vector<std::string> layers;
};

// Prints one event after the other; says when enough was seen.
class View {
 public:
  View(bool json, uint64_t count)
      : json_(json), redraw_(!json && isatty(STDOUT_FILENO)), left_(count) {}

  absl::Status Show(const v1::WatchResponse& sample) {
    const std::optional<client::Rates> rates =
        last_ ? client::RatesBetween(*last_, sample) : std::nullopt;
    last_ = sample;
    if (rates && left_ > 0 && --left_ == 0) done_ = true;
    if (json_) return Print(ToJsonLine(sample));
    return Print((redraw_ ? "\x1b[H\x1b[J" : "") + SampleText(sample, rates) +
                 (redraw_ ? "" : "\n"));
  }

  absl::Status Show(const client::Lost& lost) {
    return Print(json_ ? LostJson(lost) : LostText(lost));
  }

  absl::Status Show(const client::Back& back) {
    last_.reset();
    return Print(json_ ? BackJson(back) : BackText(back));
  }

  bool done() const { return done_; }

 private:
  const bool json_;
  const bool redraw_;  // a terminal: in place
  uint64_t left_;      // samples with rates still to show
  bool done_ = false;
  std::optional<v1::WatchResponse> last_;
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
  for (const std::string& layer : options.layers) request.add_layers(layer);

  client::Watcher watcher(context.socket, request, context.timeout_ms);
  View view(context.json(), options.count);
  while (!view.done()) {
    const absl::StatusOr<client::WatchEvent> event = watcher.Next();
    if (!event.ok()) return event.status();
    const absl::Status shown = std::visit([&view](const auto& e) { return view.Show(e); }, *event);
    if (!shown.ok()) return shown;
  }
  return absl::OkStatus();
}

}  // namespace

void AddWatch(CLI::App& app, Context& context) {
  CLI::App* const verb = app.add_subcommand("watch", "Show what the layers use, live");
  const auto options = std::make_shared<Options>();
  verb->add_option("LAYER", options->layers, "Only these layers");
  verb->add_option("--interval", options->interval, "Between samples, 100ms..1h (default 1s)");
  verb->add_option("--count", options->count,
                   "End after so many samples with rates (default: never)")
      ->check(CLI::PositiveNumber);
  verb->callback([&context, options] {
    context.run = [&context, options] { return Run(context, *options); };
  });
}

}  // namespace layered::ctl
