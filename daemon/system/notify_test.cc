// SPDX-License-Identifier: Apache-2.0

#include "daemon/system/notify.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <string>

#include "daemon/base/unique_fd.h"
#include "gtest/gtest.h"

namespace layered {
namespace {

// systemd's side of the protocol.
class NotifyTest : public testing::Test {
 protected:
  NotifyTest() : fd_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    char folder[] = "/tmp/notify.XXXXXX";
    folder_ = mkdtemp(folder);
    path_ = folder_ + "/s";
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, path_.c_str());
    EXPECT_EQ(bind(fd_.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  }
  ~NotifyTest() override { std::filesystem::remove_all(folder_); }

  // The next datagram; empty if there is none.
  std::string Receive() {
    char buffer[512];
    const ssize_t n = recv(fd_.get(), buffer, sizeof(buffer), MSG_DONTWAIT);
    return n < 0 ? "" : std::string(buffer, static_cast<size_t>(n));
  }

  UniqueFd fd_;
  std::string folder_, path_;
};

TEST_F(NotifyTest, SpeaksTheProtocol) {
  SystemdNotifier notifier(path_);
  notifier.Ready("2 layers");
  EXPECT_EQ(Receive(), "READY=1\nSTATUS=2 layers");
  notifier.Reloading(5'000'000);
  EXPECT_EQ(Receive(), "RELOADING=1\nMONOTONIC_USEC=5000");
  notifier.Stopping();
  EXPECT_EQ(Receive(), "STOPPING=1");
}

TEST_F(NotifyTest, ATextCannotAddAnAssignment) {
  SystemdNotifier(path_).Status("ejected\nREADY=1");
  EXPECT_EQ(Receive(), "STATUS=ejected READY=1");
}

TEST_F(NotifyTest, SilentWithoutOrWithAnUnusableSocket) {
  SystemdNotifier("").Ready("");
  SystemdNotifier(path_ + ".gone").Ready("");
  SystemdNotifier(std::string(300, 'x')).Ready("");
  EXPECT_EQ(Receive(), "");
}

}  // namespace
}  // namespace layered
