// SPDX-License-Identifier: Apache-2.0
//
// The compiled tables and the rules themselves must judge every task alike: first by hand, then
// over random sets and tasks.

#include "daemon/compile/reference_match.h"

#include <random>
#include <string>

#include "daemon/compile/rules.h"
#include "daemon/compile/slot_table.h"
#include "gtest/gtest.h"

namespace layered {
namespace {

bool CgroupMatches(v1::StringForm form, const std::string& value, const std::string& path) {
  v1::LayerSet layers;
  v1::Layer* layer = layers.add_layers();
  layer->set_name("a");
  v1::StringMatch* match = layer->add_match()->add_terms()->mutable_cgroup();
  match->set_form(form);
  match->set_value(value);
  SlotTable slots;
  EXPECT_TRUE(slots.Update(layers).ok());
  const auto table = CompileRules(layers, slots, 1, 1);
  EXPECT_TRUE(table.ok()) << table.status();
  const TaskAttrs task{.cgroup = path};
  const bool by_rules = MatchByRules(layers, task) != nullptr;
  EXPECT_EQ(MatchByTable(**table, task) == 0, by_rules) << value << " " << path;
  return by_rules;
}

TEST(ReferenceMatch, FormsOfCgroupPaths) {
  EXPECT_TRUE(CgroupMatches(v1::STRING_FORM_SUBTREE, "/a", "/a"));
  EXPECT_TRUE(CgroupMatches(v1::STRING_FORM_SUBTREE, "/a", "/a/b"));
  EXPECT_FALSE(CgroupMatches(v1::STRING_FORM_SUBTREE, "/a", "/ab"));
  EXPECT_FALSE(CgroupMatches(v1::STRING_FORM_SUBTREE, "/a", "/"));
  EXPECT_TRUE(CgroupMatches(v1::STRING_FORM_SUBTREE, "", "/"));
  EXPECT_TRUE(CgroupMatches(v1::STRING_FORM_SUBTREE, "", "/a/b"));
  EXPECT_TRUE(CgroupMatches(v1::STRING_FORM_EXACT, "/", "/"));
  EXPECT_FALSE(CgroupMatches(v1::STRING_FORM_EXACT, "/a", "/a/b"));
  EXPECT_TRUE(CgroupMatches(v1::STRING_FORM_PREFIX, "/a", "/ab"));
  EXPECT_TRUE(CgroupMatches(v1::STRING_FORM_SUFFIX, ".service", "/x/y.service"));
  EXPECT_FALSE(CgroupMatches(v1::STRING_FORM_SUFFIX, "/x/y.service.long", "/x/y.service"));
  EXPECT_TRUE(CgroupMatches(v1::STRING_FORM_CONTAINS, "docker", "/x/docker-1/y"));
  EXPECT_FALSE(CgroupMatches(v1::STRING_FORM_CONTAINS, "docker", "/x/dock/er"));
}

// Small vocabularies, so that terms repeat, overlap and contradict each other.
class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  int Below(int limit) { return static_cast<int>(random_() % static_cast<uint32_t>(limit)); }

  template <typename T, size_t N>
  const T& Pick(const T (&from)[N]) {
    return from[Below(N)];
  }

  v1::LayerSet Layers() {
    v1::LayerSet layers;
    const int count = 1 + Below(Below(10) == 0 ? 63 : 8);
    for (int i = 0; i < count; ++i) {
      v1::Layer* layer = layers.add_layers();
      layer->set_name("layer" + std::to_string(i));
      const int blocks = 1 + Below(4);
      for (int j = 0; j < blocks; ++j) {
        v1::Match* match = layer->add_match();
        const int terms = 1 + Below(4);
        for (int k = 0; k < terms; ++k) Term(match->add_terms());
      }
    }
    if (Below(4) != 0) {
      v1::Layer* rest = layers.add_layers();
      rest->set_name("default");
      rest->add_match()->add_terms()->mutable_all();
    }
    return layers;
  }

  TaskAttrs Task() {
    static const std::string kPaths[] = {"/",    "/a",     "/a/b",  "/a/b/c", "/ab",
                                         "/b",   "/b/a",   "/c/ab", "/b/a/b", "/deep/a/b/x.service",
                                         "/a.b", "/aa/bb", "/c"};
    return {.cgroup = Pick(kPaths),
            .comm = Name(),
            .leader = Name(),
            .uid = static_cast<uint32_t>(Below(6)),
            .nice = Below(40) - 20,
            .kthread = Below(4) == 0};
  }

