// SPDX-License-Identifier: Apache-2.0

#include "daemon/stats/sample_builder.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace layered {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

SampleContext Context() {
  return {.instance_id = "i1",
          .revision = 4,
          .cpus = 2,
          .layers = {
              {"web", 5, 1, 300, false}, {"default", 0, 2, 100, false}, {"old", 9, 1, 50, true}}};
}

Counters SomeCounters() {
  Counters counters;
  counters.time_ns = 1'000'000'000;
  counters.rows[5] = {1, 2, 3, 4, 5, 6, 7, 8};
  counters.rows[9].tasks = 1;
  counters.rows[LAYERED_ROW_HIGH].enqueues = 21;
  counters.rows[LAYERED_ROW_LOW].enqueues = 22;
  counters.rows[LAYERED_ROW_LOW].rescued = 2;
  counters.machine.dispatches = 31;
  counters.machine.failed_probes = 32;
  counters.machine.kept = 33;
  counters.machine.repairs = 34;
  counters.machine.fallbacks = 35;
  counters.machine.kicks = 36;
  return counters;
}

std::vector<std::string> Names(const v1::WatchResponse& sample) {
  std::vector<std::string> names;
  for (const v1::LayerStats& layer : sample.layers()) names.push_back(layer.name());
  return names;
}

TEST(SampleBuilder, FirstSample) {
  const Counters counters = SomeCounters();
  const SampleContext context = Context();
  const auto sample = SampleBuilder(counters, context).Build(std::nullopt, {});
  EXPECT_EQ(sample->time_ns(), 1'000'000'000u);
  EXPECT_TRUE(sample->first());
  EXPECT_EQ(sample->interval_ns(), 0u);
  EXPECT_EQ(sample->gap(), 0u);
  EXPECT_EQ(sample->instance_id(), "i1");
  EXPECT_EQ(sample->revision(), 4u);
  EXPECT_THAT(Names(*sample), ElementsAre("web", "default", "old"));
}

TEST(SampleBuilder, EveryField) {
  const Counters counters = SomeCounters();
  const SampleContext context = Context();
  const auto sample = SampleBuilder(counters, context).Build(900'000'000, {});
  EXPECT_FALSE(sample->first());
  EXPECT_EQ(sample->interval_ns(), 100'000'000u);
  const v1::LayerStats& web = sample->layers(0);
  EXPECT_EQ(web.slot(), 5u);
  EXPECT_EQ(web.generation(), 1u);
  EXPECT_EQ(web.weight(), 300u);
  EXPECT_FALSE(web.draining());
  EXPECT_EQ(web.cpu_ns(), 1u);
  EXPECT_EQ(web.tasks(), 2u);
  EXPECT_EQ(web.queued(), 3u);
  EXPECT_EQ(web.running(), 4u);
  EXPECT_EQ(web.enqueues(), 5u);
  EXPECT_EQ(web.direct(), 6u);
  EXPECT_EQ(web.rematches(), 7u);
  EXPECT_EQ(web.rescued(), 8u);
  EXPECT_EQ(sample->layers(1).generation(), 2u);
  EXPECT_TRUE(sample->layers(2).draining());
  const v1::MachineStats& machine = sample->machine();
  EXPECT_EQ(machine.cpus(), 2u);
  EXPECT_EQ(machine.dispatches(), 31u);
  EXPECT_EQ(machine.failed_probes(), 32u);
  EXPECT_EQ(machine.kept(), 33u);
  EXPECT_EQ(machine.repairs(), 34u);
  EXPECT_EQ(machine.fallbacks(), 35u);
  EXPECT_EQ(machine.kicks(), 36u);
  EXPECT_EQ(machine.high_fallback(), 21u);
  EXPECT_EQ(machine.low_fallback(), 22u);
  EXPECT_EQ(machine.rescued(), 10u) << "of all rows";
}

TEST(SampleBuilder, IntervalIsNeverNegative) {
  const Counters counters = SomeCounters();
  const SampleContext context = Context();
  EXPECT_EQ(SampleBuilder(counters, context).Build(2'000'000'000, {})->interval_ns(), 0u);
}

TEST(SampleBuilder, FilterKeepsMatchOrderAndIgnoresUnknownNames) {
  const Counters counters = SomeCounters();
  const SampleContext context = Context();
  SampleBuilder builder(counters, context);
  EXPECT_THAT(Names(*builder.Build(1, {"default", "nobody", "web"})),
              ElementsAre("web", "default"));
  EXPECT_THAT(Names(*builder.Build(1, {"nobody"})), IsEmpty());
  EXPECT_EQ(builder.Build(1, {"nobody"})->machine().dispatches(), 31u);
}

TEST(SampleBuilder, DrainedLayersDisappearLiveOnesStay) {
  Counters counters = SomeCounters();
  counters.rows[9].tasks = 0;
  const SampleContext context = Context();
  EXPECT_THAT(Names(*SampleBuilder(counters, context).Build(1, {})), ElementsAre("web", "default"));
  counters.rows[9].running = 1;
  EXPECT_THAT(Names(*SampleBuilder(counters, context).Build(1, {})),
              ElementsAre("web", "default", "old"));
}

TEST(SampleBuilder, SlotOutOfRangeIsLeftOut) {
  const Counters counters = SomeCounters();
  SampleContext context = Context();
  context.layers[0].slot = LAYERED_MAX_SLOTS;
  EXPECT_THAT(Names(*SampleBuilder(counters, context).Build(1, {})), ElementsAre("default", "old"));
}

TEST(SampleBuilder, EqualSubscribersShareOneMessage) {
  const Counters counters = SomeCounters();
  const SampleContext context = Context();
  SampleBuilder builder(counters, context);
  EXPECT_EQ(builder.Build(5, {}), builder.Build(5, {}));
  EXPECT_NE(builder.Build(5, {}), builder.Build(6, {}));
  EXPECT_NE(builder.Build(5, {}), builder.Build(5, {"web"}));
  EXPECT_NE(builder.Build(0, {}), builder.Build(std::nullopt, {}));
}

}  // namespace
}  // namespace layered
