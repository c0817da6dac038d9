// SPDX-License-Identifier: Apache-2.0

#include "daemon/compile/slot_table.h"

#include <map>
#include <random>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace layered {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

v1::LayerSet Set(const std::vector<std::string>& names) {
  v1::LayerSet layers;
  for (const std::string& name : names) layers.add_layers()->set_name(name);
  return layers;
}

// `count` names from `first` on.
std::vector<std::string> Names(int first, int count) {
  std::vector<std::string> names;
  for (int i = first; i < first + count; ++i) names.push_back("layer" + std::to_string(i));
  return names;
}

SlotTable Updated(SlotTable table, const v1::LayerSet& layers) {
  const absl::Status status = table.Update(layers);
  EXPECT_TRUE(status.ok()) << status;
  return table;
}

TEST(SlotTable, StartsEmpty) {
  const SlotTable table;
  EXPECT_THAT(table.Live(), IsEmpty());
  EXPECT_THAT(table.Draining(), IsEmpty());
  EXPECT_EQ(table.Find("a"), nullptr);
  EXPECT_EQ(table.NameOf(0), "");
}

TEST(SlotTable, LiveIsInMatchOrder) {
  const SlotTable table = Updated({}, Set({"b", "a", "default"}));
  ASSERT_EQ(table.Live().size(), 3u);
  EXPECT_EQ(table.Live()[0].name, "b");
  EXPECT_EQ(table.Live()[2].name, "default");
  EXPECT_EQ(table.NameOf(1), "a");
  for (const Slot& slot : table.Live()) EXPECT_EQ(slot.generation, 1u);
}

TEST(SlotTable, SlotSurvivesReorderAndUpdate) {
  const SlotTable before = Updated({}, Set({"a", "b", "c"}));
  v1::LayerSet layers = Set({"c", "x", "a", "b"});
  layers.mutable_layers(0)->set_weight(500);
  const SlotTable after = Updated(before, layers);
  for (const char* name : {"a", "b", "c"}) {
    EXPECT_EQ(after.Find(name)->slot, before.Find(name)->slot);
    EXPECT_EQ(after.Find(name)->generation, before.Find(name)->generation);
  }
  EXPECT_EQ(after.Find("c")->weight, 500u);
  EXPECT_EQ(after.Find("x")->slot, 3u);
}

TEST(SlotTable, RemovedLayersDrainWithTheirLastPolicy) {
  v1::LayerSet layers = Set({"a", "b"});
  layers.mutable_layers(0)->set_weight(700);
  layers.mutable_layers(0)->mutable_slice()->set_nanos(1'000'000);
  const SlotTable table = Updated(Updated({}, layers), Set({"b"}));
  ASSERT_EQ(table.Draining().size(), 1u);
  const Slot& slot = table.Draining()[0];
  EXPECT_EQ(slot.name, "a");
  EXPECT_TRUE(slot.draining);
  EXPECT_EQ(slot.weight, 700u);
  EXPECT_EQ(slot.slice_ns, 1'000'000u);
  EXPECT_EQ(table.Find("a"), &slot);
  EXPECT_EQ(table.NameOf(slot.slot), "a");
}

TEST(SlotTable, ReturningNameGetsItsSlotBack) {
  const SlotTable first = Updated({}, Set({"a", "b"}));
  const SlotTable again = Updated(Updated(first, Set({"b"})), Set({"new", "b", "a"}));
  EXPECT_EQ(again.Find("a")->slot, first.Find("a")->slot);
  EXPECT_EQ(again.Find("a")->generation, first.Find("a")->generation);
  EXPECT_FALSE(again.Find("a")->draining);
  EXPECT_NE(again.Find("new")->slot, first.Find("a")->slot) << "draining slots are not reused";
  EXPECT_THAT(again.Draining(), IsEmpty());
}

