// SPDX-License-Identifier: Apache-2.0
//
// Clients that misbehave: none of them may cost the others their service, or the daemon its stop.

#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "tests/api/api_fixture.h"

namespace layered::tests {
namespace {

class HostileTest : public ApiTest {};

TEST_F(HostileTest, GarbageIsCutOffAndOthersAreServed) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  std::string random;
  uint32_t state = 1;
  for (int i = 0; i < 100'000; ++i) {
    state = state * 1664525 + 1013904223;
    random += static_cast<char>(state >> 24);
  }
  const std::string preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  for (const std::string& text :
       {std::string("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), random, preface + random,
        preface + std::string("\0\0\xff\1\4\0\0\0\1", 9) + std::string(255, '\xff'),
        std::string(100'000, '\0'), std::string()}) {
    const int fd = Connect();
    send(fd, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    shutdown(fd, SHUT_WR);
    char buffer[4096];
    while (recv(fd, buffer, sizeof(buffer), 0) > 0) {  // until the server ends it
    }
    close(fd);
    EXPECT_EQ(Ctl({"list"}).exit_code, 0);
  }
  EXPECT_LT(StopDaemon(), 1000);
}

TEST_F(HostileTest, ClientsThatVanishMidStream) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  for (int i = 0; i < 10; ++i) {
    const auto watch = StartCtl({"watch", "--interval", "100ms", "-o", "json"});
    ASSERT_TRUE(watch->ReadLine().has_value());
    watch->Signal(SIGKILL);
    EXPECT_EQ(watch->Wait(), 1000 + SIGKILL);
  }
  EXPECT_EQ(Ctl({"list"}).exit_code, 0);
  EXPECT_LT(StopDaemon(), 1000);
}

TEST_F(HostileTest, SilentConnectionsDoNotHoldUpTheStop) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  std::vector<int> fds;
  for (int i = 0; i < 50; ++i) fds.push_back(Connect());
  EXPECT_EQ(Ctl({"list"}).exit_code, 0);
  EXPECT_LT(StopDaemon(), 1000);
  for (const int fd : fds) close(fd);
}

TEST_F(HostileTest, AStoppedClientDoesNotHoldUpOthersOrTheStop) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon({"--padding", "200000"}));
  const auto stopped = StartCtl({"watch", "--interval", "100ms", "-o", "json"});
  ASSERT_TRUE(stopped->ReadLine().has_value());
  stopped->Signal(SIGSTOP);
  // Until its stream is certainly write-blocked: 20 frames of 200 kB.
  std::this_thread::sleep_for(std::chrono::seconds(2));
  EXPECT_EQ(Ctl({"list"}).exit_code, 0);
  EXPECT_EQ(Ctl({"watch", "--interval", "100ms", "--count", "2", "-o", "json"}).exit_code, 0);
  EXPECT_LT(StopDaemon(), 1000);
  stopped->Signal(SIGCONT);
}

TEST_F(HostileTest, AClientThatStaysStoppedLosesItsConnectionAndComesBack) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon({"--padding", "200000", "--stalled-ns", "500000000"}));
  const auto stopped = StartCtl({"watch", "--interval", "100ms", "-o", "json"});
  ASSERT_TRUE(stopped->ReadLine().has_value());
  stopped->Signal(SIGSTOP);
  std::this_thread::sleep_for(std::chrono::seconds(4));
  stopped->Signal(SIGCONT);
  bool lost = false, back = false;
  for (int i = 0; i < 1000 && !back; ++i) {
    const std::string line = stopped->ReadLine().value_or("");
    ASSERT_FALSE(line.empty()) << stopped->err();
    lost |= line.find("\"state\":\"lost\"") != std::string::npos;
    back |= line.find("\"state\":\"back\"") != std::string::npos;
  }
  EXPECT_TRUE(lost && back);
}

}  // namespace
}  // namespace layered::tests
