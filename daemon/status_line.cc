// SPDX-License-Identifier: Apache-2.0

#include "daemon/status_line.h"

namespace layered {

std::string StatusLine(const v1::GetStatusResponse& status, int layers,
                       const std::string& socket_path) {
  const std::string api = ", API on " + socket_path;
  if (status.state() == v1::SCHEDULER_STATE_RUNNING) {
    return "scheduling " + std::to_string(layers) + (layers == 1 ? " layer" : " layers") + api;
  }
  const std::string& why = status.last_exit().message();
  return "not scheduling: the kernel took the scheduler out" +
         (why.empty() ? "" : " (" + why + ")") + api;
}

}  // namespace layered
