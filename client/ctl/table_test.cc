// SPDX-License-Identifier: Apache-2.0

#include "client/ctl/table.h"

#include <gtest/gtest.h>

namespace layered::ctl {
namespace {

TEST(TableTest, AlignsAndLeavesNoTrailingSpaces) {
  Table table({{.title = "NAME"}, {.title = "N", .align = Table::Align::kRight}, {.title = "X"}});
  table.Add({"web", "12", ""});
  table.Add({"default", "3", "y"});
  EXPECT_EQ(table.Render(),
            "NAME      N  X\n"
            "web      12\n"
            "default   3  y\n");
}

TEST(TableTest, NamesCannotMoveTheCursorOrBreakALine) {
  EXPECT_EQ(Printable("a\x1b[2Jb\nc\x7f"), "a?[2Jb?c?");
  EXPECT_EQ(Printable("a\xC2\x9B"
                      "b"),
            "a?b");  // C1: another way to write ESC [
  EXPECT_EQ(Printable("a\xE2\x80\xAE"
                      "b"),
            "a?b");                        // right-to-left override
  EXPECT_EQ(Printable("\xFF\xC3"), "??");  // broken UTF-8
  EXPECT_EQ(Printable("gr\xC3\xBC\xC3\x9F"), "gr\xC3\xBC\xC3\x9F");
}

TEST(TableTest, WidthCountsColumnsNotBytes) {
  EXPECT_EQ(Width("abc"), 3);
  EXPECT_EQ(Width("gr\xC3\xBC\xC3\x9F"), 4);
  EXPECT_EQ(Width("\xE6\xBC\xA2"), 2);      // wide
  EXPECT_EQ(Width("\xF0\x9F\x9A\x80"), 2);  // emoji
  EXPECT_EQ(Width("e\xCC\x81"), 1);         // combining
}

TEST(TableTest, ClipKeepsWholeCharacters) {
  EXPECT_EQ(Clip("abcdef", 6), "abcdef");
  EXPECT_EQ(Clip("abcdef", 4), "abc~");
  EXPECT_EQ(Clip("\xE6\xBC\xA2\xE6\xBC\xA2\xE6\xBC\xA2", 4), "\xE6\xBC\xA2~");
}

TEST(TableTest, ColumnsWithALimitAreClipped) {
  Table table({{.title = "NAME", .most = 5}});
  table.Add({"abcdefgh"});
  EXPECT_EQ(table.Render(), "NAME\nabcd~\n");
}

}  // namespace
}  // namespace layered::ctl
