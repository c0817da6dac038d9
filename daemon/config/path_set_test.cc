// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/path_set.h"

#include "gtest/gtest.h"

namespace layered {
namespace {

TEST(PathSetTest, Parents) {
  EXPECT_EQ(ParentPath("layers[2].match[1].terms"), "layers[2].match[1]");
  EXPECT_EQ(ParentPath("layers[2].match[1]"), "layers[2].match");
  EXPECT_EQ(ParentPath("layers"), "");
  EXPECT_EQ(ParentPath(""), "");
}

TEST(PathSetTest, CoversWhatIsInside) {
  PathSet set;
  EXPECT_FALSE(set.Covers("layers"));
  EXPECT_FALSE(set.Touches("layers"));
  set.Add("layers[1].match");
  EXPECT_TRUE(set.Covers("layers[1].match"));
  EXPECT_TRUE(set.Covers("layers[1].match[0].terms[3]"));
  EXPECT_FALSE(set.Covers("layers[1]"));
  EXPECT_FALSE(set.Covers("layers[1].matches"));
  EXPECT_FALSE(set.Covers("layers[11].match"));
  EXPECT_TRUE(set.Touches("layers[1]"));
  EXPECT_TRUE(set.Touches("layers"));
  EXPECT_FALSE(set.Touches("layer"));
  EXPECT_FALSE(set.Touches("layers[1].m"));
  EXPECT_FALSE(set.Touches("layers[2]"));
}

TEST(PathSetTest, TheRootCoversEverything) {
  PathSet set;
  set.Add("");
  EXPECT_TRUE(set.Covers("layers[0]"));
  EXPECT_TRUE(set.Covers(""));
}

}  // namespace
}  // namespace layered
