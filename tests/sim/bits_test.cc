// SPDX-License-Identifier: GPL-2.0-only

#include <bit>
#include <cstdint>
#include <random>

#include "gtest/gtest.h"
#include "tests/sim/scheduler.h"

namespace layered::sim {
namespace {

bool Bit(uint64_t w0, uint64_t w1, uint32_t bit) {
  return (bit < 64 ? w0 >> bit : w1 >> (bit - 64)) & 1;
}

uint32_t NaiveNext(uint64_t w0, uint64_t w1, uint32_t from) {
  for (uint32_t i = 0; i < 128; ++i) {
    const uint32_t bit = (from + i) % 128;
    if (Bit(w0, w1, bit)) return bit;
  }
  return 128;
}

// Words of every density, none and all included.
class Words {
 public:
  uint64_t Next() {
    uint64_t word = random_();
    for (uint64_t thin = random_() % 7; thin > 0; --thin) word &= random_();
    const uint64_t shape = random_() % 8;
    return shape == 0 ? 0 : shape == 1 ? ~word : word;
  }
  uint32_t Below(uint32_t n) { return random_() % n; }

 private:
  std::mt19937_64 random_{20260101};
};

TEST(Bits, LowestBitOfAWord) {
  Words words;
  for (uint32_t bit = 0; bit < 64; ++bit) {
    EXPECT_EQ(sim_ctz64(1ull << bit), bit);
    EXPECT_EQ(sim_ctz64(~0ull << bit), bit);
  }
  for (int i = 0; i < 100'000; ++i) {
    const uint64_t word = words.Next();
    if (word == 0) continue;
    ASSERT_EQ(sim_ctz64(word), std::countr_zero(word)) << word;
  }
}

TEST(Bits, NextBitGoesRound) {
  Words words;
  for (int i = 0; i < 200'000; ++i) {
    const uint64_t w0 = words.Next(), w1 = words.Next();
    const uint32_t from = words.Below(128);
    ASSERT_EQ(next_bit128(w0, w1, from), NaiveNext(w0, w1, from))
        << w0 << " " << w1 << " from " << from;
  }
  EXPECT_EQ(next_bit128(0, 0, 5), 128u);
}

// The cursor of a walk may stand behind the last bit.
TEST(Bits, NextBitFromBehindTheLastStartsAgain) {
  EXPECT_EQ(next_bit128(1ull << 3, 1ull << 60, 128), 3u);
}

TEST(Bits, TestAndClear) {
  Words words;
  for (int i = 0; i < 100'000; ++i) {
    uint64_t w0 = words.Next(), w1 = words.Next();
    const uint64_t old0 = w0, old1 = w1;
    const uint32_t bit = words.Below(128);
    ASSERT_EQ(sim_test_bit128(w0, w1, bit), Bit(w0, w1, bit));
    sim_clear_bit128(&w0, &w1, bit);
    ASSERT_EQ(w0, bit < 64 ? old0 & ~(1ull << bit) : old0) << bit;
    ASSERT_EQ(w1, bit < 64 ? old1 : old1 & ~(1ull << (bit - 64))) << bit;
  }
}

}  // namespace
}  // namespace layered::sim
