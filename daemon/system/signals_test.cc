// SPDX-License-Identifier: Apache-2.0

#include "daemon/system/signals.h"

#include <csignal>

#include "gtest/gtest.h"

namespace layered {
namespace {

TEST(Signals, BecomeEvents) {
  BlockSignals();
  int number = 0;
  std::raise(SIGHUP);
  EXPECT_EQ(WaitForSignal(&number), SignalEvent::kReload);
  EXPECT_EQ(number, SIGHUP);
  std::raise(SIGTERM);
  EXPECT_EQ(WaitForSignal(&number), SignalEvent::kStop);
  EXPECT_EQ(number, SIGTERM);
  std::raise(SIGINT);
  EXPECT_EQ(WaitForSignal(), SignalEvent::kStop);
  std::raise(SIGPIPE);  // survived
}

}  // namespace
}  // namespace layered
