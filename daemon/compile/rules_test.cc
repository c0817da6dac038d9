// SPDX-License-Identifier: Apache-2.0

#include "daemon/compile/rules.h"

#include <limits>
#include <string>
#include <string_view>

#include "daemon/compile/reference_match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace layered {
namespace {

using testing::HasSubstr;

v1::MatchTerm All() {
  v1::MatchTerm term;
  term.mutable_all();
  return term;
}

v1::MatchTerm Cgroup(v1::StringForm form, const std::string& value) {
  v1::MatchTerm term;
  term.mutable_cgroup()->set_form(form);
  term.mutable_cgroup()->set_value(value);
  return term;
}

v1::MatchTerm Comm(v1::StringForm form, const std::string& value) {
  v1::MatchTerm term;
  term.mutable_comm()->set_form(form);
  term.mutable_comm()->set_value(value);
  return term;
}

v1::MatchTerm Leader(const std::string& value) {
  v1::MatchTerm term;
  term.mutable_leader()->set_form(v1::STRING_FORM_EXACT);
  term.mutable_leader()->set_value(value);
  return term;
}

v1::MatchTerm Uid(int64_t min, int64_t max) {
  v1::MatchTerm term;
  term.mutable_uid()->set_min(min);
  term.mutable_uid()->set_max(max);
  return term;
}

v1::MatchTerm Kthread() {
  v1::MatchTerm term;
  term.mutable_kthread();
  return term;
}

v1::MatchTerm Not(v1::MatchTerm term) {
  term.set_negate(!term.negate());
  return term;
}

using Block = std::vector<v1::MatchTerm>;

void AddLayer(v1::LayerSet& layers, const std::string& name, const std::vector<Block>& blocks) {
  v1::Layer* layer = layers.add_layers();
  layer->set_name(name);
  for (const Block& block : blocks) {
    v1::Match* match = layer->add_match();
    for (const v1::MatchTerm& term : block) *match->add_terms() = term;
  }
}

SlotTable Slots(const v1::LayerSet& layers) {
  SlotTable slots;
  EXPECT_TRUE(slots.Update(layers).ok());
  return slots;
}

std::unique_ptr<layered_revision> Compile(const v1::LayerSet& layers, const SlotTable& slots) {
  auto table = CompileRules(layers, slots, 7, 3);
  EXPECT_TRUE(table.ok()) << table.status();
  return table.ok() ? *std::move(table) : std::make_unique<layered_revision>();
}

std::unique_ptr<layered_revision> Compile(const v1::LayerSet& layers) {
  return Compile(layers, Slots(layers));
}

std::string Refusal(const v1::LayerSet& layers) {
  const absl::Status status = CompileRules(layers, Slots(layers), 1, 1).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

std::string_view PoolText(const layered_revision& table, const layered_predicate& predicate) {
  return {reinterpret_cast<const char*>(table.pool) + predicate.offset, predicate.len};
}

TEST(CompileRules, CatchAllAlone) {
  v1::LayerSet layers;
  AddLayer(layers, "default", {{All()}});
  const auto table = Compile(layers);
  EXPECT_EQ(table->revision, 7u);
  EXPECT_EQ(table->publish, 3u);
  EXPECT_EQ(table->nr_predicates, 0u);
  EXPECT_EQ(table->nr_blocks, 1u);
  EXPECT_EQ(table->nr_words, 1u);
  EXPECT_EQ(table->all_blocks[0], 1u);
  EXPECT_EQ(table->attrs, 0u);
  EXPECT_EQ(table->policy[0].weight, 100u);
  EXPECT_EQ(table->policy[0].slice_ns, 5'000'000u);
  EXPECT_EQ(table->policy[0].generation, 1u);
  EXPECT_EQ(table->policy[0].live, 1);
  EXPECT_EQ(table->policy[1].generation, 0u) << "never used";
}

TEST(CompileRules, CgroupPredicatesComeFirstAndEachPredicateOnce) {
  v1::LayerSet layers;
  AddLayer(layers, "a",
           {{Comm(v1::STRING_FORM_EXACT, "x"), Cgroup(v1::STRING_FORM_SUBTREE, "/a")},
            {Not(Cgroup(v1::STRING_FORM_SUBTREE, "/a")), Kthread()}});
  AddLayer(layers, "b",
           {{Cgroup(v1::STRING_FORM_EXACT, "/b")}, {Comm(v1::STRING_FORM_EXACT, "x")}});
  AddLayer(layers, "default", {{All()}});
  const auto table = Compile(layers);
  ASSERT_EQ(table->nr_predicates, 4u);
  EXPECT_EQ(table->predicate[0].kind, LAYERED_PRED_CGROUP);
  EXPECT_EQ(table->predicate[0].form, LAYERED_FORM_SUBTREE);
  EXPECT_EQ(PoolText(*table, table->predicate[0]), "/a");
  EXPECT_EQ(table->predicate[1].kind, LAYERED_PRED_CGROUP);
  EXPECT_EQ(PoolText(*table, table->predicate[1]), "/b");
  EXPECT_EQ(table->predicate[2].kind, LAYERED_PRED_COMM);
  EXPECT_EQ(table->predicate[3].kind, LAYERED_PRED_KTHREAD);
  EXPECT_EQ(table->nr_blocks, 5u);
  EXPECT_EQ(table->all_blocks[0], 0b11111u);
  EXPECT_EQ(table->need[0][0], 0b00001u);
  EXPECT_EQ(table->forbid[0][0], 0b00010u);
  EXPECT_EQ(table->need[1][0], 0b00100u);
  EXPECT_EQ(table->need[2][0], 0b01001u);
  EXPECT_EQ(table->need[3][0], 0b00010u);
  EXPECT_EQ(table->attrs, unsigned{LAYERED_ATTR_CGROUP | LAYERED_ATTR_COMM});
  const std::vector<int> slots(table->block_slot, table->block_slot + 5);
  EXPECT_THAT(slots, testing::ElementsAre(0, 0, 1, 1, 2));
}

TEST(CompileRules, AttributesInUse) {
  const std::vector<std::pair<v1::MatchTerm, uint32_t>> cases = {
      {Cgroup(v1::STRING_FORM_EXACT, "/a"), LAYERED_ATTR_CGROUP},
      {Comm(v1::STRING_FORM_EXACT, "a"), LAYERED_ATTR_COMM},
      {Leader("a"), LAYERED_ATTR_LEADER},
      {Uid(1, 2), LAYERED_ATTR_UID},
      {Kthread(), 0},
  };
  for (const auto& [term, attr] : cases) {
    v1::LayerSet layers;
    AddLayer(layers, "a", {{Not(term)}});
    EXPECT_EQ(Compile(layers)->attrs, attr);
  }
}

TEST(CompileRules, NegatedAllKillsItsBlockWhichKeepsItsNumber) {
  v1::LayerSet layers;
  AddLayer(layers, "never", {{Not(All()), Uid(1, 1)}});
  AddLayer(layers, "default", {{All()}});
  const auto table = Compile(layers);
  EXPECT_EQ(table->nr_blocks, 2u);
  EXPECT_EQ(table->all_blocks[0], 0b10u);
  EXPECT_EQ(table->nr_predicates, 0u) << "what only dead blocks use is not evaluated";
  EXPECT_EQ(MatchByTable(*table, {.uid = 1}), 1);
}

TEST(CompileRules, OpenRangesReachTheLimits) {
  v1::LayerSet layers;
  v1::MatchTerm low, high;
  low.mutable_nice()->set_max(-1);
  high.mutable_nice()->set_min(5);
  AddLayer(layers, "a", {{low}, {high}});
  const auto table = Compile(layers);
  EXPECT_EQ(table->predicate[0].lo, std::numeric_limits<int64_t>::min());
  EXPECT_EQ(table->predicate[0].hi, -1);
  EXPECT_EQ(table->predicate[1].lo, 5);
  EXPECT_EQ(table->predicate[1].hi, std::numeric_limits<int64_t>::max());
}

TEST(CompileRules, EqualPatternsAreStoredOnce) {
  v1::LayerSet layers;
  AddLayer(layers, "a",
           {{Cgroup(v1::STRING_FORM_EXACT, "/same")},
            {Cgroup(v1::STRING_FORM_SUBTREE, "/same")},
            {Cgroup(v1::STRING_FORM_SUBTREE, "")}});
  const auto table = Compile(layers);
  EXPECT_EQ(table->nr_predicates, 3u);
  EXPECT_EQ(table->pool_bytes, 5u);
  EXPECT_EQ(PoolText(*table, table->predicate[1]), "/same");
  EXPECT_EQ(table->predicate[2].len, 0);
}

TEST(CompileRules, NamesAreCutToWhatTheKernelKeeps) {
  v1::LayerSet layers;
  AddLayer(layers, "a", {{Comm(v1::STRING_FORM_EXACT, "0123456789abcdefgh")}});
  AddLayer(layers, "default", {{All()}});
  const auto table = Compile(layers);
  EXPECT_EQ(table->predicate[0].len, 15);
  EXPECT_EQ(table->predicate[0].text[14], 'e');
  EXPECT_EQ(table->predicate[0].text[15], 0);
  EXPECT_EQ(MatchByTable(*table, {.comm = "0123456789abcde"}), 0);
  EXPECT_EQ(MatchByTable(*table, {.comm = "0123456789abcd"}), 1);
}

TEST(CompileRules, NamesBringTheMaskOfTheirBytes) {
  v1::LayerSet layers;
  AddLayer(layers, "a",
           {{Comm(v1::STRING_FORM_PREFIX, "abc")},
            {Comm(v1::STRING_FORM_SUFFIX, "123456789")},
            {Comm(v1::STRING_FORM_EXACT, "x")}});
  AddLayer(layers, "default", {{All()}});
  const auto table = Compile(layers);
  EXPECT_EQ(table->predicate[0].lo, 0xffffff);
  EXPECT_EQ(table->predicate[0].hi, 0);
  EXPECT_EQ(table->predicate[1].lo, -1);
  EXPECT_EQ(table->predicate[1].hi, 0xff);
  EXPECT_EQ(table->predicate[2].lo, -1) << "the terminator and what follows count too";
  EXPECT_EQ(table->predicate[2].hi, -1);
}

TEST(CompileRules, RefusesEndsOfNamesThatTheKernelCutsOff) {
  v1::LayerSet layers;
  AddLayer(layers, "a", {{Comm(v1::STRING_FORM_SUFFIX, "0123456789abcdef")}});
  EXPECT_THAT(Refusal(layers), HasSubstr("at most 15 bytes"));
}

TEST(CompileRules, DrainingSlotsKeepTheirPolicyButAreNotLive) {
  v1::LayerSet before;
  AddLayer(before, "gone", {{Uid(1, 1)}});
  AddLayer(before, "default", {{All()}});
  before.mutable_layers(0)->set_weight(900);
  SlotTable slots = Slots(before);
  v1::LayerSet after;
  AddLayer(after, "default", {{All()}});
  ASSERT_TRUE(slots.Update(after).ok());
  const auto table = Compile(after, slots);
  EXPECT_EQ(table->policy[0].weight, 900u);
  EXPECT_EQ(table->policy[0].generation, 1u);
  EXPECT_EQ(table->policy[0].live, 0);
  EXPECT_EQ(table->policy[1].live, 1);
  EXPECT_EQ(table->block_slot[0], 1);
}

TEST(CompileRules, UnusedSlotsHaveDefaultsAndNoGeneration) {
  v1::LayerSet layers;
  AddLayer(layers, "default", {{All()}});
  const auto table = Compile(layers);
  for (int slot = 1; slot < LAYERED_MAX_SLOTS; ++slot) {
    EXPECT_EQ(table->policy[slot].slice_ns, 5'000'000u);
    EXPECT_EQ(table->policy[slot].weight, 100u);
    EXPECT_EQ(table->policy[slot].generation, 0u);
    EXPECT_EQ(table->policy[slot].live, 0);
  }
}

TEST(CompileRules, ALayerNeedsALiveSlot) {
  v1::LayerSet layers;
  AddLayer(layers, "a", {{All()}});
  EXPECT_EQ(CompileRules(layers, SlotTable(), 1, 1).status().code(),
            absl::StatusCode::kFailedPrecondition);
  SlotTable slots = Slots(layers);
  ASSERT_TRUE(slots.Update(v1::LayerSet()).ok());
  EXPECT_EQ(CompileRules(layers, slots, 1, 1).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST(CompileRules, TheLargestSetFits) {
  v1::LayerSet layers;
  for (int i = 0; i < LAYERED_MAX_LAYERS; ++i) {
    std::vector<Block> blocks;
    for (int j = 0; j < 16; ++j) {
      const int number = i * 16 + j;  // 1024 blocks over 256 predicates
      blocks.push_back({Cgroup(v1::STRING_FORM_EXACT, "/" + std::to_string(number % 128)),
                        Uid(number % 256 / 2, number % 256 / 2)});
    }
    AddLayer(layers, "layer" + std::to_string(i), blocks);
  }
  const auto table = Compile(layers);
  EXPECT_EQ(table->nr_blocks, 1024u);
  EXPECT_EQ(table->nr_words, 16u);
  EXPECT_EQ(table->nr_predicates, 256u);
  EXPECT_EQ(table->all_blocks[15], ~uint64_t{0});
  EXPECT_EQ(MatchByTable(*table, {.cgroup = "/127", .uid = 127}), 15) << "block 255 of layer 15";
}

TEST(CompileRules, RefusesMoreThanTheTablesHold) {
  v1::LayerSet layers;
  for (int i = 0; i <= LAYERED_MAX_LAYERS; ++i) AddLayer(layers, std::to_string(i), {{All()}});
  EXPECT_THAT(Refusal(layers), HasSubstr("65 layers, at most 64"));

  layers.Clear();
  AddLayer(layers, "a", std::vector<Block>(1025, {All()}));
  EXPECT_THAT(Refusal(layers), HasSubstr("1025 match blocks, at most 1024"));

  layers.Clear();
  Block block;
  for (int i = 0; i <= LAYERED_MAX_PREDICATES; ++i) block.push_back(Uid(i, i));
  AddLayer(layers, "a", {block});
  EXPECT_THAT(Refusal(layers), HasSubstr("257 distinct predicates, at most 256"));

  layers.Clear();
  AddLayer(layers, "a", {{Cgroup(v1::STRING_FORM_EXACT, std::string(4096, 'x'))}});
  EXPECT_THAT(Refusal(layers), HasSubstr("4096 bytes, at most 4095"));

  layers.Clear();
  block.clear();
  for (int i = 0; i < 40; ++i) {
    block.push_back(Cgroup(v1::STRING_FORM_EXACT, std::to_string(i) + std::string(4000, 'x')));
  }
  AddLayer(layers, "a", {block});
  EXPECT_THAT(Refusal(layers), HasSubstr("more than 131072 bytes"));
}

TEST(CompileRules, RefusesAnEmptyBlockAndATermWithoutKey) {
  v1::LayerSet layers;
  AddLayer(layers, "a", {Block{}});
  EXPECT_THAT(Refusal(layers), HasSubstr("\"a\" has an empty match"));
  layers.Clear();
  AddLayer(layers, "a", {{v1::MatchTerm()}});
  EXPECT_THAT(Refusal(layers), HasSubstr("without a key"));
}

}  // namespace
}  // namespace layered
