// SPDX-License-Identifier: Apache-2.0

#include "daemon/scheduler/sched_ext_sysfs.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "gtest/gtest.h"

namespace layered {
namespace {

class SchedExtSysfsTest : public testing::Test {
 protected:
  SchedExtSysfsTest() {
    char path[] = "/tmp/sysfs.XXXXXX";
    root_ = mkdtemp(path);
  }
  ~SchedExtSysfsTest() override { std::filesystem::remove_all(root_); }

  void Write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = root_ + "/kernel/sched_ext/" + name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  std::string root_;
};

TEST_F(SchedExtSysfsTest, ReadsWhatIsThere) {
  Write("state", "enabled\n");
  Write("root/ops", "simple\n");
  Write("enable_seq", "7\n");
  Write("hotplug_seq", "18446744073709551615\n");
  const SchedExtSysfs sysfs(root_);
  EXPECT_TRUE(sysfs.Present());
  EXPECT_EQ(sysfs.State(), "enabled");
  EXPECT_EQ(sysfs.OpsName(), "simple");
  EXPECT_EQ(sysfs.EnableSeq(), 7u);
  EXPECT_EQ(sysfs.HotplugSeq(), UINT64_MAX);
  EXPECT_EQ(sysfs.NrRejected(), 0u);
}

TEST_F(SchedExtSysfsTest, AKernelWithoutSchedExt) {
  const SchedExtSysfs sysfs(root_);
  EXPECT_FALSE(sysfs.Present());
  EXPECT_EQ(sysfs.OpsName(), "");
  EXPECT_EQ(sysfs.HotplugSeq(), 0u);
}

}  // namespace
}  // namespace layered
