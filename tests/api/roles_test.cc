// SPDX-License-Identifier: Apache-2.0
//
// Other users against a live API: what the socket's mode and the roles let them do. Needs root.

#include <sys/stat.h>
#include <unistd.h>

#include <sstream>

#include "tests/api/api_fixture.h"

namespace layered::tests {
namespace {

class RolesTest : public ApiTest {
 protected:
  static constexpr gid_t kViewerGroup = 990;

  void SetUp() override {
    ApiTest::SetUp();
    ASSERT_EQ(geteuid(), 0u) << "this test runs clients as other users, which takes root";
    SetViewerGroup(kViewerGroup);
  }

  const Identity viewer_{.uid = 65534, .gid = 65534, .groups = {kViewerGroup}};
  const Identity primary_{.uid = 65534, .gid = kViewerGroup, .groups = {}};
  const Identity stranger_{.uid = 65534, .gid = 65534, .groups = {}};
};

TEST_F(RolesTest, TheSocketIsTheGroups) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  struct stat info {};
  ASSERT_EQ(stat(socket_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0660u);
  EXPECT_EQ(info.st_uid, 0u);
  EXPECT_EQ(info.st_gid, kViewerGroup);
}

TEST_F(RolesTest, ViewersReadAndMayNotWrite) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  for (const Identity& identity : {viewer_, primary_}) {
    for (const std::vector<std::string>& args :
         {std::vector<std::string>{"list"},
          {"get", "default"},
          {"status"},
          {"version"},
          {"watch", "--interval", "100ms", "--count", "1"}}) {
      const Result r = Ctl(args, identity);
      EXPECT_EQ(r.exit_code, 0) << args[0] << r.err;
    }
    for (const std::vector<std::string>& args :
         {std::vector<std::string>{"set-layer", "web", "--match", "comm=a"},
          {"delete-layer", "default"}}) {
      const Result r = Ctl(args, identity);
      EXPECT_EQ(r.exit_code, 5) << args[0];
      EXPECT_NE(r.err.find("viewer"), std::string::npos) << r.err;
    }
  }
  EXPECT_EQ(Ctl({"get", "web"}).exit_code, 3);
}

TEST_F(RolesTest, StrangersAreStoppedByTheMode) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  const Result r = Ctl({"list"}, stranger_);
  EXPECT_EQ(r.exit_code, 5);
  EXPECT_NE(r.err.find(socket_ + " is mode 0660 root:990"), std::string::npos) << r.err;
}

TEST_F(RolesTest, WhereTheModeLetsThemInStrangersAreRefusedEveryMethod) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  ASSERT_EQ(chmod(socket_.c_str(), 0666), 0);
  const Result ctl = Ctl({"list"}, stranger_);
  EXPECT_EQ(ctl.exit_code, 5);
  EXPECT_NE(ctl.err.find("uid 65534 is refused"), std::string::npos) << ctl.err;

  const std::vector<std::string> argv = {
      kCallMethods,
      socket_,
      "/layered.v1.LayerService/ListLayers",
      "/layered.v1.LayerService/GetLayer",
      "/layered.v1.LayerService/SetLayer",
      "/layered.v1.LayerService/DeleteLayer",
      "/layered.v1.SchedulerService/GetStatus",
      "/layered.v1.StatsService/Watch",
      "/grpc.health.v1.Health/Check",
      "/grpc.health.v1.Health/Watch",
      "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
      "/no.such/Method"};
  const Result raw = RunToEnd(argv, stranger_);
  EXPECT_EQ(raw.exit_code, 0) << raw.err;
  std::istringstream lines(raw.out);
  std::size_t methods = 0;
  for (std::string line; std::getline(lines, line); ++methods) {
    EXPECT_EQ(line.compare(0, 2, "7 "), 0) << argv[methods + 2] << ": " << line;
  }
  EXPECT_EQ(methods, argv.size() - 2);
}

TEST_F(RolesTest, WithoutTheGroupOnlyRootComesIn) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon({"--group", "no-such-group"}));
  struct stat info {};
  ASSERT_EQ(stat(socket_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0600u);
  EXPECT_EQ(Ctl({"list"}).exit_code, 0);
  EXPECT_EQ(Ctl({"list"}, viewer_).exit_code, 5);
}

TEST_F(RolesTest, AFolderThatBarsTheWayIsNamed) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  ASSERT_EQ(chmod(folder_.c_str(), 0700), 0);
  const Result r = Ctl({"list"}, viewer_);
  EXPECT_EQ(r.exit_code, 5);
  EXPECT_NE(r.err.find("folder " + folder_ + " is mode 0700"), std::string::npos) << r.err;
}

}  // namespace
}  // namespace layered::tests
