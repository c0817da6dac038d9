// SPDX-License-Identifier: Apache-2.0
//
// layeredctl version: of this program, and of the daemon if it can be asked.

#include "daemon/base/version.h"

#include <string>

#include "client/ctl/print.h"
#include "client/ctl/table.h"
#include "client/ctl/verbs.h"
#include "rapidjson/stringbuffer.h"
#include "rapidjson/writer.h"

namespace layered::ctl {
namespace {

// Empty if it cannot be asked: that is not this verb's business.
std::string DaemonVersion(const Context& context) {
  const auto client = context.Connect();
  if (!client.ok()) return "";
  const auto status = (*client)->GetStatus();
  return status.ok() ? status->version() : "";
}

absl::Status Run(const Context& context) {
  const std::string daemon = DaemonVersion(context);
  if (context.json()) {
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> json(buffer);
    json.StartObject();
    json.Key("client");
    json.String(kVersion);
    json.Key("daemon");
    if (daemon.empty()) {
      json.Null();
    } else {
      json.String(daemon.data(), static_cast<rapidjson::SizeType>(daemon.size()));
    }
    json.EndObject();
    return Print(std::string(buffer.GetString()) + "\n");
  }
  return Print("layeredctl " + std::string(kVersion) + "\nlayeredd " +
               (daemon.empty() ? "(not reachable)" : Printable(daemon)) + "\n");
}

}  // namespace

void AddVersion(CLI::App& app, Context& context) {
  CLI::App* const verb = app.add_subcommand("version", "Show the versions of client and daemon");
  verb->callback([&context] { context.run = [&context] { return Run(context); }; });
}

}  // namespace layered::ctl
