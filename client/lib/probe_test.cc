// SPDX-License-Identifier: Apache-2.0

#include "client/lib/probe.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>

namespace layered::client {
namespace {

class ProbeTest : public testing::Test {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/probe.XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
    path_ = folder_ + "/s";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  int Bind() const {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    strncpy(address.sun_path, path_.c_str(), sizeof(address.sun_path) - 1);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT_EQ(bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    return fd;
  }

  std::string folder_;
  std::string path_;
};

TEST_F(ProbeTest, AListeningSocketIsFine) {
  const int fd = Bind();
  ASSERT_EQ(listen(fd, 1), 0);
  EXPECT_TRUE(ProbeSocket(path_).ok());
  // The backlog is full now: alive all the same.
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(ProbeSocket(path_).ok());
  close(fd);
}

TEST_F(ProbeTest, NobodyThereAsksWhetherTheDaemonRuns) {
  const absl::Status missing = ProbeSocket(path_);
  EXPECT_EQ(missing.code(), absl::StatusCode::kUnavailable);
  EXPECT_NE(std::string(missing.message()).find("is layeredd running?"), std::string::npos);

  const int fd = Bind();  // a stale file: bound, not listening
  const absl::Status stale = ProbeSocket(path_);
  EXPECT_EQ(stale.code(), absl::StatusCode::kUnavailable);
  EXPECT_NE(std::string(stale.message()).find("nobody listens"), std::string::npos);
  close(fd);
}

TEST_F(ProbeTest, NetworkAddressesAndBadPaths) {
  const absl::Status address = ProbeSocket("localhost:7777");
  EXPECT_EQ(address.code(), absl::StatusCode::kUnavailable);
  EXPECT_NE(std::string(address.message()).find("unix socket only"), std::string::npos);
  EXPECT_EQ(ProbeSocket("").code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ProbeSocket(std::string(200, 'x')).code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace layered::client
