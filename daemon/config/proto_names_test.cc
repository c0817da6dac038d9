// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/proto_names.h"

#include "gtest/gtest.h"
#include "layered/v1/layer.pb.h"
#include "layered/v1/layer_service.pb.h"
#include "layered/v1/scheduler_service.pb.h"
#include "layered/v1/stats_service.pb.h"

namespace layered {
namespace {

TEST(ProtoNamesTest, EnumValuesAreShort) {
  const auto& forms = *v1::StringForm_descriptor();
  EXPECT_EQ(EnumValueName(*forms.FindValueByNumber(v1::STRING_FORM_SUBTREE)), "subtree");
  EXPECT_EQ(EnumValueNames(forms),
            (std::vector<std::string>{"exact", "prefix", "suffix", "contains", "subtree"}));
  EXPECT_EQ(EnumValueNames(*v1::SchedulerState_descriptor()),
            (std::vector<std::string>{"starting", "running", "failed"}));
}

TEST(ProtoNamesTest, EnumValuesAreFoundInBothForms) {
  const auto& kinds = *v1::LayerKind_descriptor();
  ASSERT_NE(FindEnumValue(kinds, "open"), nullptr);
  EXPECT_EQ(FindEnumValue(kinds, "open")->number(), v1::LAYER_KIND_OPEN);
  EXPECT_EQ(FindEnumValue(kinds, "LAYER_KIND_OPEN"), FindEnumValue(kinds, "open"));
  for (const char* none : {"Open", "", "unspecified", "LAYER_KIND_UNSPECIFIED", "1"}) {
    EXPECT_EQ(FindEnumValue(kinds, none), nullptr) << none;
  }
}

TEST(ProtoNamesTest, RevisionsAreStringsAndCountersAreNot) {
  const auto& status = *v1::GetStatusResponse::descriptor();
  EXPECT_TRUE(IsNumberAsString(*status.FindFieldByName("desired_revision")));
  EXPECT_TRUE(IsNumberAsString(*status.FindFieldByName("observed_revision")));
  EXPECT_FALSE(IsNumberAsString(*status.FindFieldByName("enable_seq")));
  const auto& sample = *v1::WatchResponse::descriptor();
  EXPECT_TRUE(IsNumberAsString(*sample.FindFieldByName("revision")));
  EXPECT_FALSE(IsNumberAsString(*sample.FindFieldByName("time_ns")));
}

TEST(ProtoNamesTest, KnownTypes) {
  const auto field = [](const google::protobuf::Descriptor* type, const char* name) {
    return type->FindFieldByName(name)->message_type();
  };
  EXPECT_TRUE(IsDuration(*field(v1::Layer::descriptor(), "slice")));
  EXPECT_FALSE(IsDuration(*v1::Layer::descriptor()));
  EXPECT_TRUE(IsFieldMask(*field(v1::SetLayerRequest::descriptor(), "update_mask")));
}

}  // namespace
}  // namespace layered
