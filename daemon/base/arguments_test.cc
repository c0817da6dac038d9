// SPDX-License-Identifier: Apache-2.0

#include "daemon/base/arguments.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace layered {
namespace {

TEST(ArgumentsTest, EmptyValuesAreRefused) {
  EXPECT_NE(NotEmpty()("").find("empty"), std::string::npos);
  EXPECT_EQ(NotEmpty()(" "), "");
  EXPECT_EQ(NotEmpty()("33ba9973-3"), "");
}

TEST(ArgumentsTest, CountsAreWholeNumbersFromOne) {
  for (const char* good : {"1", "10", "18446744073709551615"}) {
    EXPECT_EQ(WholeNumberFromOne()(good), "") << good;
  }
  for (const char* bad : {"", "0", "-1", "+1", "1.5", "1e3", "x", "1x", "18446744073709551616"}) {
    EXPECT_EQ(WholeNumberFromOne()(bad), "give a whole number from 1") << bad;
  }
}

using Strings = std::vector<std::string>;

Strings Reversed(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "layeredctl");
  return ReversedArguments(static_cast<int>(arguments.size()), arguments.data());
}

TEST(ArgumentsTest, AnAssignmentOfNothingIsAnEmptyValue) {
  EXPECT_EQ(Reversed({"web", "--reason=", "--etag=x"}),
            (Strings{"--etag=x", "", "--reason", "web"}));
  EXPECT_EQ(Reversed({"--match=comm="}), (Strings{"--match=comm="}));  // a value, if no good one
  EXPECT_EQ(Reversed({"get", "--", "--name="}), (Strings{"--name=", "--", "get"}));
  EXPECT_EQ(Reversed({"", "=", "-"}), (Strings{"-", "=", ""}));
  EXPECT_EQ(Reversed({}), Strings());
}

}  // namespace
}  // namespace layered
