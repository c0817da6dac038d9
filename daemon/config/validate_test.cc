// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/validate.h"

#include <functional>
#include <string>
#include <vector>

#include "daemon/config/duration.h"
#include "daemon/config/expression.h"
#include "gtest/gtest.h"

namespace layered {
namespace {

v1::Layer MakeLayer(const std::string& name, const std::vector<std::string>& matches) {
  v1::Layer layer;
  layer.set_name(name);
  Violations violations;
  for (const std::string& match : matches) {
    EXPECT_TRUE(ParseExpression(match, "m", layer.mutable_match(), &violations)) << match;
  }
  return layer;
}

v1::LayerSet MakeSet(const std::vector<v1::Layer>& layers) {
  v1::LayerSet set;
  for (const v1::Layer& layer : layers) *set.add_layers() = layer;
  *set.add_layers() = MakeLayer("default", {"all"});
  return set;
}

// The only violation of a set whose first layer is `layer`.
Violation Fault(const v1::Layer& layer) {
  const Violations violations = ValidateLayerSet(MakeSet({layer}));
  EXPECT_EQ(violations.size(), 1u) << layer.DebugString();
  for (size_t i = 1; i < violations.size(); ++i) ADD_FAILURE() << ToString(violations[i]);
  return violations.empty() ? Violation{} : violations[0];
}

std::vector<std::string> Fields(const Violations& violations) {
  std::vector<std::string> fields;
  for (const Violation& violation : violations) fields.push_back(violation.field);
  return fields;
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ValidateTest, GoodSets) {
  EXPECT_TRUE(ValidateLayerSet(MakeSet({})).empty());
  v1::Layer web = MakeLayer("web", {"cgroup=/web/* and not kthread", "comm=nginx*"});
  web.set_kind(v1::LAYER_KIND_OPEN);
  web.set_weight(10000);
  *web.mutable_slice() = NsToDuration(500'000);
  v1::Layer batch = MakeLayer("b\xc3\xa4tch \"1\" {} \xf0\x9f\x90\xa7", {"uid>=1000"});
  batch.set_weight(1);
  *batch.mutable_slice() = NsToDuration(100'000'000);
  EXPECT_TRUE(ValidateLayerSet(MakeSet({web, batch})).empty());
}

TEST(ValidateTest, NoLayers) {
  const Violations violations = ValidateLayerSet({});
  EXPECT_EQ(Fields(violations), std::vector<std::string>{"layers"});
}

TEST(ValidateTest, Names) {
  const auto name = [](const std::string& text) { return Fault(MakeLayer(text, {"uid=0"})); };
  EXPECT_TRUE(Has(name("").description, "missing"));
  EXPECT_EQ(name("").field, "layers[0].name");
  EXPECT_TRUE(Has(name(std::string(64, 'x')).description, "has 64 bytes, the limit is 63"));
  EXPECT_TRUE(ValidateLayerSet(MakeSet({MakeLayer(std::string(63, 'x'), {"uid=0"})})).empty());
  // Cut inside a character.
  EXPECT_TRUE(Has(name(std::string(62, 'x') + "\xc3").description, "not valid UTF-8"));
  EXPECT_TRUE(Has(name("a\nb").description, "control character"));
  EXPECT_TRUE(Has(name(std::string("a\0b", 3)).description, "control character"));
  EXPECT_TRUE(Has(name("a\xc2\x85"
                       "b")
                      .description,
                  "control character"));
  EXPECT_TRUE(Has(name(" a").description, "space"));
  EXPECT_TRUE(Has(name("a ").description, "space"));
  EXPECT_TRUE(Has(name("a\xc2\xa0").description, "space"));
  EXPECT_TRUE(ValidateLayerSet(MakeSet({MakeLayer("a b", {"uid=0"})})).empty());

  const Violations twice = ValidateLayerSet(
      MakeSet({MakeLayer("a", {"uid=0"}), MakeLayer("a", {"uid=1"}), MakeLayer("a", {"uid=2"})}));
  EXPECT_EQ(Fields(twice), (std::vector<std::string>{"layers[1].name", "layers[2].name"}));
  EXPECT_TRUE(Has(twice[1].description, "'a' is already the name of layers[0]"));
}

TEST(ValidateTest, Weights) {
  for (const uint32_t weight : {0u, 10001u, 4294967295u}) {
    v1::Layer layer = MakeLayer("a", {"uid=0"});
    layer.set_weight(weight);
    const Violation fault = Fault(layer);
    EXPECT_EQ(fault.field, "layers[0].weight");
    EXPECT_EQ(fault.description, std::to_string(weight) + " is out of range 1..10000");
  }
}

TEST(ValidateTest, Slices) {
  for (const int64_t ns : {int64_t{0}, int64_t{499'999}, int64_t{100'000'001}, int64_t{-5}}) {
    v1::Layer layer = MakeLayer("a", {"uid=0"});
    *layer.mutable_slice() = NsToDuration(ns);
    const Violation fault = Fault(layer);
    EXPECT_EQ(fault.field, "layers[0].slice");
    EXPECT_EQ(fault.description, FormatDuration(ns) + " is out of range 500us..100ms");
  }
  v1::Layer layer = MakeLayer("a", {"uid=0"});
  layer.mutable_slice()->set_seconds(1);
  layer.mutable_slice()->set_nanos(-1);
  EXPECT_TRUE(Has(Fault(layer).description, "signs"));
}

TEST(ValidateTest, Kinds) {
  v1::Layer layer = MakeLayer("a", {"uid=0"});
  layer.set_kind(static_cast<v1::LayerKind>(77));
  EXPECT_EQ(Fault(layer).description, "there is no kind 77");
}

TEST(ValidateTest, BlocksAndTerms) {
  EXPECT_EQ(Fault(MakeLayer("a", {})).field, "layers[0].match");

  v1::Layer layer = MakeLayer("a", {"uid=0"});
  layer.add_match();
  EXPECT_EQ(Fault(layer).field, "layers[0].match[1]");

  layer = MakeLayer("a", {"uid=0"});
  layer.mutable_match(0)->add_terms();
  EXPECT_EQ(Fault(layer).field, "layers[0].match[0].terms[1]");
  EXPECT_TRUE(Has(Fault(layer).description, "tests nothing"));
}

// What the expression parser would refuse can come typed over the API.
TEST(ValidateTest, TypedTerms) {
  const auto fault = [](const std::function<void(v1::MatchTerm*)>& fill) {
    v1::Layer layer = MakeLayer("a", {});
    fill(layer.add_match()->add_terms());
    const Violation violation = Fault(layer);
    EXPECT_EQ(violation.field, "layers[0].match[0].terms[0]");
    return violation.description;
  };
  const auto text = [&](v1::StringForm form, const std::string& value) {
    return fault([&](v1::MatchTerm* term) {
      term->mutable_cgroup()->set_form(form);
      term->mutable_cgroup()->set_value(value);
    });
  };
  EXPECT_TRUE(Has(text(v1::STRING_FORM_UNSPECIFIED, "/a"), "form"));
  EXPECT_TRUE(Has(text(static_cast<v1::StringForm>(9), "/a"), "form"));
  EXPECT_TRUE(Has(text(v1::STRING_FORM_PREFIX, ""), "every task"));
  EXPECT_TRUE(Has(text(v1::STRING_FORM_EXACT, ""), "begin with '/'"));
  EXPECT_TRUE(Has(text(v1::STRING_FORM_EXACT, "a"), "begin with '/'"));
  EXPECT_TRUE(Has(text(v1::STRING_FORM_EXACT, "/a/"), "ends with '/'"));
  EXPECT_TRUE(Has(text(v1::STRING_FORM_SUBTREE, "/"), "ends with '/'"));
  EXPECT_TRUE(Has(text(v1::STRING_FORM_EXACT, "/\xff"), "UTF-8"));
  EXPECT_TRUE(Has(text(v1::STRING_FORM_EXACT, std::string("/a\0", 3)), "NUL"));
  EXPECT_TRUE(Has(text(v1::STRING_FORM_SUFFIX, std::string(4096, 'x')), "limit is 4095"));
  EXPECT_TRUE(Has(
      fault([](v1::MatchTerm* term) { term->mutable_comm()->set_form(v1::STRING_FORM_SUBTREE); }),
      "for cgroup paths"));
  EXPECT_TRUE(Has(fault([](v1::MatchTerm* term) {
                    term->mutable_leader()->set_form(v1::STRING_FORM_CONTAINS);
                    term->mutable_leader()->set_value(std::string(16, 'x'));
                  }),
                  "only 15"));
  EXPECT_TRUE(Has(fault([](v1::MatchTerm* term) { term->mutable_uid(); }), "every task"));
  EXPECT_TRUE(Has(fault([](v1::MatchTerm* term) { term->mutable_uid()->set_min(-1); }),
                  "uid -1 is out of range"));
  EXPECT_TRUE(Has(fault([](v1::MatchTerm* term) { term->mutable_nice()->set_max(20); }),
                  "nice 20 is out of range -20..19"));
  EXPECT_TRUE(Has(fault([](v1::MatchTerm* term) {
                    term->mutable_nice()->set_min(5);
                    term->mutable_nice()->set_max(1);
                  }),
                  "5..1 is reversed"));
}

TEST(ValidateTest, CatchAll) {
  v1::LayerSet none;
  *none.add_layers() = MakeLayer("a", {"uid=0"});
  EXPECT_EQ(Fields(ValidateLayerSet(none)), std::vector<std::string>{"layers"});

  const Violations two =
      ValidateLayerSet(MakeSet({MakeLayer("first", {"all"}), MakeLayer("b", {"uid=0"})}));
  EXPECT_EQ(Fields(two), std::vector<std::string>{"layers[0].match"});
  EXPECT_TRUE(Has(two[0].description, "layers[2] ('default')"));

  v1::LayerSet middle = MakeSet({});
  *middle.add_layers() = MakeLayer("late", {"uid=0"});
  *middle.add_layers() = MakeLayer("later", {"uid=1"});
  const Violations not_last = ValidateLayerSet(middle);
  EXPECT_EQ(Fields(not_last), std::vector<std::string>{"layers[0].match"});
  EXPECT_TRUE(Has(not_last[0].description, "the 2 behind it"));
}

TEST(ValidateTest, AllOnlyAlone) {
  EXPECT_EQ(Fault(MakeLayer("a", {"uid=0", "all"})).field, "layers[0].match[1].terms[0]");
  EXPECT_EQ(Fault(MakeLayer("a", {"uid=0 and all"})).field, "layers[0].match[0].terms[1]");
  EXPECT_TRUE(Has(Fault(MakeLayer("a", {"not all"})).description, "matches no task"));
  EXPECT_FALSE(IsCatchAll(MakeLayer("a", {"not all"})));
  EXPECT_FALSE(IsCatchAll(MakeLayer("a", {"all", "all"})));
  EXPECT_TRUE(IsCatchAll(MakeLayer("a", {"all"})));
}

TEST(ValidateTest, LimitOfLayers) {
  std::vector<v1::Layer> layers;
  for (int i = 0; i < 63; ++i) layers.push_back(MakeLayer("l" + std::to_string(i), {"uid=0"}));
  EXPECT_TRUE(ValidateLayerSet(MakeSet(layers)).empty());
  layers.push_back(MakeLayer("more", {"uid=0"}));
  const Violations violations = ValidateLayerSet(MakeSet(layers));
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(ToString(violations[0]), "layers: 65 layers, the limit is 64");
}

TEST(ValidateTest, LimitsOfBlocks) {
  const std::vector<std::string> blocks(64, "uid=0");
  std::vector<v1::Layer> layers;
  for (int i = 0; i < 15; ++i) layers.push_back(MakeLayer("l" + std::to_string(i), blocks));
  layers.push_back(MakeLayer("l", std::vector<std::string>(63, "uid=0")));
  EXPECT_TRUE(ValidateLayerSet(MakeSet(layers)).empty());  // 1024 with the catch-all

  layers.push_back(MakeLayer("one", {"uid=0"}));
  const Violations total = ValidateLayerSet(MakeSet(layers));
  ASSERT_EQ(total.size(), 1u);
  EXPECT_TRUE(Has(ToString(total[0]), "layers: 1025 match blocks"));

  const Violation own = Fault(MakeLayer("a", std::vector<std::string>(65, "uid=0")));
  EXPECT_EQ(own.field, "layers[0].match");
  EXPECT_TRUE(Has(own.description, "65 blocks, the limit of a layer is 64"));
}

TEST(ValidateTest, LimitOfPredicatesCountsDistinctOnes) {
  std::string expression = "uid=0 and uid!=0 and uid<=0";
  for (int i = 1; i < 256; ++i) expression += " and not uid=" + std::to_string(i);
  EXPECT_TRUE(
      ValidateLayerSet(MakeSet({MakeLayer("a", {expression}), MakeLayer("b", {expression})}))
          .empty());
  const Violation fault = Fault(MakeLayer("a", {expression + " and kthread"}));
  EXPECT_EQ(fault.field, "layers");
  EXPECT_TRUE(Has(fault.description, "257 different tests in all layers, the limit is 256"));
}

TEST(ValidateTest, LimitOfThePool) {
  std::vector<std::string> matches;
  // 32 x 4095 = 131040: fits; 4 bytes per pattern number, the rest filler.
  for (int i = 100; i < 132; ++i) {
    matches.push_back("cgroup=/" + std::to_string(i) + std::string(4091, 'x'));
  }
  EXPECT_TRUE(
      ValidateLayerSet(MakeSet({MakeLayer("a", matches), MakeLayer("b", matches)})).empty());
  matches.push_back("cgroup=/" + std::string(32, 'y'));
  const Violation fault = Fault(MakeLayer("a", matches));
  EXPECT_EQ(fault.field, "layers");
  EXPECT_TRUE(Has(fault.description, "131073 bytes, the limit is 131072"));
}

TEST(ValidateTest, AllFaultsAtOnce) {
  v1::Layer bad = MakeLayer("", {"uid=0 and all"});
  bad.set_weight(0);
  *bad.mutable_slice() = NsToDuration(1);
  EXPECT_EQ(Fields(ValidateLayerSet(MakeSet({bad, MakeLayer("default", {})}))),
            (std::vector<std::string>{"layers[0].name", "layers[0].weight", "layers[0].slice",
                                      "layers[0].match[0].terms[1]", "layers[1].match",
                                      "layers[2].name"}));
}

TEST(ValidateTest, KnownFaultsAreNotToldAgain) {
  PathSet faulty;
  faulty.Add("layers[0].name");
  faulty.Add("layers[1].match[0]");
  v1::LayerSet set;
  *set.add_layers() = MakeLayer("", {"uid=0"});
  set.add_layers()->set_name("b");
  set.mutable_layers(1)->add_match();  // faulty, so empty
  EXPECT_TRUE(ValidateLayerSet(set, faulty).empty());
  // An unrelated fault is still told.
  set.mutable_layers(0)->set_weight(0);
  EXPECT_EQ(Fields(ValidateLayerSet(set, faulty)), std::vector<std::string>{"layers[0].weight"});
}

TEST(ValidateTest, ManyFaultsAreBounded) {
  v1::LayerSet set;
  for (int i = 0; i < 100000; ++i) set.add_layers();
  EXPECT_LT(ValidateLayerSet(set).size(), 2000u);
}

TEST(ValidateTest, Defaults) {
  v1::Layer layer = MakeLayer("a", {"uid=0"});
  EXPECT_EQ(EffectiveWeight(layer), 100u);
  EXPECT_EQ(EffectiveSliceNs(layer), 5'000'000);
  EXPECT_EQ(EffectiveKind(layer), v1::LAYER_KIND_OPEN);
  const v1::LayerSet full = WithDefaults(MakeSet({layer}));
  ASSERT_EQ(full.layers_size(), 2);
  EXPECT_EQ(full.layers(0).weight(), 100u);
  EXPECT_EQ(DurationToNs(full.layers(0).slice()).value(), 5'000'000);
  EXPECT_EQ(full.layers(0).kind(), v1::LAYER_KIND_OPEN);
  EXPECT_EQ(full.layers(1).name(), "default");
  EXPECT_TRUE(ValidateLayerSet(full).empty());

  layer.set_weight(7);
  *layer.mutable_slice() = NsToDuration(1'000'000);
  EXPECT_EQ(WithDefaults(layer).weight(), 7u);
  EXPECT_EQ(EffectiveSliceNs(WithDefaults(layer)), 1'000'000);
}

}  // namespace
}  // namespace layered
