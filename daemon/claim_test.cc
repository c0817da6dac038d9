// SPDX-License-Identifier: Apache-2.0

#include "daemon/claim.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "daemon/base/unique_fd.h"
#include "gtest/gtest.h"

namespace layered {
namespace {

class ClaimTest : public testing::Test {
 protected:
  ClaimTest() {
    char folder[] = "/tmp/claim.XXXXXX";
    folder_ = mkdtemp(folder);
    socket_ = folder_ + "/s";
    env_.sysfs_root = folder_ + "/sys";
    env_.kernel_btf = folder_ + "/btf";
    env_.mountinfo = folder_ + "/mountinfo";
    std::filesystem::create_directories(folder_ + "/sys/kernel/sched_ext");
    std::ofstream(folder_ + "/sys/kernel/sched_ext/state") << "disabled\n";
    std::ofstream(env_.kernel_btf) << "x";
    std::ofstream(env_.mountinfo) << "30 23 0:26 / /cg rw - cgroup2 cgroup2 rw\n";
  }
  ~ClaimTest() override { std::filesystem::remove_all(folder_); }

  void ExpectRefused(ExitCode code, const std::string& named) {
    const auto claim = Claim(socket_, env_);
    ASSERT_TRUE(std::holds_alternative<Refusal>(claim));
    const Refusal& refusal = std::get<Refusal>(claim);
    EXPECT_EQ(refusal.code, code);
    ASSERT_FALSE(refusal.faults.empty());
    EXPECT_NE(refusal.faults[0].find(named), std::string::npos) << refusal.faults[0];
  }

  // Bound at `path`; answers if it listens.
  static UniqueFd Serve(const std::string& path, bool listens) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
    UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    EXPECT_EQ(bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    if (listens) {
      EXPECT_EQ(listen(fd.get(), 1), 0);
    }
    return fd;
  }

  std::string folder_;
  std::string socket_;
  PreflightEnv env_;
};

TEST_F(ClaimTest, AFreePathOnAFitMachine) {
  const auto claim = Claim(socket_, env_);
  ASSERT_TRUE(std::holds_alternative<Claimed>(claim));
  EXPECT_EQ(std::get<Claimed>(claim).cgroup_mount, "/cg");
}

TEST_F(ClaimTest, AStaleSocketIsNoObstacle) {
  Serve(socket_, false);
  EXPECT_TRUE(std::holds_alternative<Claimed>(Claim(socket_, env_)));
}

TEST_F(ClaimTest, APathThatIsTooLong) {
  socket_.resize(104, 'x');
  ExpectRefused(kExitInvalid, "104 bytes");
  EXPECT_FALSE(std::filesystem::exists(socket_ + ".lock")) << "nothing is left behind";
}

TEST_F(ClaimTest, ARegularFileAtThePath) {
  std::ofstream(socket_) << "precious";
  ExpectRefused(kExitInvalid, socket_ + " exists and is not a socket");
}

TEST_F(ClaimTest, ARegularFileWhereTheSocketIsMade) {
  std::ofstream(socket_ + ".new") << "precious";
  ExpectRefused(kExitInvalid, socket_ + ".new exists and is not a socket");
}

TEST_F(ClaimTest, AnotherProcessAnswers) {
  const UniqueFd other = Serve(socket_, true);
  ExpectRefused(kExitConflict, "pid " + std::to_string(getpid()) + " answers");
}

TEST_F(ClaimTest, AnotherInstance) {
  const auto first = Claim(socket_, env_);
  ASSERT_TRUE(std::holds_alternative<Claimed>(first));
  ExpectRefused(kExitConflict, "pid " + std::to_string(getpid()));
}

TEST_F(ClaimTest, NoFolderToMakeTheSocketIn) {
  socket_ = folder_ + "/a/b/s";
  ExpectRefused(kExitInvalid, "mkdir -p " + folder_ + "/a/b");
}

TEST_F(ClaimTest, AFileInPlaceOfTheFolder) {
  std::ofstream(folder_ + "/a") << "x";
  socket_ = folder_ + "/a/s";
  ExpectRefused(kExitInvalid, folder_ + "/a/s.lock");
}

TEST_F(ClaimTest, AMachineThatCannot) {
  env_.euid = 1000;
  ExpectRefused(kExitPermission, "must run as root");
}

}  // namespace
}  // namespace layered
