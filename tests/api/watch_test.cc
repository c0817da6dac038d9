// SPDX-License-Identifier: Apache-2.0
//
// layeredctl watch against a live API, through restarts of the daemon.

#include <signal.h>

#include "rapidjson/document.h"
#include "tests/api/api_fixture.h"

namespace layered::tests {
namespace {

class WatchTest : public ApiTest {
 protected:
  static rapidjson::Document Next(Process& watch) {
    rapidjson::Document json(rapidjson::kObjectType);
    const std::optional<std::string> line = watch.ReadLine();
    EXPECT_TRUE(line.has_value()) << watch.err();
    if (line) json.Parse(line->c_str());
    EXPECT_FALSE(json.HasParseError()) << line.value_or("");
    return json;
  }

  // A line that tells of the connection, not a sample.
  static bool IsEvent(const rapidjson::Document& json) { return json.HasMember("event"); }
};

TEST_F(WatchTest, CountsSamplesWithRates) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  const Result r = Ctl({"watch", "--interval", "100ms", "--count", "2"});
  EXPECT_EQ(r.exit_code, 0) << r.err;
  // The first sample is shown, flagged, and not counted.
  EXPECT_NE(r.out.find("first sample: no rates yet"), std::string::npos) << r.out;
  std::size_t tables = 0;
  for (std::size_t at = r.out.find("LAYER"); at != std::string::npos;
       at = r.out.find("LAYER", at + 1)) {
    ++tables;
  }
  EXPECT_EQ(tables, 3u) << r.out;
  // The fake uses 3 CPUs and 1 CPU: the rates do not depend on when the samples came.
  EXPECT_NE(r.out.find("4.00 used"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("3.00    75.0"), std::string::npos) << r.out;
  EXPECT_EQ(r.out.find('\x1b'), std::string::npos);  // not a terminal: no redraw
}

TEST_F(WatchTest, JsonIsOneObjectPerLine) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  const auto watch = StartCtl({"watch", "--interval", "100ms", "--count", "1", "-o", "json"});
  rapidjson::Document sample = Next(*watch);
  EXPECT_TRUE(sample["first"].GetBool());
  EXPECT_TRUE(sample["time_ns"].IsUint64());
  sample = Next(*watch);
  EXPECT_FALSE(sample["first"].GetBool());
  EXPECT_EQ(sample["gap"].GetUint64(), 0u);
  EXPECT_FALSE(sample.HasMember("event"));
  EXPECT_GT(sample["interval_ns"].GetUint64(), 0u);
  ASSERT_EQ(sample["layers"].Size(), 2u);
  EXPECT_STREQ(sample["layers"][0]["name"].GetString(), "web");
  EXPECT_TRUE(sample["layers"][0]["cpu_ns"].IsUint64());
  EXPECT_EQ(watch->Wait(), 0);
}

TEST_F(WatchTest, NamedLayersAreShownWithTheirShareOfAll) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  const Result r = Ctl({"watch", "default", "wbe", "--interval", "100ms", "--count", "2"});
  EXPECT_EQ(r.exit_code, 0) << r.err;
  EXPECT_NE(r.out.find("4.00 used"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("1.00    25.0"), std::string::npos) << r.out;
  EXPECT_EQ(r.out.find("web"), std::string::npos) << r.out;
  EXPECT_EQ(r.err, "layeredctl: no layer 'wbe'\n");

  const Result json =
      Ctl({"watch", "web", "wbe", "--count", "1", "--interval", "100ms", "-o", "json"});
  EXPECT_EQ(json.exit_code, 0) << json.err;
  EXPECT_EQ(json.out.find("\"default\""), std::string::npos) << json.out;
  rapidjson::Document note;
  note.Parse(json.err.c_str());
  ASSERT_FALSE(note.HasParseError()) << json.err;
  EXPECT_STREQ(note["code"].GetString(), "NOT_FOUND");
}

TEST_F(WatchTest, NoneOfTheNamesIsNotFound) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  const Result r = Ctl({"watch", "wbe", "bacth"});
  EXPECT_EQ(r.exit_code, 3);
  EXPECT_EQ(r.out, "");
  EXPECT_EQ(r.err, "layeredctl: no layer 'wbe', 'bacth'\n");
}

TEST_F(WatchTest, ThreeWatchersSurviveARestart) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon({"--instance", "one"}));
  std::vector<std::unique_ptr<Process>> watches;
  for (int i = 0; i < 3; ++i) {
    watches.push_back(StartCtl({"watch", "--interval", "100ms", "-o", "json"}));
    EXPECT_STREQ(Next(*watches.back())["instance_id"].GetString(), "one");
  }
  daemon_->Signal(SIGKILL);
  daemon_->Wait();
  for (auto& watch : watches) {
    rapidjson::Document json = Next(*watch);
    while (!IsEvent(json) && !HasFailure()) json = Next(*watch);
    EXPECT_STREQ(json["event"]["state"].GetString(), "lost");
  }
  ASSERT_NO_FATAL_FAILURE(StartDaemon({"--instance", "two"}));
  for (auto& watch : watches) {
    rapidjson::Document json = Next(*watch);
    ASSERT_TRUE(IsEvent(json));
    EXPECT_STREQ(json["event"]["state"].GetString(), "back");
    EXPECT_TRUE(json["event"]["restarted"].GetBool());
    json = Next(*watch);
    EXPECT_TRUE(json["first"].GetBool());
    EXPECT_STREQ(json["instance_id"].GetString(), "two");
    watch->Signal(SIGINT);
    EXPECT_EQ(watch->Wait(), 130);
  }
}

TEST_F(WatchTest, AnOrderlyStopIsTheSame) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  const auto watch = StartCtl({"watch", "--interval", "100ms"});
  ASSERT_TRUE(watch->ReadLine().has_value());
  StopDaemon();
  std::optional<std::string> line;
  do {
    line = watch->ReadLine();
  } while (line && line->compare(0, 3, "---") != 0);
  EXPECT_EQ(line, "--- connection lost: the daemon stops; trying again ---");
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  line = watch->ReadLine();
  EXPECT_EQ(line.value_or("").compare(0, 14, "--- back after"), 0) << line.value_or("");
}

TEST_F(WatchTest, TwoHundredWatchers) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  constexpr int kProcesses = 4;
  std::vector<std::unique_ptr<Process>> watches;
  for (int i = 0; i < kProcesses; ++i) {
    watches.push_back(std::make_unique<Process>(
        std::vector<std::string>{"tests/api/call_watch", socket_, "50", "3"}));
  }
  for (auto& watch : watches) {
    EXPECT_EQ(watch->Wait(), 0) << watch->err();
    EXPECT_EQ(watch->out(), "150 samples\n");
  }
  EXPECT_EQ(Ctl({"list"}).exit_code, 0);
  EXPECT_LT(StopDaemon(), 1000);
}

}  // namespace
}  // namespace layered::tests
