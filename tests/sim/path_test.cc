// SPDX-License-Identifier: GPL-2.0-only
//
// Cgroup paths: built from nodes, compared in every form.

#include <random>
#include <string>

#include "gtest/gtest.h"
#include "tests/sim/fake_kernel.h"

namespace layered::sim {
namespace {

class Path : public testing::Test {
 protected:
  // The built path; "(none)" if it does not fit.
  std::string Build(const std::string& path) {
    const FakeCgroup cgroup(path);
    begin_ = build_path(cgroup.kn(), &kernel_.path.path);
    if (begin_ >= LAYERED_MAX_PATH) return "(none)";
    return {kernel_.path.path.text + begin_, kernel_.path.path.text + LAYERED_MAX_PATH};
  }

  bool Matches(layered_form form, const std::string& pattern, const std::string& path) {
    layered_revision& revision = *kernel_.revision;
    // Not at the start of the pool, and with something else right behind.
    constexpr uint32_t kOffset = 777;
    std::copy(pattern.begin(), pattern.end(), revision.pool + kOffset);
    revision.pool[kOffset + pattern.size()] = '#';
    revision.predicate[5] = {.kind = LAYERED_PRED_CGROUP,
                             .form = static_cast<u8>(form),
                             .len = static_cast<u16>(pattern.size()),
                             .offset = kOffset,
                             .lo = 0,
                             .hi = 0,
                             .text = {}};
    Build(path);
    return path_matches(&revision, 5, &kernel_.path.path, begin_);
  }

  FakeKernel kernel_{1, 1, 1};
  uint32_t begin_ = 0;
};

std::string Repeat(const std::string& part, int times) {
  std::string text;
  while (times-- > 0) text += part;
  return text;
}

TEST_F(Path, IsBuiltFromTheRoot) {
  EXPECT_EQ(Build("/"), "/");
  EXPECT_EQ(Build("/a"), "/a");
  EXPECT_EQ(Build("/system.slice/a\\x2db.service/x"), "/system.slice/a\\x2db.service/x");
}

TEST_F(Path, LongestName) {
  const std::string name(255, 'n');
  EXPECT_EQ(Build("/" + name + "/b"), "/" + name + "/b");
}

TEST_F(Path, TooLongOrTooDeepIsNone) {
  const std::string whole = Repeat("/" + std::string(255, 'n'), 16);  // 4096 bytes
  ASSERT_EQ(whole.size(), size_t{LAYERED_MAX_PATH});
  EXPECT_EQ(Build(whole), whole);
  EXPECT_EQ(Build("/x" + whole), "(none)");
  // The root takes a step too.
  const std::string deep = Repeat("/d", LAYERED_PATH_DEPTH - 1);
  EXPECT_EQ(Build(deep), deep);
  EXPECT_EQ(Build(deep + "/d"), "(none)");
}

TEST_F(Path, NoneMatchesNothingButTheRootOfAll) {
  const std::string deep = Repeat("/d", 200);
  EXPECT_FALSE(Matches(LAYERED_FORM_EXACT, deep, deep));
  EXPECT_FALSE(Matches(LAYERED_FORM_PREFIX, "/d", deep));
  EXPECT_FALSE(Matches(LAYERED_FORM_SUFFIX, "/d", deep));
  EXPECT_FALSE(Matches(LAYERED_FORM_CONTAINS, "d", deep));
  EXPECT_FALSE(Matches(LAYERED_FORM_SUBTREE, "/d", deep));
}

TEST_F(Path, Forms) {
  EXPECT_TRUE(Matches(LAYERED_FORM_EXACT, "/a/b", "/a/b"));
  EXPECT_FALSE(Matches(LAYERED_FORM_EXACT, "/a/b", "/a/bc"));
  EXPECT_FALSE(Matches(LAYERED_FORM_EXACT, "/a/b", "/a"));
  EXPECT_TRUE(Matches(LAYERED_FORM_EXACT, "/", "/"));
  EXPECT_TRUE(Matches(LAYERED_FORM_PREFIX, "/a/b", "/a/bc/d"));
  EXPECT_FALSE(Matches(LAYERED_FORM_PREFIX, "/a/b", "/a/c"));
  EXPECT_TRUE(Matches(LAYERED_FORM_SUFFIX, ".service", "/x/y.service"));
  EXPECT_FALSE(Matches(LAYERED_FORM_SUFFIX, ".service", "/x/y.service/z"));
  EXPECT_FALSE(Matches(LAYERED_FORM_SUFFIX, "/long/er", "/er"));
  EXPECT_TRUE(Matches(LAYERED_FORM_SUBTREE, "/a", "/a"));
  EXPECT_TRUE(Matches(LAYERED_FORM_SUBTREE, "/a", "/a/b/c"));
  EXPECT_FALSE(Matches(LAYERED_FORM_SUBTREE, "/a", "/ab"));
  EXPECT_FALSE(Matches(LAYERED_FORM_SUBTREE, "/a", "/"));
  EXPECT_TRUE(Matches(LAYERED_FORM_SUBTREE, "", "/"));
  EXPECT_TRUE(Matches(LAYERED_FORM_SUBTREE, "", "/x/y"));
}

// The wrong start may share a beginning with the right one.
TEST_F(Path, ContainsLooksAtEveryStart) {
  EXPECT_TRUE(Matches(LAYERED_FORM_CONTAINS, "aab", "/aaab"));
  EXPECT_TRUE(Matches(LAYERED_FORM_CONTAINS, "docker", "/dodocker"));
  EXPECT_FALSE(Matches(LAYERED_FORM_CONTAINS, "aab", "/aaa"));
  EXPECT_FALSE(Matches(LAYERED_FORM_CONTAINS, "b/", "/a/b"));
}

TEST_F(Path, RandomAgainstTheDefinition) {
  std::mt19937 random(20260102);
  const auto text = [&](int most) {
    std::string out;
    for (int n = random() % (most + 1); n > 0; --n) out += "ab/"[random() % 3];
    return out;
  };
  for (int i = 0; i < 20'000; ++i) {
    std::string path;
    for (int n = random() % 4; n > 0; --n)
      path += std::string("/") + "ab"[random() % 2] + (random() % 2 ? "a" : "");
    if (path.empty()) path = "/";
    const std::string pattern = text(4);
    const auto form = static_cast<layered_form>(random() % 5);
    const std::string tail = path.size() < pattern.size() ? "" : path.substr(pattern.size());
    const bool want =
        form == LAYERED_FORM_EXACT    ? path == pattern
        : form == LAYERED_FORM_PREFIX ? path.starts_with(pattern)
        : form == LAYERED_FORM_SUFFIX ? path.ends_with(pattern)
        : form == LAYERED_FORM_CONTAINS
            ? path.find(pattern) != std::string::npos
            : path.starts_with(pattern) && (pattern.empty() || tail.empty() || tail[0] == '/');
    ASSERT_EQ(Matches(form, pattern, path), want)
        << "form " << form << " pattern '" << pattern << "' path " << path;
  }
}

}  // namespace
}  // namespace layered::sim