TEST(SlotTable, PolicyDefaultsAndValues) {
  v1::LayerSet layers = Set({"plain", "tuned"});
  layers.mutable_layers(1)->set_weight(10000);
  layers.mutable_layers(1)->mutable_slice()->set_seconds(1);
  layers.mutable_layers(1)->mutable_slice()->set_nanos(5);
  SlotTable table = Updated({}, layers);
  EXPECT_EQ(table.Find("plain")->weight, 100u);
  EXPECT_EQ(table.Find("plain")->slice_ns, 5'000'000u);
  EXPECT_EQ(table.Find("tuned")->weight, 10000u);
  EXPECT_EQ(table.Find("tuned")->slice_ns, 1'000'000'005u);
  table = Updated(table, Set({"plain", "tuned"}));
  EXPECT_EQ(table.Find("tuned")->weight, 100u) << "a cleared field goes back to its default";
}

TEST(SlotTable, AWholeSetCanBeReplaced) {
  const SlotTable table =
      Updated(Updated({}, Set(Names(0, LAYERED_MAX_LAYERS))), Set(Names(100, LAYERED_MAX_LAYERS)));
  EXPECT_EQ(table.Live().size(), 64u);
  EXPECT_EQ(table.Draining().size(), 64u);
  std::set<uint32_t> slots;
  for (const Slot& slot : table.Live()) slots.insert(slot.slot);
  for (const Slot& slot : table.Draining()) slots.insert(slot.slot);
  EXPECT_EQ(slots.size(), 128u);
  EXPECT_LT(*slots.rbegin(), uint32_t{LAYERED_MAX_SLOTS});
}

TEST(SlotTable, WithoutFreeSlotsNothingChangesAndTheDrainingAreNamed) {
  const SlotTable before =
      Updated(Updated({}, Set(Names(0, LAYERED_MAX_LAYERS))), Set(Names(100, LAYERED_MAX_LAYERS)));
  SlotTable table = before;
  std::vector<std::string> names = Names(100, 62);
  names.insert(names.begin(), {"x", "y"});
  const absl::Status status = table.Update(Set(names));
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  const std::string text(status.message());
  EXPECT_THAT(text, HasSubstr("2 new layers (\"x\", \"y\")"));
  EXPECT_THAT(text, HasSubstr("128 of 128 are used"));
  EXPECT_THAT(text, HasSubstr("\"layer0\", \"layer1\", \"layer2\" and 63 more"));
  EXPECT_EQ(table, before);

  names = Names(100, 63);
  names.push_back("layer7");
  EXPECT_EQ(Updated(before, Set(names)).Find("layer7")->slot, 7u) << "an old name still fits";
}

TEST(SlotTable, TheLastFreeSlotIsGiven) {
  SlotTable table = Updated(Updated({}, Set(Names(0, 64))), Set(Names(100, 63)));
  table = Updated(table, Set({"last"}));
  EXPECT_EQ(table.Find("last")->slot, 127u);
  EXPECT_EQ(table.Update(Set({"last", "one more"})).code(), absl::StatusCode::kResourceExhausted);
}

TEST(SlotTable, GenerationsStayWithin24BitsAndSkip0) {
  EXPECT_EQ(NextGeneration(0), 1u);
  EXPECT_EQ(NextGeneration(1), 2u);
  EXPECT_EQ(NextGeneration((1u << 24) - 2), (1u << 24) - 1);
  EXPECT_EQ(NextGeneration((1u << 24) - 1), 1u);
}

// Random changes: a name keeps its slot for ever, no two names share one.
TEST(SlotTable, NamesAndSlotsStayOneToOne) {
  std::mt19937 random(7);
  SlotTable table;
  std::map<std::string, uint32_t> seen;
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> names;
    for (int i = 0; i < 128; ++i) {
      if (random() % 3 == 0 && names.size() < 64) names.push_back("n" + std::to_string(i));
    }
    std::shuffle(names.begin(), names.end(), random);
    table = Updated(table, Set(names));
    EXPECT_EQ(table.Live().size(), names.size());
    for (size_t i = 0; i < names.size(); ++i) {
      const Slot& slot = table.Live()[i];
      EXPECT_EQ(slot.name, names[i]);
      EXPECT_EQ(seen.emplace(slot.name, slot.slot).first->second, slot.slot);
      EXPECT_EQ(table.NameOf(slot.slot), slot.name);
    }
    EXPECT_EQ(table.Live().size() + table.Draining().size(), seen.size());
  }
}

}  // namespace
}  // namespace layered
