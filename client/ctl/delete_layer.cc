// SPDX-License-Identifier: Apache-2.0
//
// layeredctl delete-layer: removes a layer; its tasks go to the next layer that matches them.

#include <memory>
#include <string>

#include "client/ctl/print.h"
#include "client/ctl/table.h"
#include "client/ctl/verbs.h"
#include "daemon/base/arguments.h"

namespace layered::ctl {

void AddDeleteLayer(CLI::App& app, Context& context) {
  CLI::App* const verb = app.add_subcommand("delete-layer", "Remove a layer");
  const auto request = std::make_shared<v1::DeleteLayerRequest>();
  verb->add_option_function<std::string>(
          "NAME", [request](const std::string& name) { request->set_name(name); },
          "Name of the layer")
      ->required()
      ->check(NotEmpty());
  verb->add_option_function<std::string>(
          "--etag", [request](const std::string& etag) { request->set_etag(etag); },
          "Only if this still names the current state")
      ->check(NotEmpty());
  verb->add_option_function<std::string>(
      "--reason", [request](const std::string& reason) { request->set_reason(reason); },
      "Free text for the log");
  verb->callback([&context, request] {
    context.run = [&context, request]() -> absl::Status {
      const auto client = context.Connect();
      if (!client.ok()) return client.status();
      const auto response = (*client)->DeleteLayer(*request);
      if (!response.ok()) return response.status();
      if (context.json()) return Print(ToJson(*response));
      return Print("layer " + Printable(request->name()) + " deleted (revision " +
                   std::to_string(response->revision()) + ")\n");
    };
  });
}

}  // namespace layered::ctl
