// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/predicates.h"

#include <set>
#include <string>

#include "daemon/config/expression.h"
#include "gtest/gtest.h"

namespace layered {
namespace {

v1::MatchTerm Term(const std::string& text) {
  google::protobuf::RepeatedPtrField<v1::Match> blocks;
  Violations violations;
  EXPECT_TRUE(ParseExpression(text, "m", &blocks, &violations)) << text;
  return blocks.Get(0).terms(0);
}

std::string Key(const std::string& text) { return PredicateKey(Term(text)); }

TEST(PredicatesTest, NegationIsOfTheBlock) {
  EXPECT_EQ(Key("comm=x"), Key("comm!=x"));
  EXPECT_EQ(Key("kthread"), Key("not kthread"));
}

TEST(PredicatesTest, SpellingsOfARangeAreOnePredicate) {
  EXPECT_EQ(Key("uid<5"), Key("uid in 0..4"));
  EXPECT_EQ(Key("nice>=0"), Key("nice in 0..19"));
  EXPECT_EQ(Key("uid=7"), Key("uid in 7..7"));
  EXPECT_NE(Key("uid<5"), Key("uid<6"));
}

TEST(PredicatesTest, DifferentTestsAreDifferent) {
  const char* const texts[] = {"cgroup=/a",    "cgroup=/a*", "cgroup=/a/*", "cgroup=*/a",
                               "cgroup=*/a*",  "comm=a",     "leader=a",    "comm=a*",
                               "kthread",      "uid=1",      "nice=1",      "uid in 1..2",
                               "comm=\"1|a\"", "comm=\"\""};
  std::set<std::string> keys;
  for (const char* text : texts) EXPECT_TRUE(keys.insert(Key(text)).second) << text;
  EXPECT_EQ(keys.count(""), 0u);
}

TEST(PredicatesTest, AllAndNothingNeedNone) {
  EXPECT_EQ(Key("all"), "");
  EXPECT_EQ(PredicateKey(v1::MatchTerm()), "");
}

TEST(PredicatesTest, PoolHoldsCgroupPatternsOnly) {
  EXPECT_EQ(PredicatePoolBytes(Term("cgroup=/abc/*")), 4u);
  EXPECT_EQ(PredicatePoolBytes(Term("comm=abc")), 0u);
  EXPECT_EQ(PredicatePoolBytes(Term("all")), 0u);
}

}  // namespace
}  // namespace layered
