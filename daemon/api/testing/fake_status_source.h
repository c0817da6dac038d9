// SPDX-License-Identifier: Apache-2.0
//
// A StatusSource for tests of the API: a running scheduler that does not exist.
//
// Thread-safety: all methods may be called from any thread.

#ifndef LAYERED_DAEMON_API_TESTING_FAKE_STATUS_SOURCE_H_
#define LAYERED_DAEMON_API_TESTING_FAKE_STATUS_SOURCE_H_

#include <string>
#include <utility>

#include "daemon/control/layer_store.h"
#include "daemon/control/status_source.h"

namespace layered::api {

class FakeStatusSource final : public StatusSource {
 public:
  FakeStatusSource(std::string instance_id, const LayerStore* store)
      : instance_id_(std::move(instance_id)), store_(store) {}

  v1::GetStatusResponse GetStatus() const override {
    v1::GetStatusResponse status;
    status.set_state(v1::SCHEDULER_STATE_RUNNING);
    status.set_desired_revision(store_->Desired()->number);
    status.set_observed_revision(store_->Desired()->number);
    status.set_instance_id(instance_id_);
    status.set_version("0.0.0-fake");
    status.set_kernel("6.18.0-fake");
    status.set_ops("layered");
    status.set_enable_seq(1);
    return status;
  }

 private:
  const std::string instance_id_;
  const LayerStore* const store_;
};

}  // namespace layered::api

#endif  // LAYERED_DAEMON_API_TESTING_FAKE_STATUS_SOURCE_H_
