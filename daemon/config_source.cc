// SPDX-License-Identifier: Apache-2.0

#include "daemon/config_source.h"

#include "daemon/config/load.h"
#include "daemon/config/violation.h"

namespace layered {

absl::StatusOr<v1::LayerSet> ReadConfig(const std::string& path) {
  if (path.empty()) return DefaultLayerSet();
  return LoadLayerSetFile(path);
}

std::vector<std::string> ConfigFaults(const std::string& path, const absl::Status& status) {
  std::vector<std::string> lines;
  for (const Violation& violation : FromStatus(status)) {
    // What is wrong with the file as a whole names it already.
    const std::string text = ToString(violation);
    lines.push_back(text.starts_with(path + ": ") ? text : path + ": " + text);
  }
  // Without violations the file could not be read; the message names it.
  if (lines.empty()) lines.push_back(std::string(status.message()));
  return lines;
}

std::string ConfigSummary(const std::string& path, const v1::LayerSet& layers) {
  const int count = layers.layers_size();
  std::string summary = (path.empty() ? "default config" : path) + ": OK, " +
                        std::to_string(count) + (count == 1 ? " layer: " : " layers: ");
  for (int i = 0; i < count; ++i) summary += (i == 0 ? "" : ", ") + layers.layers(i).name();
  return summary;
}

}  // namespace layered
