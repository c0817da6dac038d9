// SPDX-License-Identifier: Apache-2.0

#include "daemon/system/preflight.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "gtest/gtest.h"

namespace layered {
namespace {

class PreflightTest : public testing::Test {
 protected:
  PreflightTest() {
    char folder[] = "/tmp/preflight.XXXXXX";
    root_ = mkdtemp(folder);
    env_.sysfs_root = root_ + "/sys";
    env_.kernel_btf = root_ + "/btf";
    env_.mountinfo = root_ + "/mountinfo";
    Write("sys/kernel/sched_ext/state", "disabled\n");
    Write("btf", "x");
    Write("mountinfo", "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n");
  }
  ~PreflightTest() override { std::filesystem::remove_all(root_); }

  void Write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = root_ + "/" + name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  void ExpectFault(ExitCode code, const std::string& text) {
    const PreflightReport report = Preflight(env_);
    ASSERT_EQ(report.faults.size(), 1u);
    EXPECT_EQ(report.exit_code, code);
    EXPECT_NE(report.faults[0].find(text), std::string::npos) << report.faults[0];
  }

  std::string root_;
  PreflightEnv env_;
};

TEST_F(PreflightTest, AFitMachine) {
  const PreflightReport report = Preflight(env_);
  EXPECT_TRUE(report.faults.empty());
  EXPECT_EQ(report.exit_code, kExitOk);
  EXPECT_EQ(report.cgroup_mount, "/sys/fs/cgroup");
}

TEST_F(PreflightTest, NotRoot) {
  env_.euid = 1000;
  ExpectFault(kExitPermission, "1000");
}

TEST_F(PreflightTest, NoSchedExt) {
  std::filesystem::remove_all(root_ + "/sys");
  ExpectFault(kExitUnsupported, "CONFIG_SCHED_CLASS_EXT");
}

TEST_F(PreflightTest, NoTypeInformation) {
  std::filesystem::remove(root_ + "/btf");
  ExpectFault(kExitUnsupported, "CONFIG_DEBUG_INFO_BTF");
}

TEST_F(PreflightTest, AnotherScheduler) {
  Write("sys/kernel/sched_ext/root/ops", "flash_1.0\n");
  ExpectFault(kExitUnsupported, "flash_1.0");
}

TEST_F(PreflightTest, NoCgroup2) {
  Write("mountinfo", "30 23 0:26 / /sys/fs/cgroup rw - cgroup cgroup rw,cpu\n");
  ExpectFault(kExitUnsupported, "cgroup v2");
}

TEST_F(PreflightTest, AllFaultsAtOnceTheFirstDecides) {
  env_.euid = 1000;
  std::filesystem::remove_all(root_ + "/sys");
  std::filesystem::remove(root_ + "/mountinfo");
  const PreflightReport report = Preflight(env_);
  EXPECT_EQ(report.faults.size(), 3u);
  EXPECT_EQ(report.exit_code, kExitPermission);
}

TEST(FindCgroup2Mount, HybridAndEscapedPaths) {
  EXPECT_EQ(FindCgroup2Mount("1 0 0:1 / /sys/fs/cgroup/cpu rw shared:3 - cgroup cgroup rw,cpu\n"
                             "2 0 0:2 / /sys/fs/cgroup/my\\040unified rw - cgroup2 none rw\n"),
            "/sys/fs/cgroup/my unified");
  EXPECT_EQ(FindCgroup2Mount("garbage\n\n - cgroup2 \n"), "");
}

}  // namespace
}  // namespace layered
