// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/status_details.h"

#include <algorithm>
#include <utility>

#include "absl/strings/cord.h"
#include "daemon/config/violation.h"
#include "layered/v1/errors.pb.h"

namespace layered::api {
namespace {

constexpr char kErrorInfo[] = "type.googleapis.com/google.rpc.ErrorInfo";

// Base64 makes four of three bytes; with message and frame this stays below 8 KiB.
constexpr std::size_t kDetailBytes = 5000;
constexpr std::size_t kMessageBytes = 512;

// At most `limit` bytes, cut between characters of UTF-8.
std::string Shorten(const std::string& text, std::size_t limit) {
  if (text.size() <= limit) return text;
  std::size_t end = limit - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

v1::BadRequest ToBadRequest(Violations violations) {
  for (Violation& violation : violations) {
    violation.field = Shorten(violation.field, 256);
    violation.description = Shorten(violation.description, 1024);
    violation.hint = Shorten(violation.hint, 512);
  }
  v1::BadRequest request;
  for (const Violation& violation : Bounded(violations, kDetailBytes)) {
    auto* one = request.add_field_violations();
    one->set_field(violation.field);
    one->set_description(violation.description);
    one->set_hint(violation.hint);
    one->set_line(static_cast<uint32_t>(std::max(violation.line, 0)));
    one->set_column(static_cast<uint32_t>(std::max(violation.column, 0)));
  }
  return request;
}

void AddDetail(const char* type_url, const google::protobuf::Message& detail, v1::Status* status) {
  google::protobuf::Any* any = status->add_details();
  any->set_type_url(type_url);
  detail.SerializeToString(any->mutable_value());
}

}  // namespace

std::string ReasonOf(absl::StatusCode code) {
  switch (code) {
    case absl::StatusCode::kInvalidArgument:
      return "INVALID_INPUT";
    case absl::StatusCode::kAborted:
      return "ETAG_MISMATCH";
    case absl::StatusCode::kNotFound:
      return "LAYER_NOT_FOUND";
    case absl::StatusCode::kPermissionDenied:
      return "ROLE_NOT_ALLOWED";
    case absl::StatusCode::kResourceExhausted:
      return "LIMIT_REACHED";
    case absl::StatusCode::kFailedPrecondition:
      return "NOT_POSSIBLE";
    case absl::StatusCode::kUnavailable:
      return "STOPPING";
    default:
      return "INTERNAL";
  }
}

grpc::Status ToGrpc(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  v1::Status details;
  details.set_code(static_cast<int>(status.code()));
  details.set_message(Shorten(std::string(status.message()), kMessageBytes));
  if (const Violations violations = FromStatus(status); !violations.empty()) {
    AddDetail(kViolationsTypeUrl, ToBadRequest(violations), &details);
  }
  v1::ErrorInfo info;
  info.set_domain("layered");
  info.set_reason(ReasonOf(status.code()));
  AddDetail(kErrorInfo, info, &details);
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()), details.message(),
                      details.SerializeAsString());
}

absl::Status FromGrpc(const grpc::Status& status) {
  if (status.ok()) return absl::OkStatus();
  absl::Status result(static_cast<absl::StatusCode>(status.error_code()), status.error_message());
  v1::Status details;
  if (!details.ParseFromString(status.error_details())) return result;
  for (const auto& any : details.details()) {
    // The payload that ToStatus makes is the same message under the same name.
    if (any.type_url() == kViolationsTypeUrl) {
      result.SetPayload(kViolationsTypeUrl, absl::Cord(any.value()));
    }
  }
  return result;
}

}  // namespace layered::api
