// SPDX-License-Identifier: Apache-2.0

#include "client/ctl/watch_view.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rapidjson/document.h"

namespace layered::ctl {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

// web uses 3 CPUs, batch 1.
v1::WatchResponse Sample(uint64_t seconds,
                         const std::vector<std::string>& names = {"web", "batch"}) {
  v1::WatchResponse sample;
  sample.set_time_ns(seconds * kSecond);
  sample.mutable_machine()->set_cpus(4);
  for (const std::string& name : names) {
    v1::LayerStats* const layer = sample.add_layers();
    layer->set_name(name);
    layer->set_cpu_ns((name == "web" ? 3 : 1) * seconds * kSecond);
  }
  return sample;
}

// What a Show that must not fail says.
template <typename Event>
Frame Shown(WatchView* view, const Event& event) {
  const absl::StatusOr<Frame> frame = view->Show(event);
  EXPECT_TRUE(frame.ok()) << frame.status();
  return frame.ok() ? *frame : Frame();
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(WatchViewTest, SharesOfNamedLayersAreSharesOfAll) {
  WatchView view({.layers = {"batch"}});
  Shown(&view, Sample(10));
  const Frame frame = Shown(&view, Sample(12));
  EXPECT_TRUE(Has(frame.text, "4.00 used")) << frame.text;
  EXPECT_TRUE(Has(frame.text, "batch  1.00    25.0")) << frame.text;
  EXPECT_FALSE(Has(frame.text, "web")) << frame.text;
}

TEST(WatchViewTest, JsonHoldsTheNamedLayersOnly) {
  WatchView view({.json = true, .layers = {"batch"}});
  rapidjson::Document json;
  json.Parse(Shown(&view, Sample(10)).text.c_str());
  ASSERT_EQ(json["layers"].Size(), 1u);
  EXPECT_STREQ(json["layers"][0]["name"].GetString(), "batch");
}

TEST(WatchViewTest, NoneOfTheNamesIsNotFound) {
  WatchView view({.layers = {"wbe", "bacth"}});
  const absl::StatusOr<Frame> frame = view.Show(Sample(10));
  ASSERT_EQ(frame.status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(std::string(frame.status().message()), "no layer 'wbe', 'bacth'");
}

TEST(WatchViewTest, MissingNamesAreNotedOnceEachTimeTheyGo) {
  WatchView view({.layers = {"web", "batch", "batch"}});
  const auto notes = [&view](const v1::WatchResponse& sample) {
    return Shown(&view, sample).notes;
  };
  ASSERT_EQ(notes(Sample(1, {"web"})).size(), 1u);
  EXPECT_TRUE(notes(Sample(2, {"web"})).empty());
  EXPECT_TRUE(notes(Sample(3)).empty());
  // Later it is no error if none is there: they may come back.
  const auto gone = notes(Sample(4, {"other"}));
  ASSERT_EQ(gone.size(), 2u);
  EXPECT_EQ(std::string(gone[1].message()), "no layer 'batch'");
}

TEST(WatchViewTest, WhatIsDrawnOverStandsBelowEveryTable) {
  WatchView view({.redraw = true, .layers = {"web", "wbe"}});
  Shown(&view, Sample(10));
  EXPECT_TRUE(Has(Shown(&view, client::Lost{.reason = "Socket closed"}).text, "Socket closed"));
  Shown(&view, client::Back{.away_ns = 3'200'000'000, .restarted = true});
  for (const uint64_t seconds : {1, 2, 3}) {
    const Frame frame = Shown(&view, Sample(seconds));
    EXPECT_EQ(frame.text.find("\x1b[H\x1b[J"), 0u);
    const std::size_t table = frame.text.find("\nweb ");
    const std::size_t event = frame.text.find("  --- back after 3.2 s, the daemon was restarted");
    ASSERT_NE(event, std::string::npos) << frame.text;
    EXPECT_LT(table, event);
    EXPECT_FALSE(Has(frame.text, "lost")) << "only the last event: " << frame.text;
    EXPECT_LT(event, frame.text.find("layeredctl: no layer 'wbe'\n"));
    EXPECT_TRUE(frame.notes.empty()) << "they would be drawn over";
  }
}

TEST(WatchViewTest, ElsewhereEventsAreLinesOnce) {
  WatchView view({});
  EXPECT_EQ(Shown(&view, client::Back{.away_ns = 0}).text.find("--- back"), 0u);
  const std::string table = Shown(&view, Sample(1)).text;
  EXPECT_FALSE(Has(table, "---")) << table;
  EXPECT_FALSE(Has(table, "\x1b")) << table;
}

TEST(WatchViewTest, CountsSamplesWithRates) {
  WatchView view({.count = 2});
  Shown(&view, Sample(1));
  Shown(&view, Sample(2));
  EXPECT_FALSE(view.done());
  Shown(&view, client::Back{});
  Shown(&view, Sample(3));  // the first of a connection: no rates
  EXPECT_FALSE(view.done());
  Shown(&view, Sample(4));
  EXPECT_TRUE(view.done());
}

TEST(WatchViewTest, OnlyATerminalThatUnderstandsIsRedrawn) {
  EXPECT_TRUE(CanRedraw(true, "xterm-256color"));
  EXPECT_FALSE(CanRedraw(false, "xterm-256color"));
  EXPECT_FALSE(CanRedraw(true, "dumb"));
  EXPECT_FALSE(CanRedraw(true, ""));
  EXPECT_FALSE(CanRedraw(true, nullptr));
}

}  // namespace
}  // namespace layered::ctl
