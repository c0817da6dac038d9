// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/text.h"

#include "gtest/gtest.h"

namespace layered {
namespace {

TEST(TextTest, Utf8) {
  for (const char* good : {"", "web", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x90\xa7", "\x7f",
                           "\xef\xbf\xbf", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(IsValidUtf8(good)) << Quoted(good);
  }
  for (const char* bad : {"\x80", "\xc3", "\xc0\x80", "\xe2\x82", "\xed\xa0\x80", "\xff", "a\xfe",
                          "\xf4\x90\x80\x80", "\xf0\x80\x80\x80", "\xc3(", "\xe0\x80\x80"}) {
    EXPECT_FALSE(IsValidUtf8(bad)) << Quoted(bad);
  }
}

TEST(TextTest, CodePointsAreColumns) {
  const std::string text = "a\xc3\xa9\xf0\x9f\x90\xa7z";
  EXPECT_EQ(CountCodePoints(text, 0), 0u);
  EXPECT_EQ(CountCodePoints(text, 1), 1u);
  EXPECT_EQ(CountCodePoints(text, 3), 2u);
  EXPECT_EQ(CountCodePoints(text, 7), 3u);
  EXPECT_EQ(CountCodePoints(text, 100), 4u);
}

TEST(TextTest, Classes) {
  for (const char32_t c : {U'\0', U'\n', U'\x1f', U'\x7f', U'\x85', U'\u2028'}) {
    EXPECT_TRUE(IsControl(c));
  }
  EXPECT_FALSE(IsControl(U' '));
  EXPECT_FALSE(IsControl(U'\u00e9'));
  EXPECT_TRUE(IsBlank(U' '));
  EXPECT_TRUE(IsBlank(U'\u00a0'));
  EXPECT_FALSE(IsBlank(U'_'));
}

TEST(TextTest, QuotedIsOneShortLine) {
  EXPECT_EQ(Quoted("web"), "'web'");
  EXPECT_EQ(Quoted("a\nb\x7f"), "'a\\x0ab\\x7f'");
  EXPECT_EQ(Quoted("\xff\xc3\xa9"), "'\\xff\xc3\xa9'");
  EXPECT_EQ(Quoted(std::string("a\0b", 3)), "'a\\x00b'");
  const std::string cut = Quoted(std::string(1000, 'x'));
  EXPECT_LT(cut.size(), 80u);
  EXPECT_NE(cut.find("..."), std::string::npos);
  // Never cut inside a character.
  std::string euros;
  for (int i = 0; i < 100; ++i) euros += "\xe2\x82\xac";
  EXPECT_TRUE(IsValidUtf8(Quoted(euros)));
}

TEST(TextTest, GuessesWhatWasMeant) {
  const std::vector<std::string> keys = {"name", "kind", "match", "weight", "slice"};
  EXPECT_EQ(Closest("nmae", keys), "name");
  EXPECT_EQ(Closest("wieght", keys), "weight");
  EXPECT_EQ(Closest("Weight", keys), "weight");
  EXPECT_EQ(Closest("slcie", keys), "slice");
  EXPECT_EQ(Closest("matches", keys), "match");
  EXPECT_EQ(Closest("cpus", keys), "");
  EXPECT_EQ(Closest("", keys), "");
  EXPECT_EQ(Closest("x", {"y"}), "");
  EXPECT_EQ(Closest(std::string(100000, 'n'), keys), "");
  EXPECT_EQ(DidYouMean("nmae", keys), "did you mean 'name'?");
  EXPECT_EQ(DidYouMean("zzz", keys), "");
}

TEST(TextTest, Lists) {
  EXPECT_EQ(Joined({}), "");
  EXPECT_EQ(Joined({"a", "b"}), "a, b");
}

}  // namespace
}  // namespace layered
