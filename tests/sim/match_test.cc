// SPDX-License-Identifier: GPL-2.0-only
//
// Which slot a task gets: the BPF code, fed with compiled layer sets and fake tasks, against the
// evaluator that reads the proto and knows nothing of tables.

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "daemon/compile/reference_match.h"
#include "daemon/compile/rules.h"
#include "daemon/compile/slot_table.h"
#include "daemon/config/expression.h"
#include "gtest/gtest.h"
#include "tests/sim/fake_kernel.h"

namespace layered::sim {
namespace {

class Match : public testing::Test {
 protected:
  void Use(const v1::LayerSet& set) {
    ASSERT_TRUE(slots_.Update(set).ok());
    auto rules =
        CompileRules(set, slots_, kernel_.revision->revision + 1, kernel_.revision->publish + 1);
    ASSERT_TRUE(rules.ok()) << rules.status().ToString();
    kernel_.revision = *std::move(rules);
  }

  // The slot that the scheduler gives a task with these attributes when it enables it.
  uint32_t SlotOf(const TaskAttrs& attrs) {
    FakeCgroup cgroup(attrs.cgroup);
    FakeTask task(&cgroup), leader(&cgroup);
    task.SetComm(attrs.comm);
    leader.SetComm(attrs.leader);
    task.p.group_leader = &leader.p;
    task.credentials.euid.val = attrs.uid;
    task.p.static_prio = LAYERED_DEFAULT_PRIO + attrs.nice;
    task.p.flags = attrs.kthread ? LAYERED_PF_KTHREAD : 0;
    kernel_.cgroup_caches.clear();
    layered_enable(&task.p);
    EXPECT_EQ(task.ctx.word >> 32, kernel_.revision->publish);
    return task.slot();
  }

  FakeKernel kernel_{1, 1, 1};
  SlotTable slots_;
};

v1::LayerSet Set(const std::vector<std::string>& expressions) {
  v1::LayerSet set;
  for (size_t i = 0; i < expressions.size(); ++i) {
    v1::Layer* const layer = set.add_layers();
    layer->set_name("layer" + std::to_string(i));
    Violations violations;
    EXPECT_TRUE(ParseExpression(expressions[i], "match", layer->mutable_match(), &violations))
        << expressions[i];
  }
  return set;
}

std::string Text(const TaskAttrs& task) {
  return task.cgroup + " comm=" + task.comm + " leader=" + task.leader +
         " uid=" + std::to_string(task.uid) + " nice=" + std::to_string(task.nice) +
         (task.kthread ? " kthread" : "");
}

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}

  int Below(int n) { return static_cast<int>(engine_() % n); }
  bool Often() { return Below(3) != 0; }

  // Of a small alphabet, so that rules and tasks meet.
  std::string Word(int least, int most) {
    std::string text;
    for (int n = least + Below(most - least + 1); n > 0; --n) text += "abc"[Below(3)];
    return text;
  }
  std::string CgroupPath() {
    std::string path;
    for (int n = Below(4); n > 0; --n) path += "/" + Word(1, 2);
    return path.empty() ? "/" : path;
  }
  TaskAttrs Task() {
    return {.cgroup = CgroupPath(),
            .comm = Word(0, Often() ? 3 : 15),
            .leader = Word(0, Often() ? 3 : 15),
            .uid = static_cast<uint32_t>(Below(4)),
            .nice = Below(40) - 20,
            .kthread = Below(4) == 0};
  }

  std::string Term() {
    std::string term = Below(4) == 0 ? "not " : "";
    switch (Below(6)) {
      case 0: {
        const std::string path = CgroupPath();
        const std::string base = path == "/" ? "" : path;
        const std::string forms[] = {path, base + "/*", path + "*", "*" + Word(1, 2),
                                     "*" + Word(1, 2) + "*"};
        return term + "cgroup=" + forms[Below(5)];
      }
      case 1:
      case 2: {
        const std::string word = Word(1, Often() ? 2 : 15);
        const std::string forms[] = {word, word + "*", "*" + word, "*" + word + "*"};
        return term + (Below(2) == 0 ? "comm=" : "leader=") + forms[Below(4)];
      }
      case 3:
        return term + "uid<=" + std::to_string(Below(3));
      case 4: {
        const int low = Below(39) - 20;
        return term + "nice in " + std::to_string(low) + ".." +
               std::to_string(low + Below(19 - low + 1));
      }
      default:
        return term + "kthread";
    }
  }
  std::string Expression() {
    std::string text = Term();
    for (int n = Below(6); n > 0; --n) text += (Often() ? " and " : " or ") + Term();
    return text;
  }

 private:
  std::mt19937 engine_;
};

TEST_F(Match, FirstLayerInOrderWins) {
  Use(Set({"comm=a*", "comm=ab", "all"}));
  EXPECT_EQ(SlotOf({.comm = "ab"}), 0u);
  EXPECT_EQ(SlotOf({.comm = "b"}), 2u);
}

TEST_F(Match, NamesOfFullLength) {
  Use(Set({"comm=abcdefghijklmno", "comm=*klmno", "comm=*fghij*", "comm=abcdefg*", "all"}));
  EXPECT_EQ(SlotOf({.comm = "abcdefghijklmno"}), 0u);
  EXPECT_EQ(SlotOf({.comm = "xbcdefghijklmno"}), 1u);
  EXPECT_EQ(SlotOf({.comm = "xbcdefghijklmn"}), 2u);
  EXPECT_EQ(SlotOf({.comm = "abcdefgh"}), 3u);
  EXPECT_EQ(SlotOf({.comm = "abcdef"}), 4u);
}

TEST_F(Match, RandomSetsAgainstTheRules) {
  Random random(20260103);
  int hits = 0, all = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> expressions;
    for (int n = 1 + random.Below(round % 20 == 0 ? 60 : 8); n > 0; --n) {
      expressions.push_back(random.Expression());
    }
    expressions.push_back("all");
    const v1::LayerSet set = Set(expressions);
    slots_ = {};
    Use(set);
    for (int i = 0; i < 40; ++i) {
      const TaskAttrs task = random.Task();
      const v1::Layer* const want = MatchByRules(set, task);
      ASSERT_NE(want, nullptr);
      ASSERT_EQ(slots_.NameOf(SlotOf(task)), want->name())
          << "round " << round << ": " << Text(task);
      hits += want != &set.layers(set.layers_size() - 1);
      ++all;
    }
  }
  // Rules that never meet a task would show nothing.
  EXPECT_GT(hits, all / 3);
  EXPECT_LT(hits, all);
}

}  // namespace
}  // namespace layered::sim
