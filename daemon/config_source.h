// SPDX-License-Identifier: Apache-2.0
//
// Where the daemon's layers come from at start, at SIGHUP and for --check-config: the config file,
// or the default set if there is none.
//
// Thread-safety: reads files only.
// Failure: the loader's status, with all violations.

#ifndef LAYERED_DAEMON_CONFIG_SOURCE_H_
#define LAYERED_DAEMON_CONFIG_SOURCE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "layered/v1/layer.pb.h"

namespace layered {

// `path` may be empty: the default set.
absl::StatusOr<v1::LayerSet> ReadConfig(const std::string& path);

// One line per fault of a config that was refused: "FILE: layers[2].weight: ... (line 4, ...)".
std::vector<std::string> ConfigFaults(const std::string& path, const absl::Status& status);

// "FILE: OK, 3 layers: web, batch, default".
std::string ConfigSummary(const std::string& path, const v1::LayerSet& layers);

}  // namespace layered

#endif  // LAYERED_DAEMON_CONFIG_SOURCE_H_
