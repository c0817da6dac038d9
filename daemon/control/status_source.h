// SPDX-License-Identifier: Apache-2.0
//
// Where the API gets the scheduler's status from.
//
// Thread-safety: may be called from any thread; no locks are held across contact with the kernel.

#ifndef LAYERED_DAEMON_CONTROL_STATUS_SOURCE_H_
#define LAYERED_DAEMON_CONTROL_STATUS_SOURCE_H_

#include "layered/v1/scheduler_service.pb.h"

namespace layered {

class StatusSource {
 public:
  virtual ~StatusSource() = default;

  // Everything but write_latency, which the API measures itself.
  virtual v1::GetStatusResponse GetStatus() const = 0;
};

}  // namespace layered

#endif  // LAYERED_DAEMON_CONTROL_STATUS_SOURCE_H_
