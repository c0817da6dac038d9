// SPDX-License-Identifier: Apache-2.0

#include "daemon/topology/cpulist.h"

#include <random>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace layered {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<int> Parse(std::string_view text) {
  const absl::StatusOr<std::vector<int>> ids = ParseCpuList(text);
  EXPECT_TRUE(ids.ok()) << ids.status();
  return ids.ok() ? *ids : std::vector<int>{-1};
}

TEST(CpuList, Parses) {
  EXPECT_THAT(Parse("0"), ElementsAre(0));
  EXPECT_THAT(Parse("0-3\n"), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(Parse("0-1,4,6-7\n"), ElementsAre(0, 1, 4, 6, 7));
  EXPECT_THAT(Parse("5-5"), ElementsAre(5));
}

TEST(CpuList, EmptyIsTheEmptySet) {
  EXPECT_THAT(Parse(""), IsEmpty());
  EXPECT_THAT(Parse("\n"), IsEmpty());
  EXPECT_THAT(Parse(" \t\n"), IsEmpty());
}

TEST(CpuList, SortsAndDropsDuplicates) {
  EXPECT_THAT(Parse("7,0-2,1-3"), ElementsAre(0, 1, 2, 3, 7));
}

TEST(CpuList, RefusesWhatTheKernelNeverPrints) {
  for (const char* text : {"-1", "a", "0-", "0,", ",0", "3-1", "0-1-2", "0;1", "0 1", "0x3", "1-a",
                           "99999999999999999999", "65536", "0-65536", "--", "+1"}) {
    EXPECT_EQ(ParseCpuList(text).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
}

TEST(CpuList, ErrorsNameTheByte) {
  EXPECT_THAT(std::string(ParseCpuList("0-3,x").status().message()),
              HasSubstr("no number at byte 5"));
  EXPECT_THAT(std::string(ParseCpuList("0,9-4").status().message()), HasSubstr("at byte 3"));
}

TEST(CpuList, Formats) {
  EXPECT_EQ(FormatCpuList({}), "");
  EXPECT_EQ(FormatCpuList({3}), "3");
  EXPECT_EQ(FormatCpuList({0, 1}), "0-1");
  EXPECT_EQ(FormatCpuList({0, 1, 2, 4, 6, 7}), "0-2,4,6-7");
}

TEST(CpuList, FormatAndParseAreInverse) {
  std::mt19937 random(42);
  for (int round = 0; round < 500; ++round) {
    std::set<int> set;
    const size_t size = random() % 40;
    while (set.size() < size) set.insert(static_cast<int>(random() % 64));
    const std::vector<int> ids(set.begin(), set.end());
    EXPECT_EQ(Parse(FormatCpuList(ids)), ids);
  }
}

}  // namespace
}  // namespace layered
