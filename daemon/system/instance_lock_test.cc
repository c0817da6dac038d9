// SPDX-License-Identifier: Apache-2.0

#include "daemon/system/instance_lock.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace layered {
namespace {

class InstanceLockTest : public testing::Test {
 protected:
  InstanceLockTest() {
    char folder[] = "/tmp/lock.XXXXXX";
    folder_ = mkdtemp(folder);
    socket_ = folder_ + "/run/layered.sock";
  }
  ~InstanceLockTest() override { std::filesystem::remove_all(folder_); }

  std::string folder_, socket_;
};

TEST_F(InstanceLockTest, TheSecondHearsThePidOfTheFirst) {
  auto first = InstanceLock::Acquire(socket_);
  ASSERT_TRUE(first.ok()) << first.status().ToString();
  const auto second = InstanceLock::Acquire(socket_);
  ASSERT_TRUE(absl::IsAlreadyExists(second.status()));
  const std::string text(second.status().message());
  EXPECT_NE(text.find("pid " + std::to_string(getpid())), std::string::npos) << text;
  EXPECT_NE(text.find(socket_), std::string::npos) << text;
}

TEST_F(InstanceLockTest, ALeftFileIsNoLock) {
  std::optional<InstanceLock> lock = *InstanceLock::Acquire(socket_);
  lock.reset();
  std::ofstream(socket_ + ".lock") << "4194304999 a longer text of another time\n";
  const auto again = InstanceLock::Acquire(socket_);
  ASSERT_TRUE(again.ok()) << again.status().ToString();
  std::string text;
  std::getline(std::ifstream(socket_ + ".lock"), text);
  EXPECT_EQ(text, std::to_string(getpid()));
}

TEST_F(InstanceLockTest, OtherSocketsAreIndependent) {
  const auto one = InstanceLock::Acquire(socket_);
  const auto other = InstanceLock::Acquire(folder_ + "/run/other.sock");
  EXPECT_TRUE(one.ok() && other.ok());
}

TEST_F(InstanceLockTest, FoldersAboveAreNotMadeAndLinksNotFollowed) {
  const auto deep = InstanceLock::Acquire(folder_ + "/a/b/layered.sock");
  EXPECT_TRUE(absl::IsNotFound(deep.status())) << deep.status().ToString();
  const std::string target = folder_ + "/precious";
  std::ofstream(target) << "keep";
  std::filesystem::create_symlink(target, folder_ + "/x.sock.lock");
  EXPECT_FALSE(InstanceLock::Acquire(folder_ + "/x.sock").ok());
  EXPECT_EQ(std::filesystem::file_size(target), 4u);
}

}  // namespace
}  // namespace layered
