// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/socket_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "daemon/api/limits.h"

namespace layered::api {
namespace {

class SocketFileTest : public testing::Test {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/sock.XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
    path_ = folder_ + "/s";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  int Connect() const {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    strncpy(address.sun_path, path_.c_str(), sizeof(address.sun_path) - 1);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int result = connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address));
    close(fd);
    return result;
  }

  struct stat Info() const {
    struct stat info {};
    EXPECT_EQ(lstat(path_.c_str(), &info), 0);
    return info;
  }

  std::string folder_;
  std::string path_;
};

TEST_F(SocketFileTest, WithoutAGroupOnlyTheOwnerComesIn) {
  const mode_t old = umask(0);  // must not matter
  const auto file = SocketFile::Create(path_, std::nullopt);
  umask(old);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_TRUE(S_ISSOCK(Info().st_mode));
  EXPECT_EQ(Info().st_mode & 07777, 0600u);
  EXPECT_EQ(Connect(), 0);
}

TEST_F(SocketFileTest, WithAGroupItIs0660WhateverTheUmask) {
  const mode_t old = umask(0777);
  const auto file = SocketFile::Create(path_, getegid());
  umask(old);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(Info().st_mode & 07777, 0660u);
  EXPECT_EQ(Info().st_gid, getegid());
}

TEST_F(SocketFileTest, NothingIsLeftBehind) {
  { ASSERT_TRUE(SocketFile::Create(path_, std::nullopt).ok()); }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(SocketFileTest, AStaleSocketIsReplaced) {
  // As a killed daemon leaves them: bound, nobody listens.
  for (const std::string& path : {path_, path_ + ".new"}) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_EQ(bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    close(fd);
  }
  ASSERT_NE(Connect(), 0);
  const auto file = SocketFile::Create(path_, std::nullopt);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(Connect(), 0);
}

TEST_F(SocketFileTest, ALiveServerIsNotReplaced) {
  const auto first = SocketFile::Create(path_, std::nullopt);
  ASSERT_TRUE(first.ok()) << first.status();
  const auto second = SocketFile::Create(path_, std::nullopt);
  EXPECT_EQ(second.status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_NE(second.status().message().find("pid " + std::to_string(getpid())), std::string::npos)
      << second.status();
  EXPECT_EQ(Connect(), 0);
}

TEST_F(SocketFileTest, AFileThatIsNoSocketIsLeftAlone) {
  std::ofstream(path_) << "precious";
  const auto file = SocketFile::Create(path_, std::nullopt);
  EXPECT_EQ(file.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(std::filesystem::is_regular_file(path_));
}

TEST_F(SocketFileTest, AFileUnderTheTemporaryNameIsLeftAlone) {
  std::ofstream(path_ + ".new") << "precious";
  const auto file = SocketFile::Create(path_, std::nullopt);
  EXPECT_EQ(file.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(std::filesystem::is_regular_file(path_ + ".new"));
}

TEST_F(SocketFileTest, AFileThatReplacedOursStays) {
  {
    const auto file = SocketFile::Create(path_, std::nullopt);
    ASSERT_TRUE(file.ok()) << file.status();
    unlink(path_.c_str());
    std::ofstream(path_) << "of somebody else";
  }
  EXPECT_TRUE(std::filesystem::exists(path_));
}

TEST_F(SocketFileTest, BadPathsAreRefused) {
  EXPECT_EQ(SocketFile::Create("", std::nullopt).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(
      SocketFile::Create("/" + std::string(kMaxSocketPath, 'x'), std::nullopt).status().code(),
      absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(SocketFile::Create(folder_ + "/none/s", std::nullopt).status().code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace layered::api
