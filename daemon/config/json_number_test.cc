// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/json_number.h"

#include <cstdint>
#include <limits>

#include "gtest/gtest.h"

namespace layered {
namespace {

template <typename T>
std::optional<T> Number(const std::string& text) {
  const auto whole = ParseWhole(text);
  return whole.has_value() ? Narrow<T>(*whole) : std::nullopt;
}

template <typename T>
void LimitsAreExact(const std::string& below, const std::string& above) {
  using Limits = std::numeric_limits<T>;
  EXPECT_EQ(Number<T>(std::to_string(Limits::min())), Limits::min());
  EXPECT_EQ(Number<T>(std::to_string(Limits::max())), Limits::max());
  EXPECT_EQ(Number<T>(below), std::nullopt);
  EXPECT_EQ(Number<T>(above), std::nullopt);
}

TEST(JsonNumberTest, LimitsOfEachType) {
  LimitsAreExact<int32_t>("-2147483649", "2147483648");
  LimitsAreExact<uint32_t>("-1", "4294967296");
  LimitsAreExact<int64_t>("-9223372036854775809", "9223372036854775808");
  LimitsAreExact<uint64_t>("-1", "18446744073709551616");
}

TEST(JsonNumberTest, DecimalsThatAreWhole) {
  EXPECT_EQ(Number<uint32_t>("1e2"), 100u);
  EXPECT_EQ(Number<int32_t>("-5.0"), -5);
  EXPECT_EQ(Number<uint32_t>("-0"), 0u);
  EXPECT_EQ(Number<uint32_t>("-0.0"), 0u);
  EXPECT_EQ(Number<uint32_t>("1.5"), std::nullopt);
  EXPECT_EQ(Number<uint64_t>("1e300"), std::nullopt);
  EXPECT_EQ(Number<uint64_t>("9007199254740991.0"), 9007199254740991u);
  EXPECT_EQ(Number<uint64_t>("9007199254740993.0"), std::nullopt);  // would be ...992
}

TEST(JsonNumberTest, OtherThings) {
  for (const char* text : {"", "x", "\"1\"", "[1]", "null", "1 2", "NaN", "1e999"}) {
    EXPECT_EQ(Number<uint64_t>(text), std::nullopt) << text;
  }
}

TEST(JsonNumberTest, ShownAsWritten) {
  Violations violations;
  const auto tree = ParseJson("[1e2, -5 ,7]", &violations);
  ASSERT_TRUE(tree.has_value());
  EXPECT_EQ(AsWritten(*tree, tree->root.items[0]), "'1e2'");
  EXPECT_EQ(AsWritten(*tree, tree->root.items[1]), "'-5'");
  EXPECT_EQ(AsWritten(*tree, tree->root.items[2]), "'7'");
  const auto alone = ParseJson("12", &violations);
  EXPECT_EQ(AsWritten(*alone, alone->root), "'12'");
  EXPECT_TRUE(HasFraction(ParseJson("1.5", &violations)->root));
  EXPECT_FALSE(HasFraction(ParseJson("1.0", &violations)->root));
}

}  // namespace
}  // namespace layered
