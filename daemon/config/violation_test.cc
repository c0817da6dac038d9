// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/violation.h"

#include "gtest/gtest.h"
#include "layered/v1/errors.pb.h"

namespace layered {
namespace {

Violation Weight() { return {"layers[2].weight", "0 is out of range 1..10000", "", 4, 12}; }

TEST(ViolationTest, PrintsPathPlaceAndHint) {
  EXPECT_EQ(ToString(Weight()), "layers[2].weight: 0 is out of range 1..10000 (line 4, column 12)");
  EXPECT_EQ(ToString({"", "is empty", "write {}", 0, 0}), "is empty; write {}");
  EXPECT_EQ(ToString({"match", "no key", "", 0, 7}), "match: no key (column 7)");
  EXPECT_EQ(ToString({"a", "b", "c", 3, 0}), "a: b (line 3); c");
}

TEST(ViolationTest, NoViolationIsOk) {
  EXPECT_TRUE(ToStatus(Violations{}).ok());
  EXPECT_TRUE(FromStatus(absl::OkStatus()).empty());
  EXPECT_TRUE(FromStatus(absl::InternalError("x")).empty());
}

TEST(ViolationTest, StatusCarriesAllOfThem) {
  const Violations in = {
      Weight(), {"layers", "no catch-all", "add one", 0, 0}, {"", "x", "", 1, 0}};
  const absl::Status status = ToStatus(in);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(std::string(status.message()), ToString(Weight()) + " (and 2 more)");
  EXPECT_EQ(FromStatus(status), in);
}

TEST(ViolationTest, OtherCode) {
  const absl::Status status = ToStatus(absl::StatusCode::kNotFound, {Weight()});
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(std::string(status.message()), ToString(Weight()));
  EXPECT_EQ(FromStatus(status), Violations{Weight()});
}

TEST(ViolationTest, PayloadIsABadRequest) {
  const auto payload = ToStatus({Weight()}).GetPayload("type.googleapis.com/google.rpc.BadRequest");
  ASSERT_TRUE(payload.has_value());
  v1::BadRequest request;
  ASSERT_TRUE(request.ParseFromString(std::string(*payload)));
  ASSERT_EQ(request.field_violations_size(), 1);
  EXPECT_EQ(request.field_violations(0).line(), 4u);
}

TEST(ViolationTest, GarbagePayloadIsNoViolation) {
  absl::Status status = absl::InvalidArgumentError("x");
  status.SetPayload(kViolationsTypeUrl, absl::Cord("\xff\xff"));
  EXPECT_TRUE(FromStatus(status).empty());
}

TEST(ViolationTest, BoundedKeepsTheFirstAndCountsTheRest) {
  const Violations many(1000, Weight());
  EXPECT_EQ(Bounded(many, 1 << 20), many);
  const Violations few = Bounded(many, 1000);
  ASSERT_GT(few.size(), 5u);
  ASSERT_LT(few.size(), 20u);
  EXPECT_EQ(few.front(), Weight());
  EXPECT_EQ(few.back().description,
            "and " + std::to_string(1000 - (few.size() - 1)) + " more faults");
  const absl::Status status = ToStatus(few);
  EXPECT_LE(status.GetPayload(kViolationsTypeUrl)->size(), 1000u);
}

}  // namespace
}  // namespace layered
