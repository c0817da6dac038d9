// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/listener.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace layered::api {
namespace {

class ListenerTest : public testing::Test {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/listen.XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
    Become(0, {});
  }

  void TearDown() override {
    listener_.reset();
    std::filesystem::remove_all(folder_);
    for (const auto& [role, fd] : adopted_) close(fd);
  }

  void Start() {
    auto socket = SocketFile::Create(folder_ + "/s", std::nullopt);
    ASSERT_TRUE(socket.ok()) << socket.status();
    listener_ = std::make_unique<Listener>(
        *std::move(socket), &table_,
        Listener::Options{.policy = {.daemon_uid = 0, .viewer_gid = 990, .group = "layered"},
                          .hand_over =
                              [this](Role role, int fd) {
                                std::lock_guard lock(mutex_);
                                adopted_.emplace_back(role, fd);
                              },
                          .credentials = [this](int) -> absl::StatusOr<Credentials> {
                            std::lock_guard lock(mutex_);
                            return peer_;
                          }});
    ASSERT_TRUE(listener_->Start().ok());
  }

  void Become(uint32_t uid, std::vector<uint32_t> groups) {
    std::lock_guard lock(mutex_);
    peer_ = {.uid = uid, .gid = uid, .pid = getpid(), .groups = std::move(groups)};
  }

  int Connect() const {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    strncpy(address.sun_path, (folder_ + "/s").c_str(), sizeof(address.sun_path) - 1);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT_EQ(connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    return fd;
  }

  std::vector<std::pair<Role, int>> WaitForAdopted(std::size_t count) {
    for (int i = 0; i < 1000; ++i) {
      {
        std::lock_guard lock(mutex_);
        if (adopted_.size() >= count) return adopted_;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return {};
  }

  bool WaitForSize(int size) const {
    for (int i = 0; i < 1000 && table_.size() != size; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return table_.size() == size;
  }

  std::string folder_;
  Credentials peer_;
  std::mutex mutex_;
  std::vector<std::pair<Role, int>> adopted_;
  PeerTable table_{Limits{}};
  std::unique_ptr<Listener> listener_;
};

TEST_F(ListenerTest, HandsConnectionsToTheirRole) {
  Start();
  const int admin = Connect();
  ASSERT_EQ(WaitForAdopted(1).size(), 1u);
  Become(1000, {990});
  const int viewer = Connect();
  ASSERT_EQ(WaitForAdopted(2).size(), 2u);
  Become(1000, {});
  const int stranger = Connect();
  const auto adopted = WaitForAdopted(3);
  ASSERT_EQ(adopted.size(), 3u);
  EXPECT_EQ(adopted[0].first, Role::kAdmin);
  EXPECT_EQ(adopted[1].first, Role::kViewer);
  EXPECT_EQ(adopted[2].first, Role::kRefused);
  const auto peer = table_.Find("fd:" + std::to_string(adopted[1].second));
  ASSERT_TRUE(peer.has_value());
  EXPECT_EQ(peer->credentials.uid, 1000u);
  EXPECT_EQ(peer->comm, ReadComm(getpid()));
  for (const int fd : {admin, viewer, stranger}) close(fd);
}

TEST_F(ListenerTest, NumbersRiseAndAreNotReused) {
  Start();
  std::vector<int> numbers;
  for (std::size_t i = 0; i < 20; ++i) {
    const int fd = Connect();
    const auto adopted = WaitForAdopted(i + 1);
    ASSERT_EQ(adopted.size(), i + 1);
    numbers.push_back(adopted.back().second);
    close(fd);
    ASSERT_TRUE(WaitForSize(0));
    close(adopted.back().second);  // free to be reused
    std::lock_guard lock(mutex_);
    adopted_.back().second = -1;
  }
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
  EXPECT_EQ(std::adjacent_find(numbers.begin(), numbers.end()), numbers.end());
}

TEST_F(ListenerTest, AHangUpOfEitherSideForgetsThePeer) {
  Start();
  const int client = Connect();
  ASSERT_EQ(WaitForAdopted(1).size(), 1u);
  EXPECT_EQ(table_.size(), 1);
  close(client);
  EXPECT_TRUE(WaitForSize(0));

  const int other = Connect();
  const auto adopted = WaitForAdopted(2);
  ASSERT_EQ(adopted.size(), 2u);
  shutdown(adopted[1].second, SHUT_RDWR);  // as gRPC ends a connection
  EXPECT_TRUE(WaitForSize(0));
  close(other);
}

TEST_F(ListenerTest, WithoutDescriptorsClientsSeeAnEndAndLaterOnesAreServed) {
  Start();
  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &old), 0);
  const int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  strncpy(address.sun_path, (folder_ + "/s").c_str(), sizeof(address.sun_path) - 1);
  // No number is free below the limit.
  rlimit low = old;
  low.rlim_cur = static_cast<rlim_t>(dup(STDERR_FILENO)) + 1;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  ASSERT_EQ(connect(client, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  char byte;
  EXPECT_EQ(recv(client, &byte, 1, 0), 0);  // closed, not left waiting
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &old), 0);
  close(client);

  const int next = Connect();
  EXPECT_EQ(WaitForAdopted(1).size(), 1u);
  close(next);
}

TEST_F(ListenerTest, StopRemovesTheSocketAndKeepsConnections) {
  Start();
  const int client = Connect();
  ASSERT_EQ(WaitForAdopted(1).size(), 1u);
  listener_->Stop();
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/s"));
  EXPECT_EQ(table_.size(), 1);
  listener_->Stop();
  close(client);
}

}  // namespace
}  // namespace layered::api
