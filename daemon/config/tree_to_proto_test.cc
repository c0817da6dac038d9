// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/tree_to_proto.h"

#include <string>
#include <vector>

#include "daemon/config/duration.h"
#include "gtest/gtest.h"
#include "layered/v1/errors.pb.h"
#include "layered/v1/layer.pb.h"
#include "layered/v1/layer_service.pb.h"
#include "layered/v1/scheduler_service.pb.h"
#include "layered/v1/stats_service.pb.h"

namespace layered {
namespace {

// Fills `message` from `text` and gives what was wrong.
Violations Walk(const std::string& text, google::protobuf::Message* message,
                TreeMap* map = nullptr) {
  Violations violations;
  const auto tree = ParseJson(text, &violations);
  EXPECT_TRUE(tree.has_value()) << text;
  if (!tree.has_value()) return violations;
  const bool ok = TreeToProto(*tree, message, &violations, map);
  EXPECT_EQ(ok, violations.empty());
  return violations;
}

template <typename T>
T Good(const std::string& text) {
  T message;
  const Violations violations = Walk(text, &message);
  EXPECT_TRUE(violations.empty()) << text << ": " << ToString(violations.at(0));
  return message;
}

template <typename T>
Violation Fault(const std::string& text) {
  T message;
  const Violations violations = Walk(text, &message);
  EXPECT_EQ(violations.size(), 1u) << text;
  return violations.empty() ? Violation{} : violations[0];
}

TEST(TreeToProtoTest, ALayer) {
  const auto layer = Good<v1::Layer>(
      R"({"name":"web","kind":"open","match":["comm=a or kthread","uid=0"],"weight":300,
          "slice":"1.5ms"})");
  EXPECT_EQ(layer.name(), "web");
  EXPECT_EQ(layer.kind(), v1::LAYER_KIND_OPEN);
  EXPECT_EQ(layer.match_size(), 3);
  EXPECT_EQ(layer.weight(), 300u);
  EXPECT_EQ(DurationToNs(layer.slice()).value(), 1'500'000);
}

TEST(TreeToProtoTest, AbsentStaysAbsent) {
  const auto layer = Good<v1::Layer>("{}");
  EXPECT_FALSE(layer.has_weight());
  EXPECT_FALSE(layer.has_slice());
  EXPECT_TRUE(Good<v1::Layer>(R"({"weight":0})").has_weight());
}

TEST(TreeToProtoTest, TypedMatches) {
  const auto layer = Good<v1::Layer>(
      R"({"match":[{"terms":[{"negate":true,"comm":{"form":"prefix","value":"ng"}},
                             {"uid":{"min":1,"max":-2}},{"kthread":{}}]}, "all"]})");
  ASSERT_EQ(layer.match_size(), 2);
  EXPECT_TRUE(layer.match(0).terms(0).negate());
  EXPECT_EQ(layer.match(0).terms(0).comm().form(), v1::STRING_FORM_PREFIX);
  EXPECT_EQ(layer.match(0).terms(1).uid().max(), -2);
  EXPECT_TRUE(layer.match(0).terms(2).has_kthread());
  EXPECT_TRUE(layer.match(1).terms(0).has_all());
}

TEST(TreeToProtoTest, KeysAndEnumsInBothSpellings) {
  const auto request = Good<v1::SetLayerRequest>(
      R"({"layer":{"name":"a","kind":"LAYER_KIND_OPEN"},"updateMask":"kind,weight","before":"b"})");
  EXPECT_EQ(request.layer().kind(), v1::LAYER_KIND_OPEN);
  ASSERT_EQ(request.update_mask().paths_size(), 2);
  EXPECT_EQ(request.update_mask().paths(1), "weight");
  EXPECT_EQ(request.before(), "b");
  EXPECT_EQ(Good<v1::SetLayerRequest>(R"({"update_mask":""})").update_mask().paths_size(), 0);
}

TEST(TreeToProtoTest, OtherMessages) {
  const auto sample = Good<v1::WatchResponse>(
      R"({"time_ns":18446744073709551615,"first":true,"revision":"7",
          "layers":[{"name":"a","slot":3},{"cpuNs":5}]})");
  EXPECT_EQ(sample.time_ns(), 18446744073709551615u);
  EXPECT_TRUE(sample.first());
  EXPECT_EQ(sample.revision(), 7u);
  EXPECT_EQ(sample.layers(1).cpu_ns(), 5u);
  EXPECT_EQ(Good<v1::WatchResponse>(R"({"revision":8})").revision(), 8u);
  const auto status = Good<v1::GetStatusResponse>(
      R"({"state":"running","missing_hooks":["a","b"],"last_exit":{"code":-5}})");
  EXPECT_EQ(status.state(), v1::SCHEDULER_STATE_RUNNING);
  EXPECT_EQ(status.missing_hooks(1), "b");
  EXPECT_EQ(status.last_exit().code(), -5);
  const auto info = Good<v1::ErrorInfo>(R"({"metadata":{"a":"1","b":"2"}})");
  EXPECT_EQ(info.metadata().at("b"), "2");
}

