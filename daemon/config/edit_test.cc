// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/edit.h"

#include <string>
#include <vector>

#include "daemon/config/duration.h"
#include "daemon/config/expression.h"
#include "daemon/config/load.h"
#include "daemon/config/validate.h"
#include "daemon/config/violation.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"

namespace layered {
namespace {

using google::protobuf::util::MessageDifferencer;

// a, b, c and the catch-all "default".
v1::LayerSet Current() {
  return ParseLayerSet(R"({"layers":[
      {"name":"a","match":["comm=a"],"weight":200},
      {"name":"b","match":["comm=b"],"slice":"2ms"},
      {"name":"c","match":["comm=c or uid=7"]},
      {"name":"default","match":["all"]}]})")
      .value();
}

v1::SetLayerRequest Set(const std::string& name, const std::string& match = "") {
  v1::SetLayerRequest request;
  request.mutable_layer()->set_name(name);
  Violations violations;
  if (!match.empty()) {
    EXPECT_TRUE(ParseExpression(match, "m", request.mutable_layer()->mutable_match(), &violations));
  }
  return request;
}

v1::SetLayerRequest Weight(const std::string& name, uint32_t weight) {
  v1::SetLayerRequest request = Set(name);
  request.mutable_layer()->set_weight(weight);
  return request;
}

EditResult Good(const v1::SetLayerRequest& request) {
  const auto result = ApplySet(Current(), request);
  EXPECT_TRUE(result.ok()) << result.status();
  if (!result.ok()) return {};
  EXPECT_TRUE(ValidateLayerSet(result->layers).empty());
  return *result;
}

std::string Order(const v1::LayerSet& set) {
  std::string names;
  for (const v1::Layer& layer : set.layers()) names += (names.empty() ? "" : " ") + layer.name();
  return names;
}

// Fields of the violations that the request gets, with the code.
std::string Refusal(const v1::SetLayerRequest& request) {
  const auto result = ApplySet(Current(), request);
  if (result.ok()) return "OK";
  std::string text = absl::StatusCodeToString(result.status().code());
  for (const Violation& violation : FromStatus(result.status())) text += " " + violation.field;
  return text;
}

TEST(ApplySetTest, ChangesOnlyWhatIsGiven) {
  const EditResult result = Good(Weight("b", 300));
  EXPECT_FALSE(result.unchanged);
  EXPECT_EQ(Order(result.layers), "a b c default");
  EXPECT_EQ(result.layers.layers(1).weight(), 300u);
  EXPECT_EQ(EffectiveSliceNs(result.layers.layers(1)), 2'000'000);
  EXPECT_EQ(FormatMatches(result.layers.layers(1).match()), "comm=b");
  v1::LayerSet others = result.layers;
  others.mutable_layers(1)->clear_weight();
  EXPECT_TRUE(MessageDifferencer::Equals(others, Current()));
}

TEST(ApplySetTest, MatchReplacesAllMatches) {
  const EditResult result = Good(Set("c", "uid=1 or uid=2"));
  EXPECT_EQ(FormatMatches(result.layers.layers(2).match()), "uid=1 or uid=2");
}

TEST(ApplySetTest, NewLayerGoesBeforeTheCatchAll) {
  v1::SetLayerRequest request = Set("new", "comm=n");
  const EditResult result = Good(request);
  EXPECT_EQ(Order(result.layers), "a b c new default");
  EXPECT_FALSE(result.unchanged);
  request.set_before("a");
  EXPECT_EQ(Order(Good(request).layers), "new a b c default");
  request.set_after("a");
  EXPECT_EQ(Order(Good(request).layers), "a new b c default");
  request.set_before("default");
  EXPECT_EQ(Order(Good(request).layers), "a b c new default");
}

TEST(ApplySetTest, Moves) {
  const auto move = [](const std::string& name, const std::string& before,
                       const std::string& after) {
    v1::SetLayerRequest request = Set(name);
    before.empty() ? request.set_after(after) : request.set_before(before);
    const EditResult result = Good(request);
    return Order(result.layers) + (result.unchanged ? " =" : "");
  };
  EXPECT_EQ(move("a", "c", ""), "b a c default");
  EXPECT_EQ(move("a", "default", ""), "b c a default");
  EXPECT_EQ(move("c", "a", ""), "c a b default");
  EXPECT_EQ(move("a", "", "c"), "b c a default");
  EXPECT_EQ(move("c", "", "a"), "a c b default");
  EXPECT_EQ(move("a", "", "b"), "b a c default");
  EXPECT_EQ(move("a", "b", ""), "a b c default =");
  EXPECT_EQ(move("b", "", "a"), "a b c default =");
  EXPECT_EQ(move("c", "default", ""), "a b c default =");
}