 private:
  std::string Name() {
    static const std::string kNames[] = {"",
                                         "a",
                                         "ab",
                                         "abc",
                                         "b",
                                         "ba",
                                         "nginx",
                                         "nginx: worker",
                                         "0123456789abcde",
                                         "0123456789abcd"};
    return Pick(kNames);
  }

  void NameMatch(v1::StringMatch* match) {
    static const v1::StringForm kForms[] = {v1::STRING_FORM_EXACT, v1::STRING_FORM_PREFIX,
                                            v1::STRING_FORM_SUFFIX, v1::STRING_FORM_CONTAINS};
    match->set_form(Pick(kForms));
    match->set_value(Name());
    // Longer than the kernel keeps; only these forms may be.
    if (Below(8) == 0) {
      match->set_form(Pick({v1::STRING_FORM_EXACT, v1::STRING_FORM_PREFIX}));
      match->set_value("0123456789abcdefgh");
    }
  }

  void Range(v1::IntMatch* match, int lowest, int width) {
    const int lo = lowest + Below(width);
    if (Below(4) != 0) match->set_min(lo);
    if (Below(4) != 0) match->set_max(lo + Below(width));
  }

  void Term(v1::MatchTerm* term) {
    static const v1::StringForm kForms[] = {v1::STRING_FORM_EXACT, v1::STRING_FORM_PREFIX,
                                            v1::STRING_FORM_SUFFIX, v1::STRING_FORM_CONTAINS,
                                            v1::STRING_FORM_SUBTREE};
    static const std::string kValues[] = {"",  "/",   "/a", "/a/b", "/b",      "a",
                                          "b", "/ab", ".",  "/b/a", ".service"};
    term->set_negate(Below(3) == 0);
    switch (Below(13)) {
      case 0:
        term->mutable_all();
        break;
      case 1:
      case 2:
        NameMatch(term->mutable_comm());
        break;
      case 3:
      case 4:
        NameMatch(term->mutable_leader());
        break;
      case 5:
      case 6:
        Range(term->mutable_uid(), 0, 6);
        break;
      case 7:
      case 8:
        Range(term->mutable_nice(), -20, 40);
        break;
      case 9:
        term->mutable_kthread();
        break;
      default:
        term->mutable_cgroup()->set_form(Pick(kForms));
        term->mutable_cgroup()->set_value(Pick(kValues));
    }
  }

  std::mt19937 random_;
};

TEST(ReferenceMatch, TablesAndRulesAgreeOnRandomSets) {
  constexpr int kSets = 3000;
  constexpr int kTasks = 20;
  int taken_by_rule = 0, taken_by_none = 0;
  for (int seed = 0; seed < kSets; ++seed) {
    Generator generator(static_cast<uint32_t>(seed));
    const v1::LayerSet layers = generator.Layers();
    SlotTable slots;
    // Slots and positions differ: the first set leaves a few names draining.
    if (seed % 2 == 0) {
      ASSERT_TRUE(slots.Update(generator.Layers()).ok());
      if (!slots.Update(layers).ok()) continue;
    }
    ASSERT_TRUE(slots.Update(layers).ok());
    const auto table = CompileRules(layers, slots, 1, 1);
    ASSERT_TRUE(table.ok()) << table.status() << layers.DebugString();
    for (int i = 0; i < kTasks; ++i) {
      const TaskAttrs task = generator.Task();
      const v1::Layer* layer = MatchByRules(layers, task);
      const uint8_t slot = MatchByTable(**table, task);
      ASSERT_EQ(slots.NameOf(slot), layer == nullptr ? "" : layer->name())
          << "seed " << seed << " cgroup " << task.cgroup << " comm " << task.comm << " leader "
          << task.leader << " uid " << task.uid << " nice " << task.nice << "\n"
          << layers.DebugString();
      if (layer == nullptr) {
        ++taken_by_none;
      } else if (layer->name() != "default") {
        ++taken_by_rule;
      }
    }
  }
  // The generator must not drift to where every task is caught by the same thing.
  EXPECT_GT(taken_by_rule, kSets * kTasks / 4);
  EXPECT_GT(taken_by_none, kSets * kTasks / 100);
}

}  // namespace
}  // namespace layered
