// SPDX-License-Identifier: Apache-2.0

#include "daemon/control/bounded_queue.h"

#include <memory>
#include <thread>

#include "gtest/gtest.h"

namespace layered {
namespace {

TEST(BoundedQueue, FirstInFirstOutAndRefusesBeyondTheLimit) {
  BoundedQueue<std::unique_ptr<int>> queue(2);
  for (int i = 0; i < 2; ++i) {
    auto item = std::make_unique<int>(i);
    EXPECT_EQ(queue.Push(item), PushResult::kQueued);
    EXPECT_EQ(item, nullptr);
  }
  auto surplus = std::make_unique<int>(9);
  EXPECT_EQ(queue.Push(surplus), PushResult::kFull);
  ASSERT_NE(surplus, nullptr) << "a refused item stays with the caller";
  EXPECT_EQ(**queue.Pop(), 0);
  EXPECT_EQ(**queue.Pop(), 1);
  EXPECT_EQ(queue.Push(surplus), PushResult::kQueued);
}

TEST(BoundedQueue, CloseHandsOutTheRestAndWakesTheWaiter) {
  BoundedQueue<int> queue(2);
  int item = 1;
  queue.Push(item);
  queue.Close();
  EXPECT_EQ(queue.Push(item), PushResult::kClosed);
  EXPECT_EQ(queue.Pop(), 1);
  EXPECT_EQ(queue.Pop(), std::nullopt);

  BoundedQueue<int> empty(1);
  std::optional<int> got = 5;
  std::thread waiter([&] { got = empty.Pop(); });
  empty.Close();
  waiter.join();
  EXPECT_EQ(got, std::nullopt);
}

}  // namespace
}  // namespace layered
