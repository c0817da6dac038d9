// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/duration.h"

#include <cstdint>
#include <limits>
#include <random>

#include "gtest/gtest.h"

namespace layered {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

int64_t Ns(const std::string& text) {
  const auto ns = ParseDurationNs(text);
  EXPECT_TRUE(ns.ok()) << text << ": " << ns.status();
  return ns.value_or(-12345);
}

std::string Fault(const std::string& text) {
  const auto ns = ParseDurationNs(text);
  EXPECT_FALSE(ns.ok()) << text << " gave " << *ns;
  return ns.ok() ? "" : std::string(ns.status().message());
}

TEST(DurationTest, EveryUnit) {
  EXPECT_EQ(Ns("100ns"), 100);
  EXPECT_EQ(Ns("200us"), 200'000);
  EXPECT_EQ(Ns("5ms"), 5'000'000);
  EXPECT_EQ(Ns("1s"), 1'000'000'000);
  EXPECT_EQ(Ns("2m"), 120'000'000'000);
  EXPECT_EQ(Ns("1h"), 3'600'000'000'000);
}

TEST(DurationTest, FractionsAreExact) {
  EXPECT_EQ(Ns("1.5s"), 1'500'000'000);
  EXPECT_EQ(Ns("0.1ms"), 100'000);
  EXPECT_EQ(Ns("0.5m"), 30'000'000'000);
  EXPECT_EQ(Ns("1.25h"), 4'500'000'000'000);
  EXPECT_EQ(Ns("0.000000001s"), 1);
  EXPECT_EQ(Ns("1.500000000000s"), 1'500'000'000);
  EXPECT_EQ(Ns("-0.5ms"), -500'000);
}

TEST(DurationTest, RefusalsSayWhy) {
  EXPECT_NE(Fault("5").find("unit is missing"), std::string::npos);
  EXPECT_NE(Fault("5 ms").find("no unit"), std::string::npos);
  EXPECT_NE(Fault("5MS").find("no unit"), std::string::npos);
  EXPECT_NE(Fault("5days").find("no unit"), std::string::npos);
  EXPECT_NE(Fault("0.5ns").find("whole number"), std::string::npos);
  EXPECT_NE(Fault("0.0000000001s").find("whole number"), std::string::npos);
  EXPECT_NE(Fault("1.00000000000001s").find("whole number"), std::string::npos);
  EXPECT_NE(Fault("9999999999h").find("too large"), std::string::npos);
  EXPECT_NE(Fault(std::string(100, '1') + "s").find("too long"), std::string::npos);
  for (const char* text : {"", "-", "ms", ".5s", "5.s", "+5s", "1e3s", "NaN", "5ms5", "--5s"}) {
    Fault(text);
  }
}

TEST(DurationTest, LimitsDoNotWrap) {
  EXPECT_EQ(Ns("9223372036854775807ns"), kMax);
  EXPECT_EQ(Ns("-9223372036854775808ns"), kMin);
  Fault("9223372036854775808ns");
  Fault("-9223372036854775809ns");
  EXPECT_EQ(Ns("9223372036.854775807s"), kMax);
  Fault("9223372036.854775808s");
}

TEST(DurationTest, CanonicalForm) {
  EXPECT_EQ(FormatDuration(0), "0s");
  EXPECT_EQ(FormatDuration(5'000'000), "5ms");
  EXPECT_EQ(FormatDuration(1'500'000), "1500us");
  EXPECT_EQ(FormatDuration(90'000'000'000), "90s");
  EXPECT_EQ(FormatDuration(120'000'000'000), "2m");
  EXPECT_EQ(FormatDuration(3'600'000'000'000), "1h");
  EXPECT_EQ(FormatDuration(-5'000'000), "-5ms");
  EXPECT_EQ(FormatDuration(1), "1ns");
}

TEST(DurationTest, PrintedDurationsReadBack) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    // All magnitudes, and many multiples of units.
    int64_t ns = static_cast<int64_t>(random() >> (random() % 64));
    if (i % 3 == 0) ns = ns / 1'000'000 * 1'000'000;
    if (i % 2 == 0) ns = -ns;
    EXPECT_EQ(Ns(FormatDuration(ns)), ns);
    const auto back = DurationToNs(NsToDuration(ns));
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(*back, ns);
  }
  for (const int64_t ns : {kMin, kMin + 1, kMax}) {
    EXPECT_EQ(Ns(FormatDuration(ns)), ns);
    EXPECT_EQ(DurationToNs(NsToDuration(ns)).value(), ns);
  }
}

TEST(DurationTest, InvalidProtoDurations) {
  google::protobuf::Duration duration;
  duration.set_seconds(1);
  duration.set_nanos(-1);
  EXPECT_FALSE(DurationToNs(duration).ok());
  duration.set_seconds(0);
  duration.set_nanos(1'000'000'000);
  EXPECT_FALSE(DurationToNs(duration).ok());
  duration.set_seconds(kMax);
  duration.set_nanos(0);
  EXPECT_FALSE(DurationToNs(duration).ok());
  duration.set_seconds(kMin);
  EXPECT_FALSE(DurationToNs(duration).ok());
}

}  // namespace
}  // namespace layered
