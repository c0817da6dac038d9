// SPDX-License-Identifier: Apache-2.0

#include "client/ctl/watch_text.h"

#include <stdio.h>
#include <time.h>

#include "client/ctl/table.h"
#include "rapidjson/stringbuffer.h"
#include "rapidjson/writer.h"

namespace layered::ctl {
namespace {

// Six numbers of at most seven columns and their gaps leave this for the name on 80 columns.
constexpr int kNameColumns = 26;

std::string Fixed(double value, int digits) {
  char text[32];
  snprintf(text, sizeof(text), "%.*f", digits, value);
  return text;
}

std::string Header(const v1::WatchResponse& sample, const std::optional<client::Rates>& rates) {
  std::string text = TimeOfDay() + "  revision " + std::to_string(sample.revision()) + "  " +
                     std::to_string(sample.machine().cpus()) + " CPUs";
  text += rates ? ", " + Fixed(rates->cpus, 2) + " used" : "  (first sample: no rates yet)";
  if (sample.gap() > 0) text += "  (" + std::to_string(sample.gap()) + " samples lost)";
  return text + "\n";
}

std::vector<std::string> Row(const client::LayerRate& layer) {
  const v1::LayerStats& now = layer.now;
  return {(now.draining() ? "(draining) " : "") + now.name(),
          layer.cpus ? Fixed(*layer.cpus, 2) : "-",
          layer.share ? Fixed(100 * *layer.share, 1) : "-",
          std::to_string(now.tasks()),
          std::to_string(now.queued()),
          std::to_string(now.running()),
          std::to_string(now.weight())};
}

}  // namespace

std::string TimeOfDay() {
  const time_t now = time(nullptr);
  tm local{};
  localtime_r(&now, &local);
  char text[16];
  strftime(text, sizeof(text), "%H:%M:%S", &local);
  return text;
}

std::string SampleText(const v1::WatchResponse& sample, const std::optional<client::Rates>& rates) {
  const auto right = Table::Align::kRight;
  Table table({{.title = "LAYER", .most = kNameColumns},
               {.title = "CPUS", .align = right},
               {.title = "SHARE%", .align = right},
               {.title = "TASKS", .align = right},
               {.title = "QUEUED", .align = right},
               {.title = "RUNNING", .align = right},
               {.title = "WEIGHT", .align = right}});
  if (rates) {
    for (const client::LayerRate& layer : rates->layers) table.Add(Row(layer));
  } else {
    for (const v1::LayerStats& layer : sample.layers()) {
      table.Add(Row({.now = layer, .cpus = std::nullopt, .share = std::nullopt}));
    }
  }
  return Header(sample, rates) + table.Render();
}

std::string LostText(const client::Lost& lost) {
  return "--- connection lost: " + Printable(lost.reason) + "; trying again ---\n";
}

std::string LostJson(const client::Lost& lost) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> json(buffer);
  json.StartObject();
  json.Key("event");
  json.StartObject();
  json.Key("state");
  json.String("lost");
  json.Key("reason");
  json.String(lost.reason.data(), static_cast<rapidjson::SizeType>(lost.reason.size()));
  json.EndObject();
  json.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

std::string BackText(const client::Back& back) {
  return "--- back after " + Fixed(static_cast<double>(back.away_ns) / 1e9, 1) + " s, " +
         (back.restarted ? "the daemon was restarted" : "the same daemon") + " ---\n";
}

std::string BackJson(const client::Back& back) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> json(buffer);
  json.StartObject();
  json.Key("event");
  json.StartObject();
  json.Key("state");
  json.String("back");
  json.Key("away_ns");
  json.Int64(back.away_ns);
  json.Key("restarted");
  json.Bool(back.restarted);
  json.EndObject();
  json.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

}  // namespace layered::ctl
