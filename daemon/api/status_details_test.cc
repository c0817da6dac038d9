// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/status_details.h"

#include <gtest/gtest.h>

#include "daemon/config/violation.h"
#include "layered/v1/errors.pb.h"

namespace layered::api {
namespace {

Violations Many(int n) {
  Violations violations;
  for (int i = 0; i < n; ++i) {
    violations.push_back({.field = "layers[" + std::to_string(i) + "].weight",
                          .description = "0 is out of range 1..10000",
                          .hint = "leave it out for 100",
                          .line = i + 1,
                          .column = 12});
  }
  return violations;
}

TEST(StatusDetailsTest, OkStaysOk) {
  EXPECT_TRUE(ToGrpc(absl::OkStatus()).ok());
  EXPECT_TRUE(FromGrpc(grpc::Status::OK).ok());
}

TEST(StatusDetailsTest, ViolationsComeBackWhole) {
  const Violations violations = Many(3);
  const grpc::Status wire = ToGrpc(ToStatus(violations));
  EXPECT_EQ(wire.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  const absl::Status back = FromGrpc(wire);
  EXPECT_EQ(back.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(back.message(), ToStatus(violations).message());
  EXPECT_EQ(FromStatus(back), violations);
}

TEST(StatusDetailsTest, TheWireFormIsThatOfGoogleRpc) {
  const grpc::Status wire = ToGrpc(ToStatus(Many(1)));
  v1::Status details;
  ASSERT_TRUE(details.ParseFromString(wire.error_details()));
  // Generic clients refuse details whose code and message differ from the outer ones.
  EXPECT_EQ(details.code(), static_cast<int>(wire.error_code()));
  EXPECT_EQ(details.message(), wire.error_message());
  ASSERT_EQ(details.details_size(), 2);
  EXPECT_EQ(details.details(0).type_url(), "type.googleapis.com/google.rpc.BadRequest");
  EXPECT_EQ(details.details(1).type_url(), "type.googleapis.com/google.rpc.ErrorInfo");
  v1::ErrorInfo info;
  ASSERT_TRUE(info.ParseFromString(details.details(1).value()));
  EXPECT_EQ(info.domain(), "layered");
  EXPECT_EQ(info.reason(), "INVALID_INPUT");
}

TEST(StatusDetailsTest, OtherCodesHaveAReasonAndNoViolations) {
  const absl::Status back = FromGrpc(ToGrpc(absl::AbortedError("revision is 5")));
  EXPECT_EQ(back.code(), absl::StatusCode::kAborted);
  EXPECT_EQ(back.message(), "revision is 5");
  EXPECT_TRUE(FromStatus(back).empty());
  EXPECT_EQ(ReasonOf(absl::StatusCode::kAborted), "ETAG_MISMATCH");
  EXPECT_EQ(ReasonOf(absl::StatusCode::kDataLoss), "INTERNAL");
}

TEST(StatusDetailsTest, ManyViolationsFitTheTrailersAndTheRestIsCounted) {
  const grpc::Status wire = ToGrpc(ToStatus(Many(1000)));
  EXPECT_LT(wire.error_details().size(), 6000u);
  const Violations back = FromStatus(FromGrpc(wire));
  ASSERT_GT(back.size(), 10u);
  EXPECT_EQ(back.front(), Many(1).front());
  const std::string rest = std::to_string(1000 - (back.size() - 1));
  EXPECT_NE(back.back().description.find(rest), std::string::npos) << back.back().description;
}

TEST(StatusDetailsTest, LongTextsAreCutBetweenCharacters) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "\xC3\xA4";
  const grpc::Status wire = ToGrpc(absl::NotFoundError(text));
  EXPECT_LE(wire.error_message().size(), 512u);
  EXPECT_EQ(wire.error_message().substr(0, 2), "\xC3\xA4");
  // What stands before the dots is a whole character.
  EXPECT_EQ(wire.error_message().substr(wire.error_message().size() - 5), "\xC3\xA4...");

  const Violations one = {{.field = "name", .description = std::string(100'000, 'x'), .hint = ""}};
  const Violations back = FromStatus(FromGrpc(ToGrpc(ToStatus(one))));
  ASSERT_EQ(back.size(), 1u);
  EXPECT_EQ(back[0].field, "name");
}

TEST(StatusDetailsTest, ForeignDetailsAreIgnored) {
  const grpc::Status wire(grpc::StatusCode::NOT_FOUND, "x", "\xFF\xFFgarbage");
  const absl::Status back = FromGrpc(wire);
  EXPECT_EQ(back.code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(FromStatus(back).empty());
}

}  // namespace
}  // namespace layered::api
