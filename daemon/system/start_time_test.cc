// SPDX-License-Identifier: Apache-2.0

#include "daemon/system/start_time.h"

#include <string>

#include "gtest/gtest.h"

namespace layered {
namespace {

std::string Stat(const std::string& name, const std::string& start) {
  return "123 (" + name + ") S 1 123 123 0 -1 4194560 100 0 0 0 5 6 0 0 20 0 9 0 " + start +
         " 1000 20 184";
}

TEST(AgeFromStat, CountsFromStarttime) {
  EXPECT_EQ(AgeFromStat(Stat("layeredd", "250"), 3'000'000'000, 100), 500'000'000u);
}

TEST(AgeFromStat, NamesMayHoldAnything) {
  EXPECT_EQ(AgeFromStat(Stat("a) R 9 (", "250"), 3'000'000'000, 100), 500'000'000u);
}

TEST(AgeFromStat, WhatDoesNotTellIsZero) {
  EXPECT_EQ(AgeFromStat("", 1, 100), 0u);
  EXPECT_EQ(AgeFromStat("1 (x) S 1", 1, 100), 0u);
  EXPECT_EQ(AgeFromStat(Stat("x", "400"), 3'000'000'000, 100), 0u) << "must not wrap";
}

TEST(ProcessAge, RisesAndIsOurs) {
  const uint64_t first = ProcessAgeNs();
  EXPECT_GE(ProcessAgeNs(), first);
}

}  // namespace
}  // namespace layered