TEST(ApplySetTest, MoveAndChangeTogether) {
  v1::SetLayerRequest request = Weight("c", 5);
  request.set_before("a");
  const EditResult result = Good(request);
  EXPECT_EQ(Order(result.layers), "c a b default");
  EXPECT_EQ(result.layers.layers(0).weight(), 5u);
}

TEST(ApplySetTest, EqualChangesAreUnchanged) {
  const auto unchanged = [](const v1::SetLayerRequest& request) {
    const EditResult result = Good(request);
    EXPECT_EQ(result.unchanged, MessageDifferencer::Equals(result.layers, Current()));
    return result.unchanged;
  };
  EXPECT_TRUE(unchanged(Weight("a", 200)));
  EXPECT_TRUE(unchanged(Weight("b", 100)));  // the default, written out
  EXPECT_TRUE(unchanged(Set("a")));
  EXPECT_TRUE(unchanged(Set("a", "comm=a")));
  EXPECT_TRUE(unchanged(Set("default", "all")));
  EXPECT_FALSE(unchanged(Weight("a", 201)));
  EXPECT_FALSE(unchanged(Set("c", "uid=7 or comm=c")));  // blocks have an order
  v1::SetLayerRequest kind = Set("a");
  kind.mutable_layer()->set_kind(v1::LAYER_KIND_OPEN);
  EXPECT_TRUE(unchanged(kind));
}

TEST(ApplySetTest, MaskTakesWhatItNames) {
  v1::SetLayerRequest request = Weight("a", 300);
  *request.mutable_layer()->mutable_slice() = NsToDuration(1'000'000);
  request.mutable_update_mask()->add_paths("slice");
  const EditResult result = Good(request);
  EXPECT_EQ(EffectiveSliceNs(result.layers.layers(0)), 1'000'000);
  EXPECT_EQ(result.layers.layers(0).weight(), 200u);
}

TEST(ApplySetTest, MaskedAndAbsentGoesBackToTheDefault) {
  v1::SetLayerRequest request = Set("a");
  request.mutable_update_mask()->add_paths("weight");
  request.mutable_update_mask()->add_paths("kind");
  const EditResult result = Good(request);
  EXPECT_FALSE(result.unchanged);
  EXPECT_FALSE(result.layers.layers(0).has_weight());
  request = Set("b");
  request.mutable_update_mask()->add_paths("slice");
  EXPECT_EQ(EffectiveSliceNs(Good(request).layers.layers(1)), 5'000'000);
}

TEST(ApplySetTest, MaskFaults) {
  v1::SetLayerRequest request = Weight("a", 300);
  request.mutable_update_mask()->add_paths("wieght");
  request.mutable_update_mask()->add_paths("slice.seconds");
  request.mutable_update_mask()->add_paths("name");
  const auto result = ApplySet(Current(), request);
  const Violations violations = FromStatus(result.status());
  ASSERT_EQ(violations.size(), 3u);
  EXPECT_EQ(violations[0].hint, "did you mean 'weight'?");
  EXPECT_EQ(violations[1].hint, "fields are kind, match, weight, slice");
  EXPECT_EQ(violations[2].description, "a name cannot be changed");

  request = Set("a");
  request.mutable_update_mask()->add_paths("match");
  EXPECT_EQ(Refusal(request), "INVALID_ARGUMENT layer.match");
}

TEST(ApplySetTest, NewLayerNeedsAMatch) {
  EXPECT_EQ(Refusal(Weight("new", 300)), "INVALID_ARGUMENT layer.match");
  v1::SetLayerRequest masked = Set("new", "uid=0");
  masked.mutable_update_mask()->add_paths("weight");
  EXPECT_EQ(Refusal(masked), "INVALID_ARGUMENT layer.match");
}

