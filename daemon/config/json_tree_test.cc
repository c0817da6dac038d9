// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/json_tree.h"

#include <cstdint>
#include <limits>
#include <random>

#include "gtest/gtest.h"

namespace layered {
namespace {

JsonTree Tree(const std::string& text) {
  Violations violations;
  auto tree = ParseJson(text, &violations);
  EXPECT_TRUE(tree.has_value()) << text << ": " << ToString(violations.at(0));
  EXPECT_TRUE(violations.empty());
  return tree.value_or(JsonTree{});
}

// The only violation of a text that has one.
Violation Fault(const std::string& text) {
  Violations violations;
  const auto tree = ParseJson(text, &violations);
  EXPECT_FALSE(tree.has_value()) << text;
  EXPECT_EQ(violations.size(), 1u) << text;
  return violations.empty() ? Violation{} : violations[0];
}

TEST(JsonTreeTest, KindsAndValues) {
  const JsonTree tree = Tree(R"([null, true, false, 0, -1, 1.5, "x", [], {}, 1e2])");
  ASSERT_EQ(tree.root.kind, JsonKind::kArray);
  const auto& items = tree.root.items;
  ASSERT_EQ(items.size(), 10u);
  EXPECT_EQ(items[0].kind, JsonKind::kNull);
  EXPECT_TRUE(items[1].boolean);
  EXPECT_EQ(items[2].kind, JsonKind::kBool);
  EXPECT_FALSE(items[2].boolean);
  EXPECT_EQ(items[3].kind, JsonKind::kUint);
  EXPECT_EQ(items[4].kind, JsonKind::kInt);
  EXPECT_EQ(items[4].integer, -1);
  EXPECT_EQ(items[5].kind, JsonKind::kDouble);
  EXPECT_EQ(items[5].number, 1.5);
  EXPECT_EQ(items[6].string, "x");
  EXPECT_EQ(items[7].kind, JsonKind::kArray);
  EXPECT_EQ(items[8].kind, JsonKind::kObject);
  EXPECT_EQ(items[9].number, 100);
}

TEST(JsonTreeTest, NumbersAtTheLimitsAreExact) {
  const JsonTree tree =
      Tree("[18446744073709551615, -9223372036854775808, 18446744073709551616, 0.1]");
  EXPECT_EQ(tree.root.items[0].unsigned_integer, std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(tree.root.items[1].integer, std::numeric_limits<int64_t>::min());
  EXPECT_EQ(tree.root.items[2].kind, JsonKind::kDouble);
  EXPECT_EQ(tree.root.items[3].number, 0.1);
}

TEST(JsonTreeTest, EveryKeyAndValueKnowsItsPlace) {
  const JsonTree tree =
      Tree("{\n  \"a\" : 1,\n  \"b\":[2,\n   {\"c\" :\"\xc3\xa9\", \"d\":{}} ] ,\"e\":-3}");
  const auto& members = tree.root.members;
  ASSERT_EQ(members.size(), 3u);
  EXPECT_EQ(tree.root.position, (TextPosition{1, 1}));
  EXPECT_EQ(members[0].position, (TextPosition{2, 3}));
  EXPECT_EQ(members[0].value.position, (TextPosition{2, 9}));
  EXPECT_EQ(members[1].position, (TextPosition{3, 3}));
  EXPECT_EQ(members[1].value.position, (TextPosition{3, 7}));
  EXPECT_EQ(members[1].value.items[0].position, (TextPosition{3, 8}));
  const JsonNode& object = members[1].value.items[1];
  EXPECT_EQ(object.position, (TextPosition{4, 4}));
  EXPECT_EQ(object.members[0].position, (TextPosition{4, 5}));
  EXPECT_EQ(object.members[0].value.position, (TextPosition{4, 10}));
  EXPECT_EQ(object.members[1].position, (TextPosition{4, 15}));
  EXPECT_EQ(object.members[1].value.position, (TextPosition{4, 19}));
  EXPECT_EQ(members[2].position, (TextPosition{4, 26}));
  EXPECT_EQ(members[2].value.position, (TextPosition{4, 30}));
}

TEST(JsonTreeTest, DuplicatesAndOrderAreKept) {
  const JsonTree tree = Tree(R"({"b":1,"a":2,"b":3})");
  ASSERT_EQ(tree.root.members.size(), 3u);
  EXPECT_EQ(tree.root.members[0].key, "b");
  EXPECT_EQ(tree.root.members[2].key, "b");
  EXPECT_EQ(tree.root.members[2].value.unsigned_integer, 3u);
}

TEST(JsonTreeTest, PlacesInsideStrings) {
  const JsonTree tree = Tree("\n [\"a\xc3\xa9\\n\\u00e9\\ud83d\\udc27z\"]");
  const JsonNode& node = tree.root.items[0];
  EXPECT_EQ(node.string, "a\xc3\xa9\n\xc3\xa9\xf0\x9f\x90\xa7z");
  const int columns[] = {4, 5, 6, 8, 14, 26};
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(PositionInString(tree, node, i), (TextPosition{2, columns[i]})) << i;
  }
  // Beyond the end: the closing quote.
  EXPECT_EQ(PositionInString(tree, node, 100), (TextPosition{2, 27}));
}

TEST(JsonTreeTest, SyntaxFaultsHaveAPlaceAndAHint) {
  struct Case {
    std::string text;
    int line, column;
    std::string description, hint;
  };
  const Case cases[] = {
      {"{\"a\":1,}", 1, 8, "expected a key", "remove the comma"},
      {"[1,\n2,]", 2, 3, "expected a value", "remove the comma"},
      {"{a:1}", 1, 2, "expected a key", "double quotes"},
      {"{'a':1}", 1, 2, "expected a key", "double quotes"},
      {"{\"a\" 1}", 1, 6, "expected ':'", ""},
      {"{\"a\":1 \"b\":2}", 1, 8, "expected ',' or '}'", ""},
      {"[1 2]", 1, 4, "expected ',' or ']'", ""},
      {"[1", 1, 3, "ends too early", ""},
      {"{\"a\":", 1, 6, "ends too early", ""},
      {"{} x", 1, 4, "expected the end", ""},
      {"[NaN]", 1, 2, "expected a value", "finite"},
      {"[-Infinity]", 1, 2, "expected a value", "finite"},
      {"[Infinity]", 1, 2, "expected a value", "finite"},
      {"[1e999]", 1, 2, "too large", ""},
      {"[tru]", 1, 2, "expected a value", ""},
      {"[1, // one\n2]", 1, 5, "expected a value", "no comments"},
      {"# x\n{}", 1, 1, "expected a value", "no comments"},
      {"[\"abc", 1, 2, "no closing quote", ""},
      {"[\"\\q\"]", 1, 3, "unknown escape", ""},
      {"[\"\\ud800\"]", 1, 3, "surrogate", ""},
      {"[\"\\uzzzz\"]", 1, 3, "four hexadecimal", ""},
      {"[\"a\xff\"]", 1, 4, "not valid UTF-8", ""},
      {"[\"\xc0\x80\"]", 1, 3, "not valid UTF-8", ""},
      {"\xff\xfe{}", 1, 1, "expected a value", ""},
      {"[01]", 1, 3, "expected ',' or ']'", ""},
      {"\xef\xbb\xbf{}", 1, 1, "byte order mark", "UTF-8"},
      {std::string("{}\0{}", 5), 1, 3, "NUL byte", ""},
  };
  for (const Case& c : cases) {
    const Violation fault = Fault(c.text);
    EXPECT_NE(fault.description.find(c.description), std::string::npos)
        << c.text << ": " << ToString(fault);
    EXPECT_NE(fault.hint.find(c.hint), std::string::npos) << c.text << ": " << ToString(fault);
    EXPECT_EQ(fault.line, c.line) << c.text << ": " << ToString(fault);
    EXPECT_EQ(fault.column, c.column) << c.text << ": " << ToString(fault);
  }
}

TEST(JsonTreeTest, EmptyTexts) {
  for (const char* text : {"", " ", "\n\t\r\n"}) {
    EXPECT_EQ(Fault(text).description, "the text is empty");
  }
}

TEST(JsonTreeTest, NulInStringsIsReportedAndTheRestIsRead) {
  Violations violations;
  const auto tree = ParseJson("{\"a\\u0000\":\n \"b\\u0000c\", \"d\": 1}", &violations);
  ASSERT_TRUE(tree.has_value());
  EXPECT_EQ(tree->root.members.size(), 2u);
  ASSERT_EQ(violations.size(), 2u);
  EXPECT_NE(violations[0].description.find("NUL"), std::string::npos);
  EXPECT_EQ(violations[1].line, 2);
  EXPECT_EQ(violations[1].column, 2);
}

TEST(JsonTreeTest, Limits) {
  EXPECT_NE(Fault(std::string(kMaxJsonBytes + 1, '[')).description.find("1048576"),
            std::string::npos);
  Tree(std::string(kMaxJsonDepth, '[') + std::string(kMaxJsonDepth, ']'));
  const Violation deep = Fault(std::string(kMaxJsonDepth + 1, '['));
  EXPECT_NE(deep.description.find("32 deep"), std::string::npos);
  EXPECT_EQ(deep.column, static_cast<int>(kMaxJsonDepth) + 1);
  EXPECT_NE(Fault(std::string(kMaxJsonBytes, '[')).description.find("deep"), std::string::npos);

  std::string many = "[1";
  for (size_t i = 2; i < kMaxJsonNodes; ++i) many += ",1";
  Tree(many + "]");
  EXPECT_NE(Fault(many + ",1]").description.find("100000 values"), std::string::npos);
}

TEST(JsonTreeTest, AnyTextEitherGivesATreeOrOneFaultWithAPlace) {
  const std::string seed =
      R"({"layers":[{"name":"w\u00e9b","weight":1.5e2,"match":["all"]},null]})";
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    std::string text = seed;
    for (unsigned n = random() % 4 + 1; n > 0; --n) {
      const size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, random() % 5);
          break;
        default:
          text.insert(at, 1, "{}[]\",:\\0e-."[random() % 12]);
      }
      if (text.empty()) text = " ";
    }
    Violations violations;
    const auto tree = ParseJson(text, &violations);
    if (!tree.has_value()) {
      ASSERT_EQ(violations.size(), 1u) << text;
      ASSERT_TRUE(violations[0].line > 0 || violations[0].description == "the text is empty");
    }
    for (const Violation& violation : violations) {
      ASSERT_LE(violation.column, static_cast<int>(text.size()) + 1);
    }
  }
}

}  // namespace
}  // namespace layered
