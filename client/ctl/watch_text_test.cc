// SPDX-License-Identifier: Apache-2.0

#include "client/ctl/watch_text.h"

#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <vector>

#include "client/ctl/table.h"
#include "rapidjson/document.h"

namespace layered::ctl {
namespace {

v1::WatchResponse Sample(uint64_t seconds) {
  v1::WatchResponse sample;
  sample.set_time_ns(seconds * 1'000'000'000);
  sample.set_revision(5);
  sample.mutable_machine()->set_cpus(4);
  v1::LayerStats* const web = sample.add_layers();
  web->set_name("web");
  web->set_cpu_ns(seconds * 3'000'000'000);
  web->set_tasks(16);
  web->set_weight(300);
  v1::LayerStats* const old = sample.add_layers();
  old->set_name("old");
  old->set_slot(1);
  old->set_draining(true);
  return sample;
}

std::vector<std::string> Lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(WatchTextTest, ShowsRates) {
  const auto rates = client::RatesBetween(Sample(10), Sample(12));
  const auto lines = Lines(SampleText(Sample(12), rates));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_NE(lines[0].find("revision 5  4 CPUs, 3.00 used"), std::string::npos) << lines[0];
  EXPECT_EQ(lines[1], "LAYER           CPUS  SHARE%  TASKS  QUEUED  RUNNING  WEIGHT");
  EXPECT_EQ(lines[2], "web             3.00   100.0     16       0        0     300");
  EXPECT_EQ(lines[3], "(draining) old  0.00     0.0      0       0        0       0");
}

TEST(WatchTextTest, TheFirstSampleShowsNoRates) {
  const auto lines = Lines(SampleText(Sample(10), std::nullopt));
  EXPECT_NE(lines[0].find("first sample: no rates yet"), std::string::npos) << lines[0];
  EXPECT_EQ(lines[2], "web                -       -     16       0        0     300");
}

TEST(WatchTextTest, LostSamplesAreTold) {
  v1::WatchResponse sample = Sample(12);
  sample.set_gap(3);
  EXPECT_NE(SampleText(sample, std::nullopt).find("(3 samples lost)"), std::string::npos);
}

TEST(WatchTextTest, FitsEightyColumns) {
  v1::WatchResponse sample = Sample(10);
  v1::LayerStats* const layer = sample.mutable_layers(0);
  layer->set_name(std::string(63, 'n'));
  layer->set_tasks(4'194'304);  // the most that a kernel allows
  layer->set_queued(4'194'304);
  layer->set_running(1024);
  layer->set_weight(10000);
  sample.mutable_machine()->set_cpus(1024);
  for (const std::string& line : Lines(SampleText(sample, std::nullopt))) {
    EXPECT_LE(Width(line), 80) << line;
  }
}

TEST(WatchTextTest, EventsAreMarked) {
  EXPECT_EQ(LostText({.reason = "Socket closed"}),
            "--- connection lost: Socket closed; trying again ---\n");
  EXPECT_EQ(BackText({.away_ns = 3'200'000'000, .restarted = true}),
            "--- back after 3.2 s, the daemon was restarted ---\n");
  rapidjson::Document json;
  json.Parse(LostJson({.reason = "a \"b\"\n"}).c_str());
  EXPECT_STREQ(json["event"]["state"].GetString(), "lost");
  EXPECT_STREQ(json["event"]["reason"].GetString(), "a \"b\"\n");
  json.Parse(BackJson({.away_ns = 5, .restarted = true}).c_str());
  EXPECT_STREQ(json["event"]["state"].GetString(), "back");
  EXPECT_EQ(json["event"]["away_ns"].GetInt64(), 5);
  EXPECT_TRUE(json["event"]["restarted"].GetBool());
}

}  // namespace
}  // namespace layered::ctl