TEST(ApplySetTest, TheCatchAllIsFixed) {
  EXPECT_EQ(Good(Weight("default", 50)).layers.layers(3).weight(), 50u);
  EXPECT_EQ(Refusal(Set("default", "uid=0")), "INVALID_ARGUMENT layer.match");
  v1::SetLayerRequest masked = Set("default");
  masked.mutable_update_mask()->add_paths("match");
  EXPECT_EQ(Refusal(masked), "INVALID_ARGUMENT layer.match");
  v1::SetLayerRequest moved = Set("default");
  moved.set_before("a");
  EXPECT_EQ(Refusal(moved), "INVALID_ARGUMENT before");
  moved.set_after("c");
  EXPECT_EQ(Refusal(moved), "INVALID_ARGUMENT after");
  EXPECT_EQ(Refusal(Set("new", "all")), "INVALID_ARGUMENT layer.match");
  EXPECT_EQ(Refusal(Set("a", "all")), "INVALID_ARGUMENT layer.match");
  EXPECT_EQ(Refusal(Set("a", "uid=0 or all")), "INVALID_ARGUMENT layer.match[1].terms[0]");
}

TEST(ApplySetTest, PositionFaults) {
  v1::SetLayerRequest request = Set("a");
  request.set_before("nobody");
  EXPECT_EQ(Refusal(request), "NOT_FOUND before");
  request.set_after("defualt");
  const absl::Status status = ApplySet(Current(), request).status();
  EXPECT_EQ(FromStatus(status)[0].hint, "did you mean 'default'?");
  request.set_after("default");
  EXPECT_EQ(Refusal(request), "INVALID_ARGUMENT after");
  request.set_after("a");
  EXPECT_EQ(Refusal(request), "INVALID_ARGUMENT after");
  request.set_before("");
  EXPECT_EQ(Refusal(request), "INVALID_ARGUMENT before");
  // A new layer relative to itself: there is none yet, but that is not what is wrong.
  v1::SetLayerRequest itself = Set("new", "uid=0");
  itself.set_before("new");
  EXPECT_EQ(Refusal(itself), "INVALID_ARGUMENT before");
}

TEST(ApplySetTest, AllFaultsAtOnceWithPathsOfTheRequest) {
  v1::SetLayerRequest request = Set(" x", "uid=0");
  v1::Layer* layer = request.mutable_layer();
  layer->set_weight(0);
  *layer->mutable_slice() = NsToDuration(1);
  layer->mutable_match(0)->add_terms()->mutable_uid()->set_min(-1);
  request.set_after("nobody");
  EXPECT_EQ(Refusal(request),
            "INVALID_ARGUMENT layer.name layer.weight layer.slice layer.match[0].terms[1] after");
  EXPECT_EQ(Refusal(v1::SetLayerRequest()), "INVALID_ARGUMENT layer.name layer.match");
}

TEST(ApplySetTest, LimitsOfTheWholeSet) {
  v1::LayerSet full = Current();
  while (full.layers_size() < 64) {
    const v1::SetLayerRequest request = Set("l" + std::to_string(full.layers_size()), "uid=0");
    full = ApplySet(full, request).value().layers;
  }
  const auto result = ApplySet(full, Set("more", "uid=0"));
  EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(std::string(result.status().message()), "layers: 65 layers, the limit is 64");
  EXPECT_TRUE(ApplySet(full, Weight("l10", 5)).ok());
}

TEST(ApplyDeleteTest, Removes) {
  v1::DeleteLayerRequest request;
  request.set_name("b");
  const auto result = ApplyDelete(Current(), request);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(Order(result->layers), "a c default");
  EXPECT_FALSE(result->unchanged);
  EXPECT_TRUE(ValidateLayerSet(result->layers).empty());
}

TEST(ApplyDeleteTest, Refusals) {
  v1::DeleteLayerRequest request;
  EXPECT_EQ(ApplyDelete(Current(), request).status().code(), absl::StatusCode::kInvalidArgument);
  request.set_name("defaullt");
  const absl::Status unknown = ApplyDelete(Current(), request).status();
  EXPECT_EQ(unknown.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(FromStatus(unknown)[0].hint, "did you mean 'default'?");
  request.set_name("default");
  EXPECT_EQ(ApplyDelete(Current(), request).status().code(), absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace layered
