// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/expression.h"

#include <random>
#include <string>
#include <vector>

#include "daemon/config/match_term.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"

namespace layered {
namespace {

using Blocks = google::protobuf::RepeatedPtrField<v1::Match>;
using google::protobuf::util::MessageDifferencer;

Blocks Parse(const std::string& text) {
  Blocks blocks;
  Violations violations;
  EXPECT_TRUE(ParseExpression(text, "m", &blocks, &violations))
      << text << ": " << (violations.empty() ? "" : ToString(violations[0]));
  EXPECT_TRUE(violations.empty());
  return blocks;
}

Violations Faults(const std::string& text) {
  Blocks blocks;
  Violations violations;
  EXPECT_FALSE(ParseExpression(text, "m", &blocks, &violations)) << text;
  EXPECT_TRUE(blocks.empty());
  EXPECT_FALSE(violations.empty()) << text;
  return violations;
}

// The only term of an expression that has one.
v1::MatchTerm Term(const std::string& text) {
  const Blocks blocks = Parse(text);
  EXPECT_EQ(blocks.size(), 1) << text;
  EXPECT_EQ(blocks[0].terms_size(), 1) << text;
  return blocks[0].terms(0);
}

std::string Canonical(const std::string& text) { return FormatMatches(Parse(text)); }

TEST(ExpressionTest, OrOfAnds) {
  const Blocks blocks = Parse("comm=nginx* and not kthread or cgroup=/batch.slice/*");
  ASSERT_EQ(blocks.size(), 2);
  ASSERT_EQ(blocks[0].terms_size(), 2);
  EXPECT_EQ(blocks[0].terms(0).comm().value(), "nginx");
  EXPECT_EQ(blocks[0].terms(0).comm().form(), v1::STRING_FORM_PREFIX);
  EXPECT_FALSE(blocks[0].terms(0).negate());
  EXPECT_TRUE(blocks[0].terms(1).has_kthread());
  EXPECT_TRUE(blocks[0].terms(1).negate());
  ASSERT_EQ(blocks[1].terms_size(), 1);
  EXPECT_EQ(blocks[1].terms(0).cgroup().form(), v1::STRING_FORM_SUBTREE);
  EXPECT_EQ(blocks[1].terms(0).cgroup().value(), "/batch.slice");
}

TEST(ExpressionTest, AppendsToWhatIsThere) {
  Blocks blocks;
  Violations violations;
  EXPECT_TRUE(ParseExpression("all", "m", &blocks, &violations));
  EXPECT_TRUE(ParseExpression("kthread or uid=0", "m", &blocks, &violations));
  EXPECT_EQ(blocks.size(), 3);
  EXPECT_FALSE(ParseExpression("kthread or bad", "m", &blocks, &violations));
  EXPECT_EQ(blocks.size(), 3);
}

TEST(ExpressionTest, Globs) {
  struct Case {
    std::string text, value;
    v1::StringForm form;
  };
  const Case cases[] = {
      {"cgroup=/a", "/a", v1::STRING_FORM_EXACT},
      {"cgroup=/", "/", v1::STRING_FORM_EXACT},
      {"cgroup=/a/*", "/a", v1::STRING_FORM_SUBTREE},
      {"cgroup=/*", "", v1::STRING_FORM_SUBTREE},
      {"cgroup=/a*", "/a", v1::STRING_FORM_PREFIX},
      {"cgroup=\"/a\\/*\"", "/a/", v1::STRING_FORM_PREFIX},
      {"cgroup=*.service", ".service", v1::STRING_FORM_SUFFIX},
      {"cgroup=*/docker/*", "/docker/", v1::STRING_FORM_CONTAINS},
      {"cgroup=*pod*", "pod", v1::STRING_FORM_CONTAINS},
      {"comm=a/*", "a/", v1::STRING_FORM_PREFIX},
      {"leader=*x", "x", v1::STRING_FORM_SUFFIX},
      {"comm=\"a\\*\"", "a*", v1::STRING_FORM_EXACT},
      {"comm=\"\\**\"", "*", v1::STRING_FORM_PREFIX},
      {"comm=\"\"", "", v1::STRING_FORM_EXACT},
  };
  for (const Case& c : cases) {
    const v1::MatchTerm term = Term(c.text);
    ASSERT_NE(StringOperand(term), nullptr);
    EXPECT_EQ(StringOperand(term)->value(), c.value) << c.text;
    EXPECT_EQ(StringOperand(term)->form(), c.form) << c.text;
  }
}

TEST(ExpressionTest, NamesOfRealCgroupsNeedNoQuotes) {
  const std::string path = R"(/system.slice/dev-disk\x2duuid:a=b@1.service)";
  EXPECT_EQ(Term("cgroup=" + path).cgroup().value(), path);
  EXPECT_EQ(Canonical("cgroup=" + path), "cgroup=" + path);
  EXPECT_EQ(Term("comm=(sd-pam)").comm().value(), "(sd-pam)");
  EXPECT_EQ(Term("comm=kworker/0:1H").comm().value(), "kworker/0:1H");
  EXPECT_EQ(Term("comm=and").comm().value(), "and");
  EXPECT_EQ(Term("comm=\xc3\xa9t\xc3\xa9").comm().value(), "\xc3\xa9t\xc3\xa9");
}

TEST(ExpressionTest, QuotesAndEscapes) {
  EXPECT_EQ(Term("comm=\"my app\"").comm().value(), "my app");
  EXPECT_EQ(Term("comm='my app'").comm().value(), "my app");
  EXPECT_EQ(Term("comm='it\\'s'").comm().value(), "it's");
  EXPECT_EQ(Term("comm=\"it's\"").comm().value(), "it's");
  EXPECT_EQ(Term(R"(comm="a\\b\"c\n\t\x41")").comm().value(), "a\\b\"c\n\tA");
  EXPECT_EQ(Term("comm=\"my *\"").comm().form(), v1::STRING_FORM_PREFIX);
  EXPECT_EQ(Term("comm = nginx").comm().value(), "nginx");
  EXPECT_EQ(Term(" \t\n comm=x \r\n").comm().value(), "x");
}

TEST(ExpressionTest, Numbers) {
  const auto range = [](const std::string& text) {
    const v1::MatchTerm term = Term(text);
    const v1::IntMatch* match = IntOperand(term);
    return std::string(term.negate() ? "!" : "") +
           (match->has_min() ? std::to_string(match->min()) : "") + ":" +
           (match->has_max() ? std::to_string(match->max()) : "");
  };
  EXPECT_EQ(range("uid=1000"), "1000:1000");
  EXPECT_EQ(range("uid!=0"), "!0:0");
  EXPECT_EQ(range("not uid!=0"), "0:0");
  EXPECT_EQ(range("uid<1000"), ":999");
  EXPECT_EQ(range("uid<=1000"), ":1000");
  EXPECT_EQ(range("uid>1000"), "1001:");
  EXPECT_EQ(range("uid>=1000"), "1000:");
  EXPECT_EQ(range("uid in 1000..2000"), "1000:2000");
  EXPECT_EQ(range("not nice in -20..-1"), "!-20:-1");
  EXPECT_EQ(range("nice=-5"), "-5:-5");
  EXPECT_EQ(range("nice < 0"), ":-1");
  EXPECT_EQ(range("uid=4294967295"), "4294967295:4294967295");
}

TEST(ExpressionTest, UserNamesNeedAResolver) {
  const UserResolver users = [](const std::string& name) -> std::optional<uint32_t> {
    if (name == "www-data") return 33;
    return std::nullopt;
  };
  Blocks blocks;
  Violations violations;
  ASSERT_TRUE(ParseExpression("uid!=www-data", "m", &blocks, &violations, users));
  EXPECT_EQ(blocks[0].terms(0).uid().min(), 33);
  ASSERT_FALSE(ParseExpression("uid=nobody", "m", &blocks, &violations, users));
  EXPECT_EQ(violations[0].description, "there is no user 'nobody'");
  EXPECT_EQ(Faults("uid=www-data")[0].description, "uid is a number, not 'www-data'");
  // nice is never a name.
  ASSERT_FALSE(ParseExpression("nice=www-data", "m", &blocks, &violations, users));
}

TEST(ExpressionTest, FaultsHaveColumnAndHint) {
  struct Case {
    std::string text;
    int column;
    std::string description, hint;
  };
  const std::string long_path = "/" + std::string(4095, 'x');
  const Case cases[] = {
      {"", 1, "empty", "'all'"},
      {"  ", 1, "empty", "'all'"},
      {"comn=x", 1, "unknown key 'comn'", "did you mean 'comm'?"},
      {"Comm=x", 1, "unknown key 'Comm'", "did you mean 'comm'?"},
      {"foo=x", 1, "unknown key 'foo'", "supported keys are all, cgroup, comm, leader, uid, nice"},
      {"kthread and gid=0", 13, "'gid' is not supported yet", "supported keys are"},
      {"pid in 1..2", 1, "'pid' is not supported yet", ""},
      {"comm~x", 5, "regular expressions (~) are not supported yet", "glob"},
      {"comm=~x", 5, "regular expressions (~) are not supported yet", "glob"},
      {"comm", 5, "needs an operator and a value", "comm=nginx*"},
      {"comm nginx", 6, "needs an operator and a value", ""},
      {"comm=", 6, "a value is missing", ""},
      {"comm= and kthread", 6, "a value is missing before 'and'", "quotes"},
      {"comm==x", 6, "cannot begin with '='", "single '='"},
      {"comm<x", 5, "comm is text", ""},
      {"comm in a..b", 6, "comm is text", ""},
      {"comm=a*b", 7, "'*' can only be", "\\*"},
      {"comm=*a*b*", 8, "'*' can only be", "\\*"},
      {"comm=*", 6, "matches every task", "'all'"},
      {"cgroup=**", 8, "matches every task", "'all'"},
      {"comm=\"abc", 6, "not closed", ""},
      {"comm=\"a\"b", 9, "right after a closing quote", ""},
      {"comm=a\"b", 7, "a quote inside", "whole value"},
      {"comm=\"\\q\"", 7, "unknown escape", "escapes are"},
      {"comm=\"\\x00\"", 7, "two hexadecimal digits", ""},
      {"comm=\"\\xff\"", 7, "two hexadecimal digits", ""},
      {"comm=\"\\x4", 7, "two hexadecimal digits", ""},
      {"comm=\"\\", 7, "nothing follows", ""},
      {"comm=sixteen-bytes-xx", 6, "has 16 bytes, the kernel keeps only 15", "'sixteen-bytes-x'"},
      {"leader=*sixteen-bytes-xx", 8, "has 16 bytes, the kernel keeps only 15", "at most 15"},
      {"cgroup=web", 8, "does not begin with '/'", "/proc/PID/cgroup"},
      {"cgroup=web/*", 8, "does not begin with '/'", ""},
      {"cgroup=/web/", 8, "ends with '/'", "/a/*"},
      {"cgroup=//*", 8, "ends with '/'", ""},
      {"cgroup=" + long_path, 8, "has 4096 bytes, the limit is 4095", ""},
      {"uid=x", 5, "uid is a number", "id -u"},
      {"uid=1.5", 5, "uid is a number", ""},
      {"uid=-1", 5, "uid -1 is out of range 0..4294967295", ""},
      {"uid=4294967296", 5, "out of range", ""},
      {"uid=99999999999999999999", 5, "out of range", ""},
      {"nice=20", 6, "nice 20 is out of range -20..19", ""},
      {"nice<-20", 6, "no nice is below -20", ""},
      {"nice>19", 6, "no nice is above 19", ""},
      {"uid in 5", 8, "expected LO..HI", "uid in 0..999"},
      {"uid in 5..", 11, "uid is a number, not ''", ""},
      {"uid in 1..x", 11, "uid is a number, not 'x'", ""},
      {"uid in 9..5", 8, "9..5 is reversed", "smaller number first"},
      {"uid=1..5", 5, "a range needs 'in'", "uid in 1..5"},
      {"kthread=1", 8, "kthread takes no value", "'not kthread'"},
      {"all=1", 4, "all takes no value", ""},
      {"not not kthread", 5, "'not' twice", ""},
      {"not", 4, "missing after 'not'", ""},
      {"kthread and", 12, "missing after 'and'", ""},
      {"and kthread", 1, "missing at the start, found 'and'", ""},
      {"kthread or or uid=0", 12, "missing after 'or', found 'or'", ""},
      {"kthread uid=0", 9, "expected 'and' or 'or', found 'uid=0'", "join terms"},
      {"kthread && uid=0", 9, "expected 'and' or 'or', found '&&'", "write 'and'"},
      {"kthread AND uid=0", 9, "expected 'and' or 'or', found 'AND'", "write 'and'"},
      {"kthread || uid=0", 9, "expected 'and' or 'or', found '||'", "write 'or'"},
      {"kthread, uid=0", 8, "expected 'and' or 'or', found ','", "write 'and'"},
      {"!kthread", 1, "missing at the start, found '!kthread'", "write 'not'"},
      {"(kthread)", 1, "missing at the start", "no parentheses"},
      {"kthread)", 8, "expected 'and' or 'or'", "no parentheses"},
      {"comm=\xc3\xa9 and foo", 12, "unknown key 'foo'", ""},
      {"comm=\xff", 6, "not valid UTF-8", ""},
      {std::string("comm=a\0b", 8), 7, "control character", ""},
      {"comm=a\x01", 7, "control character", "\\xHH"},
  };
  for (const Case& c : cases) {
    const Violations faults = Faults(c.text);
    ASSERT_EQ(faults.size(), 1u) << c.text << ": " << ToString(faults[1]);
    EXPECT_EQ(faults[0].field, "m");
    EXPECT_EQ(faults[0].column, c.column) << ToString(faults[0]) << "\n  of " << c.text;
    EXPECT_NE(faults[0].description.find(c.description), std::string::npos)
        << ToString(faults[0]) << "\n  of " << c.text;
    EXPECT_NE(faults[0].hint.find(c.hint), std::string::npos)
        << ToString(faults[0]) << "\n  of " << c.text;
  }
}

TEST(ExpressionTest, AllFaultsAtOnce) {
  const Violations faults = Faults("comn=x and nice=99 or uid in 9..1 and comm=a*b and kthread=1");
  ASSERT_EQ(faults.size(), 5u);
  EXPECT_EQ(faults[0].column, 1);
  EXPECT_EQ(faults[1].column, 17);
  EXPECT_EQ(faults[2].column, 30);
  EXPECT_EQ(faults[3].column, 45);
  EXPECT_EQ(faults[4].column, 59);
}

TEST(ExpressionTest, LengthOfThreadNames) {
  EXPECT_EQ(Term("comm=fifteen-bytes-x").comm().value().size(), 15u);
  for (const std::string pattern : {"", "*"}) {
    Term("comm=" + std::string(15, 'x') + pattern);
    Faults("comm=" + std::string(16, 'x') + pattern);
    Faults("leader=" + std::string(17, 'x') + pattern);
    Faults("not comm=" + std::string(16, 'x') + pattern);
  }
  Term("cgroup=/" + std::string(4094, 'x'));
}

TEST(ExpressionTest, LongTexts) {
  std::string text = "kthread";
  while (text.size() + 12 < 65536) text += " and kthread";
  EXPECT_GT(Parse(text)[0].terms_size(), 5000);
  EXPECT_NE(Faults(text + std::string(65536, ' '))[0].description.find("65536"), std::string::npos);
}

TEST(ExpressionTest, CanonicalForms) {
  EXPECT_EQ(Canonical("  comm =  'nginx*'  and not  kthread or all"),
            "comm=nginx* and not kthread or all");
  EXPECT_EQ(Canonical("not comm=x"), "comm!=x");
  EXPECT_EQ(Canonical("not comm!=x"), "comm=x");
  EXPECT_EQ(Canonical("uid in 5..5"), "uid=5");
  EXPECT_EQ(Canonical("uid<5"), "uid<=4");
  EXPECT_EQ(Canonical("not uid>5"), "not uid>=6");
  EXPECT_EQ(Canonical("not nice in -5..5"), "not nice in -5..5");
  EXPECT_EQ(Canonical("comm=\"a b\""), "comm=\"a b\"");
  EXPECT_EQ(Canonical("comm=\"a\\x01\\n\""), "comm=\"a\\x01\\x0a\"");
  EXPECT_EQ(Canonical("cgroup=/a/*"), "cgroup=/a/*");
  EXPECT_EQ(Canonical("cgroup=/*"), "cgroup=/*");
  EXPECT_EQ(FormatTerm(v1::MatchTerm()), "?");
}

// Any term that CheckTerm lets pass.
v1::MatchTerm RandomTerm(std::mt19937* random) {
  const auto pick = [&](unsigned n) { return (*random)() % n; };
  static const std::vector<std::string> kPieces = {
      "a",    "b",        "/",   "*", " ",   "\"", "'",  "\\",   "=",
      "!",    "<",        ">",   "~", "and", "or", "..", "\t",   "\n",
      "\x7f", "\xc3\xa9", "x2d", "0", "-",   "(",  ")",  "\x01", "\xf0\x9f\x90\xa7"};
  while (true) {
    v1::MatchTerm term;
    term.set_negate(pick(2) == 0);
    const MatchKey& key = MatchKeys()[pick(MatchKeys().size())];
    SetBareKey(key, &term);
    if (v1::StringMatch* text = MutableStringOperand(key, &term)) {
      text->set_form(static_cast<v1::StringForm>(1 + pick(5)));
      std::string value = key.operand == MatchOperand::kPath && pick(2) == 0 ? "/" : "";
      for (unsigned n = pick(6); n > 0; --n) value += kPieces[pick(kPieces.size())];
      text->set_value(value);
    }
    if (v1::IntMatch* number = MutableIntOperand(key, &term)) {
      const auto value = [&] { return static_cast<int64_t>(pick(40)) - 20; };
      if (pick(3) > 0) number->set_min(value());
      if (pick(3) > 0) number->set_max(value());
    }
    Violations violations;
    CheckTerm(term, "m", 0, &violations);
    if (violations.empty()) return term;
  }
}

TEST(ExpressionTest, WhatIsPrintedReadsBackTheSame) {
  std::mt19937 random(3);
  for (int i = 0; i < 20000; ++i) {
    Blocks blocks;
    for (unsigned b = random() % 3 + 1; b > 0; --b) {
      v1::Match* block = blocks.Add();
      for (unsigned t = random() % 3 + 1; t > 0; --t) *block->add_terms() = RandomTerm(&random);
    }
    const std::string text = FormatMatches(blocks);
    const Blocks back = Parse(text);
    ASSERT_EQ(back.size(), blocks.size()) << text;
    for (int b = 0; b < blocks.size(); ++b) {
      ASSERT_TRUE(MessageDifferencer::Equals(blocks[b], back[b]))
          << text << "\n"
          << blocks[b].DebugString() << back[b].DebugString();
    }
    // Printing is a normal form.
    ASSERT_EQ(FormatMatches(back), text);
  }
}

TEST(ExpressionTest, AnyTextEitherParsesOrHasFaultsInside) {
  static const std::vector<std::string> kPieces = {
      "comm", "cgroup", "uid", "nice", "all", "kthread", "not",  "and", "or",       "in",
      "=",    "!=",     "<",   ">=",   "~",   "*",       "/a/*", "\"",  "'",        "\\",
      " ",    " ",      "1",   "..",   "-5",  "x",       "(",    "\n",  "\xc3\xa9", "\xff"};
  std::mt19937 random(11);
  int parsed = 0;
  for (int i = 0; i < 50000; ++i) {
    std::string text;
    for (unsigned n = random() % 8 + 1; n > 0; --n) text += kPieces[random() % kPieces.size()];
    Blocks blocks;
    Violations violations;
    const bool ok = ParseExpression(text, "m", &blocks, &violations);
    ASSERT_EQ(ok, violations.empty()) << text;
    ASSERT_EQ(ok, !blocks.empty()) << text;
    parsed += ok ? 1 : 0;
    for (const Violation& violation : violations) {
      ASSERT_GE(violation.column, 1) << text;
      ASSERT_LE(violation.column, static_cast<int>(text.size()) + 1) << text;
    }
    if (ok) {
      ASSERT_EQ(FormatMatches(Parse(FormatMatches(blocks))), FormatMatches(blocks)) << text;
    }
  }
  EXPECT_GT(parsed, 100);
}

}  // namespace
}  // namespace layered
