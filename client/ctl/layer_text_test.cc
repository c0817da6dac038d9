// SPDX-License-Identifier: Apache-2.0

#include "client/ctl/layer_text.h"

#include <gtest/gtest.h>

namespace layered::ctl {
namespace {

v1::Layer Web() {
  v1::Layer layer;
  layer.set_name("web");
  v1::StringMatch* const comm = layer.add_match()->add_terms()->mutable_comm();
  comm->set_form(v1::STRING_FORM_PREFIX);
  comm->set_value("nginx");
  layer.add_match()->add_terms()->mutable_kthread();
  return layer;
}

TEST(LayerTextTest, ShowsWhatIsInForceWhereNothingIsGiven) {
  EXPECT_EQ(DescribeLayer(Web()),
            "name    web\n"
            "kind    open\n"
            "weight  100\n"
            "slice   5ms\n"
            "match   comm=nginx*\n"
            "     or kthread\n");
}

TEST(LayerTextTest, NamesTheFieldsThatChanged) {
  const v1::Layer before = Web();
  v1::Layer after = before;
  EXPECT_EQ(DescribeChange(before, after), "");
  after.set_weight(100);  // the default, spelled out, is no change
  EXPECT_EQ(DescribeChange(before, after), "");
  after.set_weight(300);
  after.mutable_slice()->set_nanos(500'000);
  EXPECT_EQ(DescribeChange(before, after), "weight 100 -> 300, slice 5ms -> 500us");
  after = before;
  after.mutable_match()->RemoveLast();
  EXPECT_EQ(DescribeChange(before, after), "match comm=nginx* or kthread -> comm=nginx*");
}

TEST(LayerTextTest, AKindOfANewerDaemonIsANumber) {
  EXPECT_EQ(KindText(v1::LAYER_KIND_OPEN), "open");
  EXPECT_EQ(KindText(v1::LAYER_KIND_UNSPECIFIED), "open");
  EXPECT_EQ(KindText(static_cast<v1::LayerKind>(7)), "kind 7");
}

}  // namespace
}  // namespace layered::ctl
