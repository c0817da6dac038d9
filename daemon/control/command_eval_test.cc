// SPDX-License-Identifier: Apache-2.0

#include "daemon/control/command_eval.h"

#include "daemon/config/violation.h"
#include "daemon/control/control_fixture.h"
#include "gtest/gtest.h"

namespace layered {
namespace {

Revision Current() {
  Revision revision;
  revision.number = 4;
  revision.etag = MakeEtag("abcd", 4);
  revision.layers = TwoLayers();
  return revision;
}

v1::DeleteLayerRequest Delete(const std::string& name) {
  v1::DeleteLayerRequest request;
  request.set_name(name);
  return request;
}

TEST(EvaluateCommand, EtagMustNameTheCurrentState) {
  v1::SetLayerRequest set = SetWeight("web", 5);
  set.set_etag("abcd-3");
  const auto refused = EvaluateCommand(Current(), {}, set);
  EXPECT_TRUE(absl::IsAborted(refused.status()));
  EXPECT_NE(refused.status().message().find("abcd-4"), absl::string_view::npos)
      << "the reader learns the current one";
  set.set_etag("abcd-4");
  EXPECT_TRUE(EvaluateCommand(Current(), {}, set).ok());

  v1::DeleteLayerRequest removal = Delete("web");
  removal.set_etag("ffff-4");  // another start of the daemon
  EXPECT_TRUE(absl::IsAborted(EvaluateCommand(Current(), {}, removal).status()));
}

TEST(EvaluateCommand, SetChangesOneLayer) {
  const auto next = EvaluateCommand(Current(), {}, SetWeight("web", 5));
  ASSERT_TRUE(next.ok());
  EXPECT_FALSE(next->unchanged);
  EXPECT_EQ(next->layers.layers(0).weight(), 5u);
  EXPECT_EQ(next->layers.layers_size(), 2);
}

TEST(EvaluateCommand, EqualChangeIsUnchanged) {
  const auto next = EvaluateCommand(Current(), {}, SetWeight("web", 300));
  ASSERT_TRUE(next.ok());
  EXPECT_TRUE(next->unchanged);
}

TEST(EvaluateCommand, DeleteKnowsItsRefusals) {
  EXPECT_TRUE(absl::IsNotFound(EvaluateCommand(Current(), {}, Delete("nope")).status()));
  EXPECT_TRUE(
      absl::IsFailedPrecondition(EvaluateCommand(Current(), {}, Delete("default")).status()));
  const auto next = EvaluateCommand(Current(), {}, Delete("web"));
  ASSERT_TRUE(next.ok());
  EXPECT_EQ(next->layers.layers_size(), 1);
}

TEST(EvaluateCommand, ReplaceNamesTheLiveChangesThatItDrops) {
  const v1::LayerSet file = Layers(R"({"layers":[
      {"name":"web","match":["comm=nginx*"],"weight":100},
      {"name":"default","match":["all"]}]})");
  const auto next = EvaluateCommand(Current(), {"web", "gone"}, ReplaceCommand{file, "config f"});
  ASSERT_TRUE(next.ok());
  EXPECT_TRUE(next->from_config);
  EXPECT_FALSE(next->unchanged);
  EXPECT_EQ(next->reason, "config f; drops live changes of: web");
}

TEST(EvaluateCommand, ReplaceThatOnlyWritesDefaultsOutIsUnchanged) {
  const v1::LayerSet file = Layers(R"({"layers":[
      {"name":"web","match":["comm=nginx*"],"weight":300,"slice":"5ms","kind":"open"},
      {"name":"default","match":["all"],"weight":100}]})");
  const auto next = EvaluateCommand(Current(), {"web"}, ReplaceCommand{file, "config f"});
  ASSERT_TRUE(next.ok());
  EXPECT_TRUE(next->unchanged);
  EXPECT_EQ(next->reason, "config f");
}

TEST(EvaluateCommand, ReplaceIsValidatedAsAWhole) {
  v1::LayerSet bad = TwoLayers();
  bad.mutable_layers(0)->set_weight(0);
  bad.mutable_layers(0)->set_name("");
  const auto next = EvaluateCommand(Current(), {}, ReplaceCommand{bad, ""});
  EXPECT_TRUE(absl::IsInvalidArgument(next.status()));
  EXPECT_GE(FromStatus(next.status()).size(), 2u) << "all faults at once";
}

}  // namespace
}  // namespace layered
