// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/accounts.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>

namespace layered {
namespace {

class AccountsTest : public testing::Test {
 protected:
  void SetUp() override {
    char path[] = "/tmp/accounts.XXXXXX";
    close(mkstemp(path));
    file_ = path;
    std::ofstream(file_) << "root:x:0:0:root:/root:/bin/sh\n"
                            "broken\n"
                            "bad:x:12z:\n"
                            "huge:x:99999999999:\n"
                            "web:x:1000:1000:Web,,,:/srv:/bin/false\n"
                            "layered:x:990:";  // no newline at the end
  }
  void TearDown() override { unlink(file_.c_str()); }

  std::string file_;
};

TEST_F(AccountsTest, FindsUsersAndGroups) {
  EXPECT_EQ(FindAccount(file_, "root"), 0u);
  EXPECT_EQ(FindAccount(file_, "web"), 1000u);
  EXPECT_EQ(FindAccount(file_, "layered"), 990u);
}

TEST_F(AccountsTest, UnknownNamesAndBrokenLinesAreAbsent) {
  for (const char* name : {"", "we", "webb", "broken", "bad", "huge", "x", "web:x"}) {
    EXPECT_EQ(FindAccount(file_, name), std::nullopt) << name;
  }
  EXPECT_EQ(FindAccount(file_ + ".none", "root"), std::nullopt);
}

}  // namespace
}  // namespace layered