TEST(TreeToProtoTest, WholeNumbersMayBeWrittenAsDecimals) {
  EXPECT_EQ(Good<v1::Layer>(R"({"weight":1e2})").weight(), 100u);
  EXPECT_EQ(Good<v1::Layer>(R"({"weight":5.0})").weight(), 5u);
  EXPECT_EQ(Good<v1::ExitInfo>(R"({"code":-9223372036854775808})").code(), INT64_MIN);
}

TEST(TreeToProtoTest, EveryFaultOfOneValue) {
  struct Case {
    std::string text, field, description, hint;
    int column;
  };
  const Case cases[] = {
      {R"({"wieght":1})", "wieght", "unknown key", "did you mean 'weight'?", 2},
      {R"({"cpus":1})", "cpus", "unknown key", "keys are name, kind, match, weight, slice", 2},
      {R"({"a b\n":1})", "'a b\\x0a'", "unknown key", "", 2},
      {R"({"weight":1,"weight":2})", "weight", "given twice", "", 13},
      {R"({"x":1,"x":2,"weight":1})", "x", "", "", 2},
      {R"({"weight":"1"})", "weight", "expected a whole number, found a string", "without quotes",
       11},
      {R"({"weight":1.5})", "weight", "expected a whole number, found '1.5'", "", 11},
      {R"({"weight":-1})", "weight", "'-1' is out of range 0..4294967295", "", 11},
      {R"({"weight":4294967296})", "weight", "'4294967296' is out of range", "", 11},
      {R"({"weight":1e300})", "weight", "'1e300' is out of range", "", 11},
      {R"({"weight":null})", "weight", "found null", "leave the key out", 11},
      {R"({"weight":true})", "weight", "found a boolean", "", 11},
      {R"({"weight":[1]})", "weight", "found an array", "", 11},
      {R"({"name":5})", "name", "expected a string, found a number", "in quotes", 9},
      {R"({"kind":"confined"})", "kind", "'confined' is not one of open", "", 9},
      {R"({"kind":"opn"})", "kind", "'opn' is not one of open", "did you mean 'open'?", 9},
      {R"({"kind":"unspecified"})", "kind", "is not one of open", "", 9},
      {R"({"kind":1})", "kind", "expected one of open, found a number", "", 9},
      {R"({"slice":5})", "slice", "expected a duration, found a number", "\"5ms\"", 10},
      {R"({"slice":"5"})", "slice", "'5' is not a duration: the unit is missing", "", 10},
      {R"({"slice":{"seconds":1}})", "slice", "expected a duration, found an object", "", 10},
      {R"({"match":"all"})", "match", "expected an array, found a string", "square brackets", 10},
      {R"({"match":[5]})", "match[0]", "expected an object, found a number", "", 11},
      {R"({"match":["all",[]]})", "match[1]", "expected an object, found an array", "", 17},
      {R"({"match":["comn=x"]})", "match[0]", "unknown key 'comn'", "'comm'", 12},
      {R"({"match":["comm=x or comn=x"]})", "match[0]", "unknown key 'comn'", "", 22},
      {R"({"match":["comm=\"\u00e9\" or comn=x"]})", "match[0]", "unknown key 'comn'", "", 31},
      {R"({"match":[{"terms":[{"nice":{"mni":1}}]}]})", "match[0].terms[0].nice.mni", "unknown key",
       "did you mean 'min'?", 30},
      {R"({"match":[{"terms":[{"all":{},"kthread":{}}]}]})", "match[0].terms[0].kthread",
       "'kthread' cannot be given together with 'all'", "", 31},
      {R"({"match":[{"terms":[{"all":{"x":1}}]}]})", "match[0].terms[0].all.x", "unknown key",
       "no keys here", 29},
  };
  for (const Case& c : cases) {
    v1::Layer layer;
    const Violations violations = Walk(c.text, &layer);
    ASSERT_FALSE(violations.empty()) << c.text;
    const Violation& fault = violations[0];
    EXPECT_EQ(fault.field, c.field) << c.text;
    EXPECT_NE(fault.description.find(c.description), std::string::npos) << ToString(fault);
    EXPECT_NE(fault.hint.find(c.hint), std::string::npos) << ToString(fault);
    EXPECT_EQ(fault.line, 1);
    EXPECT_EQ(fault.column, c.column) << c.text << "\n" << ToString(fault);
  }
}

