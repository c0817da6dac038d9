// SPDX-License-Identifier: Apache-2.0

#include "daemon/scheduler/exit_record.h"

#include <cstring>
#include <memory>

#include "gtest/gtest.h"

namespace layered {
namespace {

TEST(ReadExit, NothingBeforeTheKindIsWritten) {
  auto ctl = std::make_unique<layered_ctl>();
  std::strcpy(ctl->exit_msg, "half written");
  EXPECT_FALSE(ReadExit(*ctl).has_value());
}

TEST(ReadExit, ReadsTheRecord) {
  auto ctl = std::make_unique<layered_ctl>();
  ctl->exit_kind = 1026;
  ctl->exit_code = -5;
  std::strcpy(ctl->exit_reason, "runnable task stall");
  std::strcpy(ctl->exit_msg, "init[1] failed to run\n");
  const auto exit = ReadExit(*ctl);
  ASSERT_TRUE(exit.has_value());
  EXPECT_EQ(exit->code, -5);
  EXPECT_EQ(ToString(*exit), "kind 1026 (runnable task stall), code -5: init[1] failed to run");
}

TEST(ReadExit, TextsWithoutEndAndWithForeignBytesAreTamed) {
  auto ctl = std::make_unique<layered_ctl>();
  ctl->exit_kind = 1024;
  std::memset(ctl->exit_reason, 'x', sizeof(ctl->exit_reason));
  std::strcpy(ctl->exit_msg, "task \xff\x01");
  const auto exit = ReadExit(*ctl);
  EXPECT_EQ(exit->reason.size(), sizeof(ctl->exit_reason));
  EXPECT_EQ(exit->message, "task ??");
}

TEST(WantsRestart, OnlyWhenTheKernelSaysSo) {
  EXPECT_TRUE(WantsRestart({.kind = 66, .code = 281479271677952}));
  EXPECT_FALSE(WantsRestart({.kind = 64, .code = 0}));
  EXPECT_FALSE(WantsRestart({.kind = 67, .code = 0}));
  EXPECT_FALSE(WantsRestart({.kind = 1025, .code = 281479271677952}));
}

}  // namespace
}  // namespace layered
