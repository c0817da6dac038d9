// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/layer_json.h"

#include <string>

#include "daemon/config/load.h"
#include "daemon/config/validate.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "layered/v1/errors.pb.h"
#include "layered/v1/layer_service.pb.h"
#include "layered/v1/scheduler_service.pb.h"
#include "layered/v1/stats_service.pb.h"

namespace layered {
namespace {

using google::protobuf::util::MessageDifferencer;

v1::LayerSet Set() {
  return ParseLayerSet(R"({"layers":[
      {"name":"w\u00e9b \"1\"","kind":"open",
       "match":["cgroup=/web/* and not kthread","comm=\"a b\""],
       "weight":300,"slice":"1.5ms"},
      {"name":"default","match":["all"]}]})")
      .value();
}

TEST(LayerJsonTest, TheTextOfASet) {
  EXPECT_EQ(LayerSetToJson(Set()), R"({
  "layers": [
    {
      "name": "w)"
                                   "\xc3\xa9"
                                   R"(b \"1\"",
      "kind": "open",
      "match": ["cgroup=/web/* and not kthread", "comm=\"a b\""],
      "weight": 300,
      "slice": "1500us"
    },
    {
      "name": "default",
      "match": ["all"]
    }
  ]
}
)");
}

TEST(LayerJsonTest, TheTextReadsBack) {
  const auto back = ParseLayerSet(LayerSetToJson(Set()));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_TRUE(MessageDifferencer::Equals(*back, Set()));
  const v1::LayerSet full = WithDefaults(Set());
  EXPECT_TRUE(MessageDifferencer::Equals(ParseLayerSet(LayerSetToJson(full)).value(), full));
}

TEST(LayerJsonTest, OneLayer) {
  EXPECT_EQ(MessageToJson(Set().layers(1), true),
            "{\n  \"name\": \"default\",\n  \"match\": [\"all\"]\n}\n");
  EXPECT_EQ(MessageToJson(Set().layers(1), false), R"({"name":"default","match":["all"]})");
}

TEST(LayerJsonTest, RepliesWithLayers) {
  v1::ListLayersResponse list;
  *list.mutable_layers() = Set().layers();
  list.mutable_layers()->DeleteSubrange(0, 1);
  list.set_revision(18446744073709551615u);
  list.set_etag("e-1");
  EXPECT_EQ(MessageToJson(list, false), R"({"layers":[{"name":"default","match":["all"]}],)"
                                        R"("revision":"18446744073709551615","etag":"e-1"})");
  v1::SetLayerResponse set;
  set.set_unchanged(true);
  EXPECT_EQ(MessageToJson(set, false), R"({"revision":"0","etag":"","unchanged":true})");
}

TEST(LayerJsonTest, CountersAreNumbersAndAlwaysThere) {
  v1::WatchResponse sample;
  sample.set_time_ns(18446744073709551615u);
  sample.set_revision(7);
  EXPECT_EQ(MessageToJson(sample, false),
            R"({"time_ns":18446744073709551615,"first":false,"gap":0,"interval_ns":0,)"
            R"("instance_id":"","revision":"7","layers":[]})");
  sample.add_layers()->set_name("a");
  const std::string text = MessageToJson(sample, false);
  EXPECT_NE(text.find(R"("layers":[{"name":"a","slot":0,"generation":0,"draining":false)"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

TEST(LayerJsonTest, Status) {
  v1::GetStatusResponse status;
  status.set_state(v1::SCHEDULER_STATE_RUNNING);
  status.set_desired_revision(3);
  status.add_missing_hooks("a\nb");
  status.mutable_last_exit()->set_code(-5);
  const std::string text = MessageToJson(status, false);
  EXPECT_EQ(text.rfind(R"({"state":"running","desired_revision":"3","observed_revision":"0",)", 0),
            0u)
      << text;
  EXPECT_NE(text.find(R"("last_exit":{"kind":0,"code":-5,)"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("missing_hooks":["a\nb"])"), std::string::npos) << text;
  EXPECT_EQ(text.find("topology"), std::string::npos) << text;
}

TEST(LayerJsonTest, OtherTypes) {
  v1::WatchRequest watch;
  watch.mutable_interval()->set_seconds(1);
  EXPECT_EQ(MessageToJson(watch, false), R"({"interval":"1s","layers":[]})");
  watch.mutable_interval()->set_nanos(-1);
  EXPECT_EQ(MessageToJson(watch, false), R"({"interval":"invalid","layers":[]})");
  v1::ErrorInfo info;
  (*info.mutable_metadata())["a"] = "1";
  EXPECT_EQ(MessageToJson(info, false), R"({"reason":"","domain":"","metadata":{"a":"1"}})");
  v1::SetLayerRequest request;
  request.mutable_update_mask()->add_paths("weight");
  request.mutable_update_mask()->add_paths("slice");
  request.set_after("x");
  EXPECT_EQ(MessageToJson(request, false),
            R"({"update_mask":"weight,slice","etag":"","after":"x","reason":""})");
  v1::Layer newer;
  newer.set_kind(static_cast<v1::LayerKind>(9));
  EXPECT_EQ(MessageToJson(newer, false), R"({"name":"","kind":9,"match":[]})");
  v1::Status status;
  status.add_details()->set_value("x");
  EXPECT_NE(MessageToJson(status, false).find(R"("value":"eA==")"), std::string::npos);
}

}  // namespace
}  // namespace layered
