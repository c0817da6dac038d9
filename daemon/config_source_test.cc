// SPDX-License-Identifier: Apache-2.0

#include "daemon/config_source.h"

#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "gtest/gtest.h"

namespace layered {
namespace {

class ConfigSourceTest : public testing::Test {
 protected:
  ConfigSourceTest() {
    char path[] = "/tmp/config.XXXXXX";
    close(mkstemp(path));
    path_ = path;
  }
  ~ConfigSourceTest() override { unlink(path_.c_str()); }

  absl::StatusOr<v1::LayerSet> Read(const std::string& text) {
    std::ofstream(path_) << text;
    return ReadConfig(path_);
  }

  std::string path_;
};

TEST_F(ConfigSourceTest, WithoutAFileOneCatchAll) {
  const auto layers = ReadConfig("");
  ASSERT_TRUE(layers.ok());
  EXPECT_EQ(ConfigSummary("", *layers), "default config: OK, 1 layer: default");
}

TEST_F(ConfigSourceTest, SummaryNamesTheLayersInOrder) {
  const auto layers = Read(R"({"layers":[{"name":"web","match":["comm=a"]},
                                         {"name":"rest","match":["all"]}]})");
  ASSERT_TRUE(layers.ok()) << layers.status().ToString();
  EXPECT_EQ(ConfigSummary(path_, *layers), path_ + ": OK, 2 layers: web, rest");
}

TEST_F(ConfigSourceTest, EachFaultIsALineWithItsPlace) {
  const auto layers = Read(
      "{\"layers\":[\n"
      "{\"name\":\"a\",\"weight\":0,\"match\":[\"comm=a\"]},\n"
      "{\"name\":\"b\",\"bogus\":1,\"match\":[\"all\"]}]}");
  const auto faults = ConfigFaults(path_, layers.status());
  ASSERT_EQ(faults.size(), 2u);
  for (const std::string& fault : faults) {
    EXPECT_EQ(fault.rfind(path_ + ": ", 0), 0u) << fault;
    EXPECT_EQ(fault.find('\n'), std::string::npos);
    EXPECT_NE(fault.find("line "), std::string::npos) << fault;
  }
}

TEST_F(ConfigSourceTest, AFileThatIsNotThereIsOneFaultThatNamesIt) {
  const auto faults = ConfigFaults("/nonexistent/c", ReadConfig("/nonexistent/c").status());
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0], "/nonexistent/c: there is no such file");
}

}  // namespace
}  // namespace layered