TEST(TreeToProtoTest, DuplicateInTheOtherSpelling) {
  const Violation fault =
      Fault<v1::SetLayerRequest>(R"({"update_mask":"kind","updateMask":"kind"})");
  EXPECT_EQ(fault.field, "update_mask");
  EXPECT_NE(fault.description.find("'updateMask' is given twice"), std::string::npos);
}

TEST(TreeToProtoTest, RootOfTheWrongType) {
  EXPECT_EQ(Fault<v1::Layer>("[]").description, "expected an object, found an array");
  EXPECT_EQ(Fault<v1::Layer>("5").field, "");
}

TEST(TreeToProtoTest, NumbersInStringsOnlyWhereWePrintThem) {
  EXPECT_EQ(Fault<v1::WatchResponse>(R"({"revision":"x"})").field, "revision");
  EXPECT_EQ(Fault<v1::WatchResponse>(R"({"revision":"-1"})").field, "revision");
  EXPECT_EQ(Fault<v1::WatchResponse>(R"({"time_ns":"1"})").hint, "write it without quotes");
}

TEST(TreeToProtoTest, WhatCannotBeGiven) {
  EXPECT_NE(Fault<v1::Status>(R"({"details":[{"value":"eA=="}]})").description.find("cannot"),
            std::string::npos);
  EXPECT_EQ(Fault<v1::ErrorInfo>(R"({"metadata":{"a":"1","a":"2"}})").field, "metadata['a']");
  EXPECT_EQ(Fault<v1::ErrorInfo>(R"({"metadata":{"a":1}})").field, "metadata['a']");
}

TEST(TreeToProtoTest, AllFaultsAtOnceInTheOrderOfTheText) {
  v1::LayerSet set;
  const Violations violations = Walk(R"({"layers":[
    {"nmae":"a","weight":-1,"match":["comn=x and nice=99"]},
    5,
    {"name":"c","kind":"x","slice":5,"weight":7}
  ],"lyers":[]})",
                                     &set);
  std::vector<std::string> fields;
  std::vector<int> lines;
  for (const Violation& violation : violations) {
    fields.push_back(violation.field);
    lines.push_back(violation.line);
  }
  EXPECT_EQ(fields,
            (std::vector<std::string>{"layers[0].nmae", "layers[0].weight", "layers[0].match[0]",
                                      "layers[0].match[0]", "layers[1]", "layers[2].kind",
                                      "layers[2].slice", "lyers"}));
  EXPECT_EQ(lines, (std::vector<int>{2, 2, 2, 2, 3, 4, 4, 5}));
  // What is right is there, and indices are those of the text.
  ASSERT_EQ(set.layers_size(), 3);
  EXPECT_EQ(set.layers(2).weight(), 7u);
}

TEST(TreeToProtoTest, MapTellsWhereThingsCameFrom) {
  v1::LayerSet set;
  TreeMap map;
  Walk(
      "{\"layers\":[\n {\"name\":\"a\",\n  \"match\":[\"all or kthread\",\n  \"uid=0\", 5],"
      "\n  \"wieght\":1}]}",
      &set, &map);
  EXPECT_EQ(FindPosition(map, "layers[0].name"), (TextPosition{2, 10}));
  EXPECT_EQ(FindPosition(map, "layers[0].match[0].terms[0]"), (TextPosition{3, 12}));
  EXPECT_EQ(FindPosition(map, "layers[0].match[1]"), (TextPosition{3, 12}));
  EXPECT_EQ(FindPosition(map, "layers[0].match[2]"), (TextPosition{4, 3}));
  EXPECT_EQ(FindPosition(map, "layers[0].slice"), (TextPosition{2, 2}));
  EXPECT_EQ(FindPosition(map, "nothing"), (TextPosition{1, 1}));
  EXPECT_TRUE(map.faulty.Covers("layers[0].match[3].terms"));
  EXPECT_TRUE(map.faulty.Covers("layers[0].weight"));
  EXPECT_FALSE(map.faulty.Covers("layers[0].name"));
}

}  // namespace
}  // namespace layered
