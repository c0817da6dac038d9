// SPDX-License-Identifier: Apache-2.0
//
// layeredctl get: one layer, or the whole set in the form of a config file.

#include <memory>
#include <string>

#include "client/ctl/layer_text.h"
#include "client/ctl/print.h"
#include "client/ctl/verbs.h"
#include "daemon/base/arguments.h"
#include "daemon/config/layer_json.h"

namespace layered::ctl {
namespace {

struct Options {
  std::string name;
  bool all = false;
};

absl::Status GetOne(const Context& context, client::Client& client, const std::string& name) {
  const auto response = client.GetLayer(name);
  if (!response.ok()) return response.status();
  return Print(context.json() ? ToJson(response->layer()) : DescribeLayer(response->layer()));
}

absl::Status GetAll(const Context& context, client::Client& client) {
  const auto response = client.ListLayers();
  if (!response.ok()) return response.status();
  if (!context.json()) {
    std::string text;
    for (const v1::Layer& layer : response->layers()) {
      text += (text.empty() ? "" : "\n") + DescribeLayer(layer);
    }
    return Print(text);
  }
  v1::LayerSet set;
  *set.mutable_layers() = response->layers();
  return Print(LayerSetToJson(set));
}

}  // namespace

void AddGet(CLI::App& app, Context& context) {
  CLI::App* const verb = app.add_subcommand(
      "get", "Show one layer, or with --all -o json a config file of all layers");
  const auto options = std::make_shared<Options>();
  verb->add_option("NAME", options->name, "Name of the layer")->check(NotEmpty());
  verb->add_flag("--all", options->all, "All layers; as JSON a file that layeredd --config takes");
  verb->require_option(1);  // one of the two
  verb->callback([&context, options] {
    context.run = [&context, options]() -> absl::Status {
      const auto client = context.Connect();
      if (!client.ok()) return client.status();
      return options->all ? GetAll(context, **client) : GetOne(context, **client, options->name);
    };
  });
}

}  // namespace layered::ctl
