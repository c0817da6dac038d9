// SPDX-License-Identifier: GPL-2.0-only
//
// Shares among slots on one CPU: each pick runs for a slice and is charged as `charge` does.

#include <array>
#include <vector>

#include "gtest/gtest.h"
#include "tests/sim/fake_kernel.h"

namespace layered::sim {
namespace {

constexpr uint32_t kNoPrev = LAYERED_MAX_SLOTS;
constexpr uint64_t kSlice = LAYERED_DEFAULT_SLICE_NS;

constexpr uint64_t kFirst16 = 0xffff;

// One CPU and the slots on it.
class OneCpu {
 public:
  void SetWeight(uint32_t slot, uint32_t weight) { policy(slot).weight = weight; }

  // The first slots have used more and more.
  void SetApart(int slots) {
    for (int slot = 0; slot < slots; ++slot) {
      ctx().svc[slot] = slot * 7 % slots * kSlice / 2;
      ctx().svc_generation[slot] = 1;
    }
  }

  layered_cpu_ctx& ctx() { return kernel_.cpus[0]; }
  layered_policy& policy(uint32_t slot) { return kernel_.revision->policy[slot]; }

  // One pick of the slots {w0, w1}, and a slice of run time.
  uint32_t Pick(uint64_t w0, uint64_t w1, uint32_t prev) {
    const uint32_t slot = sim_choose_slot(0, w0, w1, prev);
    EXPECT_LT(slot, kNoPrev);
    ctx().svc[slot % kNoPrev] += kSlice * 100 / policy(slot % kNoPrev).weight;
    return slot;
  }

  // Picks by slot. With `keeps` the last task always still wants to run.
  std::array<int, LAYERED_MAX_SLOTS> Run(int picks, uint64_t w0, uint64_t w1, bool keeps) {
    std::array<int, LAYERED_MAX_SLOTS> count{};
    uint32_t prev = kNoPrev;
    for (int i = 0; i < picks; ++i) {
      const uint32_t slot = Pick(w0, w1, keeps ? prev : kNoPrev);
      prev = slot;
      ++count[slot];
    }
    return count;
  }

 private:
  FakeKernel kernel_{1, 1, 1, LAYERED_MAX_SLOTS};
};

// Sixteen slots, one of weight 1000: more slots than candidates. They start together, or as far
// apart as slots can be; what is counted comes after 20,000 picks.
TEST(ChooseSlot, SharesFollowWeights) {
  constexpr int kPicks = 50'000, kSlots = 16;
  for (const bool keeps : {false, true}) {
    for (const bool apart : {false, true}) {
      for (const uint32_t heavy : {0u, 7u, 15u}) {
        OneCpu cpu;
        cpu.SetWeight(heavy, 1000);
        if (apart) cpu.SetApart(kSlots);
        cpu.Run(20'000, kFirst16, 0, keeps);
        const auto count = cpu.Run(kPicks, kFirst16, 0, keeps);
        for (uint32_t slot = 0; slot < kSlots; ++slot) {
          const double want = kPicks * (slot == heavy ? 1000 : 100) / 2500.0;
          EXPECT_NEAR(count[slot], want, want * 0.05)
              << "slot " << slot << ", heavy " << heavy << ", prev goes on: " << keeps
              << ", apart: " << apart;
        }
      }
    }
  }
}

// As many slots as there can be layers.
TEST(ChooseSlot, SharesFollowWeightsOf64Slots) {
  constexpr uint32_t kSlots = 64;
  OneCpu cpu;
  uint32_t sum = 0;
  for (uint32_t slot = 0; slot < kSlots; ++slot) {
    const uint32_t weight = std::array{50, 100, 300, 1000}[slot * 7 % 4];
    cpu.SetWeight(slot, weight);
    sum += weight;
  }
  constexpr int kPicks = 400'000;
  cpu.Run(kPicks / 2, ~0ull, 0, true);
  const auto count = cpu.Run(kPicks, ~0ull, 0, true);
  for (uint32_t slot = 0; slot < kSlots; ++slot) {
    const double want = 1.0 * kPicks * cpu.policy(slot).weight / sum;
    EXPECT_NEAR(count[slot], want, want * 0.05) << "slot " << slot;
  }
}

TEST(ChooseSlot, SharesFollowWeightsInBothWords) {
  OneCpu cpu;
  const uint64_t w0 = 1ull << 0 | 1ull << 63, w1 = 1ull << 0 | 1ull << 63;
  cpu.SetWeight(63, 300);
  cpu.SetWeight(127, 200);
  constexpr int kPicks = 20'000;
  const auto count = cpu.Run(kPicks, w0, w1, true);
  for (const auto& [slot, weight] : {std::pair{0, 100}, {63, 300}, {64, 100}, {127, 200}}) {
    EXPECT_NEAR(count[slot], kPicks * weight / 700.0, kPicks * weight / 700.0 * 0.05) << slot;
  }
}

TEST(ChooseSlot, OneSlotIsAlwaysTaken) {
  OneCpu cpu;
  for (const uint32_t slot : {0u, 63u, 64u, 127u}) {
    const uint64_t w0 = slot < 64 ? 1ull << slot : 0, w1 = slot < 64 ? 0 : 1ull << (slot - 64);
    EXPECT_EQ(cpu.Pick(w0, w1, kNoPrev), slot);
    EXPECT_EQ(cpu.Pick(w0, w1, slot), slot);
  }
}

// A slot that slept is served soon, but not for the time that it slept through.
TEST(ChooseSlot, ReturningSlotNeitherStarvesNorDominates) {
  OneCpu cpu;
  constexpr uint32_t kSleeper = 5;
  constexpr uint64_t kOthers = kFirst16 & ~(1ull << kSleeper);
  cpu.Run(20'000, kFirst16, 0, true);
  cpu.Run(20'000, kOthers, 0, true);  // asleep
  const auto back = cpu.Run(160, kFirst16, 0, true);
  EXPECT_GE(back[kSleeper], 8) << "10 would be fair";
  EXPECT_LE(back[kSleeper], 19) << "10 would be fair, and eight slices may be kept";
}

// Neither does one that had used far more than its share before it slept.
TEST(ChooseSlot, DebtIsBounded) {
  OneCpu cpu;
  constexpr uint32_t kGreedy = 3;
  cpu.Run(1'000, kFirst16, 0, true);
  cpu.Run(5'000, 1ull << kGreedy, 0, true);  // alone
  const auto after = cpu.Run(320, kFirst16, 0, true);
  for (uint32_t slot = 0; slot < 16; ++slot) {
    EXPECT_GE(after[slot], 10) << "slot " << slot << ", 20 would be fair";
    EXPECT_LE(after[slot], 30) << "slot " << slot << ", 20 would be fair";
  }
}

// A slot with another layer owes nothing for the one before.
TEST(ChooseSlot, NewGenerationStartsAtTheClock) {
  OneCpu cpu;
  cpu.Run(1'000, kFirst16, 0, true);
  cpu.ctx().svc[4] = cpu.ctx().vmin + 7 * kSlice;
  ++cpu.policy(4).generation;
  cpu.Run(1, 1ull << 4, 0, false);
  EXPECT_EQ(cpu.ctx().svc[4], cpu.ctx().vmin + kSlice);
}

}  // namespace
}  // namespace layered::sim
