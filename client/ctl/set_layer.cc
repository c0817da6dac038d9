// SPDX-License-Identifier: Apache-2.0
//
// layeredctl set-layer: creates or changes one layer. Fields that are not named stay as they are.
//
// Without --etag the change is a read, a merge by the daemon, and a write that holds only if
// nothing changed in between; that is tried again when somebody else was faster.

#include <charconv>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/ctl/layer_text.h"
#include "client/ctl/print.h"
#include "client/ctl/table.h"
#include "client/ctl/verbs.h"
#include "daemon/api/accounts.h"
#include "daemon/base/arguments.h"
#include "daemon/config/duration.h"
#include "daemon/config/expression.h"
#include "daemon/config/validate.h"
#include "daemon/config/violation.h"

namespace layered::ctl {
namespace {

constexpr int kRetries = 3;

// As given on the command line.
struct Options {
  std::string name;
  std::optional<std::string> weight;
  std::optional<std::string> slice;
  std::vector<std::string> match;
  std::optional<std::string> before, after;
  std::optional<std::string> etag;
  std::string reason;
};

std::optional<uint32_t> ResolveUser(const std::string& name) {
  return FindAccount("/etc/passwd", name);
}

void SetWeight(const std::string& text, v1::SetLayerRequest* request, Violations* violations) {
  int64_t weight = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), weight);
  if (error != std::errc() || rest != text.data() + text.size()) {
    violations->push_back({.field = "weight",
                           .description = "'" + text + "' is not a whole number",
                           .hint = "allowed are 1..10000"});
  } else if (weight < 0 || weight > std::numeric_limits<uint32_t>::max()) {
    violations->push_back(
        {.field = "weight", .description = text + " is out of range 1..10000", .hint = ""});
  } else {
    request->mutable_layer()->set_weight(static_cast<uint32_t>(weight));
  }
  request->mutable_update_mask()->add_paths("weight");
}

void SetSlice(const std::string& text, v1::SetLayerRequest* request, Violations* violations) {
  if (const absl::StatusOr<int64_t> ns = ParseDurationNs(text); ns.ok()) {
    *request->mutable_layer()->mutable_slice() = NsToDuration(*ns);
  } else {
    violations->push_back({.field = "slice",
                           .description = std::string(ns.status().message()),
                           .hint = "give a number with a unit, like 5ms"});
  }
  request->mutable_update_mask()->add_paths("slice");
}

void SetMatch(const std::vector<std::string>& texts, v1::SetLayerRequest* request,
              Violations* violations) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    ParseExpression(texts[i], "match[" + std::to_string(i) + "]",
                    request->mutable_layer()->mutable_match(), violations, ResolveUser);
  }
  request->mutable_update_mask()->add_paths("match");
}

// All faults of the command line at once.
absl::StatusOr<v1::SetLayerRequest> ToRequest(const Options& options) {
  v1::SetLayerRequest request;
  Violations violations;
  request.mutable_layer()->set_name(options.name);
  request.mutable_update_mask();
  if (options.weight) SetWeight(*options.weight, &request, &violations);
  if (options.slice) SetSlice(*options.slice, &request, &violations);
  if (!options.match.empty()) SetMatch(options.match, &request, &violations);
  if (options.before) request.set_before(*options.before);
  if (options.after) request.set_after(*options.after);
  if (options.etag) request.set_etag(*options.etag);
  request.set_reason(options.reason);
  if (!violations.empty()) return ToStatus(violations);
  return request;
}

// What became of one successful write.
struct Outcome {
  v1::ListLayersResponse before;
  v1::SetLayerResponse response;
};

absl::StatusOr<Outcome> Write(client::Client& client, v1::SetLayerRequest request) {
  const bool retry = request.etag().empty();
  for (int tries = 0;; ++tries) {
    auto before = client.ListLayers();
    if (!before.ok()) return before.status();
    if (retry) request.set_etag(before->etag());
    auto response = client.SetLayer(request);
    if (response.ok()) return Outcome{*std::move(before), *std::move(response)};
    const bool conflict = response.status().code() == absl::StatusCode::kAborted;
    if (!retry || !conflict || tries == kRetries) return response.status();
  }
}

std::string Describe(const Outcome& outcome, const std::string& name) {
  const std::string layer = "layer " + Printable(name);
  const std::string revision = " (revision " + std::to_string(outcome.response.revision()) + ")\n";
  if (outcome.response.unchanged()) return layer + ": unchanged" + revision;
  for (const v1::Layer& before : outcome.before.layers()) {
    if (before.name() != name) continue;
    const std::string change = DescribeChange(before, outcome.response.layer());
    return layer + ": " + (change.empty() ? "moved" : Printable(change)) + revision;
  }
  return layer + ": created with weight " +
         std::to_string(EffectiveWeight(outcome.response.layer())) + ", slice " +
         SliceText(outcome.response.layer()) + revision;
}

absl::Status Run(const Context& context, const Options& options) {
  const absl::StatusOr<v1::SetLayerRequest> request = ToRequest(options);
  if (!request.ok()) return request.status();
  const auto client = context.Connect();
  if (!client.ok()) return client.status();
  const absl::StatusOr<Outcome> outcome = Write(**client, *request);
  if (!outcome.ok()) return outcome.status();
  return Print(context.json() ? ToJson(outcome->response) : Describe(*outcome, options.name));
}

}  // namespace

void AddSetLayer(CLI::App& app, Context& context) {
  CLI::App* const verb =
      app.add_subcommand("set-layer", "Create or change a layer; what is not named stays");
  const auto options = std::make_shared<Options>();
  verb->add_option("NAME", options->name, "Name of the layer")->required()->check(NotEmpty());
  verb->add_option("--weight", options->weight, "Share of CPU time, 1..10000 (default 100)")
      ->check(NotEmpty());
  verb->add_option("--slice", options->slice, "Longest turn of a task, 500us..100ms (default 5ms)")
      ->check(NotEmpty());
  verb->add_option("--match", options->match,
                   "What it takes, like 'comm=nginx* and not kthread'; several are OR-ed")
      ->expected(1)
      ->take_all()
      ->check(NotEmpty());
  CLI::Option* const before =
      verb->add_option("--before", options->before, "Move it right before this layer")
          ->check(NotEmpty());
  verb->add_option("--after", options->after, "Move it right after this layer")
      ->excludes(before)
      ->check(NotEmpty());
  verb->add_option("--etag", options->etag, "Only if this still names the current state")
      ->check(NotEmpty());
  verb->add_option("--reason", options->reason, "Free text for the log");
  verb->callback([&context, options] {
    context.run = [&context, options] { return Run(context, *options); };
  });
}

}  // namespace layered::ctl
