// SPDX-License-Identifier: Apache-2.0

#include "daemon/status_line.h"

#include "gtest/gtest.h"

namespace layered {
namespace {

TEST(StatusLine, WhileItSchedules) {
  v1::GetStatusResponse status;
  status.set_state(v1::SCHEDULER_STATE_RUNNING);
  status.mutable_last_exit()->set_message("of a restart before");
  EXPECT_EQ(StatusLine(status, 4, "/s"), "scheduling 4 layers, API on /s");
  EXPECT_EQ(StatusLine(status, 1, "/s"), "scheduling 1 layer, API on /s");
}

TEST(StatusLine, AfterAnEjection) {
  v1::GetStatusResponse status;
  status.set_state(v1::SCHEDULER_STATE_FAILED);
  EXPECT_EQ(StatusLine(status, 4, "/s"),
            "not scheduling: the kernel took the scheduler out, API on /s");
  status.mutable_last_exit()->set_message("disabled by sysrq-S");
  EXPECT_EQ(StatusLine(status, 4, "/s"),
            "not scheduling: the kernel took the scheduler out (disabled by sysrq-S), API on /s");
}

}  // namespace
}  // namespace layered
