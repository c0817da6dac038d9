// SPDX-License-Identifier: Apache-2.0
//
// layeredctl list: all layers in match order.

#include <string>

#include "client/ctl/layer_text.h"
#include "client/ctl/print.h"
#include "client/ctl/table.h"
#include "client/ctl/verbs.h"
#include "daemon/config/validate.h"

namespace layered::ctl {
namespace {

std::string ToTable(const v1::ListLayersResponse& response) {
  Table table({{.title = "NAME"},
               {.title = "KIND"},
               {.title = "WEIGHT", .align = Table::Align::kRight},
               {.title = "SLICE", .align = Table::Align::kRight},
               {.title = "MATCH"}});
  for (const v1::Layer& layer : response.layers()) {
    const std::vector<std::string> blocks = BlockTexts(layer);
    table.Add({layer.name(), KindText(layer.kind()), std::to_string(EffectiveWeight(layer)),
               SliceText(layer), blocks.empty() ? "" : blocks[0]});
    for (std::size_t i = 1; i < blocks.size(); ++i) table.Add({"", "", "", "", "or " + blocks[i]});
  }
  return table.Render();
}

absl::Status Run(const Context& context) {
  const auto client = context.Connect();
  if (!client.ok()) return client.status();
  const auto response = (*client)->ListLayers();
  if (!response.ok()) return response.status();
  return Print(context.json() ? ToJson(*response) : ToTable(*response));
}

}  // namespace

void AddList(CLI::App& app, Context& context) {
  CLI::App* const verb = app.add_subcommand("list", "Show all layers in match order");
  verb->callback([&context] { context.run = [&context] { return Run(context); }; });
}

}  // namespace layered::ctl
