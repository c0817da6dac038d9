// SPDX-License-Identifier: Apache-2.0

#include "tests/api/api_fixture.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace layered::tests {

void ApiTest::SetUp() {
  char folder[] = "/tmp/api.XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  chmod(folder, 0755);  // other users may look for the socket
  folder_ = folder;
  socket_ = folder_ + "/s";
  SetViewerGroup(getegid());
}

void ApiTest::SetViewerGroup(gid_t group) {
  std::ofstream(folder_ + "/group") << "layered:x:" << group << ":\n";
}

void ApiTest::TearDown() {
  daemon_.reset();
  std::filesystem::remove_all(folder_);
}

void ApiTest::StartDaemon(const std::vector<std::string>& flags) {
  std::vector<std::string> argv = {"daemon/api/testing/fake_layeredd", "--socket", socket_,
                                   "--group-file", folder_ + "/group"};
  argv.insert(argv.end(), flags.begin(), flags.end());
  daemon_ = std::make_unique<Process>(argv);
  const std::optional<std::string> line = daemon_->ReadLine();
  if (line != "ready") daemon_->Wait();
  ASSERT_EQ(line, "ready") << daemon_->err();
}

int ApiTest::StopDaemon() {
  daemon_->Signal(SIGTERM);
  const std::string line = daemon_->ReadLine().value_or("");
  int milliseconds = -1;
  EXPECT_EQ(sscanf(line.c_str(), "stopped in %d ms", &milliseconds), 1) << line;
  EXPECT_EQ(daemon_->Wait(), 0) << daemon_->err();
  daemon_.reset();
  return milliseconds;
}

Result ApiTest::Ctl(const std::vector<std::string>& args,
                    const std::optional<Identity>& identity) const {
  std::vector<std::string> argv = {kCtl, "--socket", socket_};
  argv.insert(argv.end(), args.begin(), args.end());
  return RunToEnd(argv, identity);
}

std::unique_ptr<Process> ApiTest::StartCtl(const std::vector<std::string>& args) const {
  std::vector<std::string> argv = {kCtl, "--socket", socket_};
  argv.insert(argv.end(), args.begin(), args.end());
  return std::make_unique<Process>(argv);
}

int ApiTest::Connect() const {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  strncpy(address.sun_path, socket_.c_str(), sizeof(address.sun_path) - 1);
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_EQ(connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  return fd;
}

}  // namespace layered::tests
