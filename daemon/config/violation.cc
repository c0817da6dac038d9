// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/violation.h"

#include <algorithm>
#include <utility>

#include "absl/strings/cord.h"
#include "layered/v1/errors.pb.h"

namespace layered {
namespace {

// What a violation takes in a BadRequest besides its texts: tags, lengths, line and column.
constexpr size_t kWireOverhead = 32;

std::string Place(const Violation& violation) {
  if (violation.line > 0 && violation.column > 0) {
    return " (line " + std::to_string(violation.line) + ", column " +
           std::to_string(violation.column) + ")";
  }
  if (violation.line > 0) return " (line " + std::to_string(violation.line) + ")";
  if (violation.column > 0) return " (column " + std::to_string(violation.column) + ")";
  return "";
}

size_t WireSize(const Violation& violation) {
  return violation.field.size() + violation.description.size() + violation.hint.size() +
         kWireOverhead;
}

v1::BadRequest ToProto(const Violations& violations) {
  v1::BadRequest request;
  for (const Violation& violation : violations) {
    auto* out = request.add_field_violations();
    out->set_field(violation.field);
    out->set_description(violation.description);
    out->set_hint(violation.hint);
    out->set_line(static_cast<uint32_t>(std::max(violation.line, 0)));
    out->set_column(static_cast<uint32_t>(std::max(violation.column, 0)));
  }
  return request;
}

}  // namespace

std::string ToString(const Violation& violation) {
  std::string text;
  if (!violation.field.empty()) text = violation.field + ": ";
  text += violation.description + Place(violation);
  if (!violation.hint.empty()) text += "; " + violation.hint;
  return text;
}

absl::Status ToStatus(const Violations& violations) {
  if (violations.empty()) return absl::OkStatus();
  return ToStatus(absl::StatusCode::kInvalidArgument, violations);
}

absl::Status ToStatus(absl::StatusCode code, const Violations& violations) {
  std::string message = violations.empty() ? "" : ToString(violations.front());
  if (violations.size() > 1) {
    message += " (and " + std::to_string(violations.size() - 1) + " more)";
  }
  absl::Status status(code, message);
  status.SetPayload(kViolationsTypeUrl, absl::Cord(ToProto(violations).SerializeAsString()));
  return status;
}

Violations FromStatus(const absl::Status& status) {
  const auto payload = status.GetPayload(kViolationsTypeUrl);
  v1::BadRequest request;
  if (!payload.has_value() || !request.ParseFromString(std::string(*payload))) return {};
  Violations violations;
  for (const auto& in : request.field_violations()) {
    violations.push_back({in.field(), in.description(), in.hint(), static_cast<int>(in.line()),
                          static_cast<int>(in.column())});
  }
  return violations;
}

Violations Bounded(const Violations& violations, size_t max_bytes) {
  size_t total = 0;
  for (const Violation& violation : violations) total += WireSize(violation);
  if (total <= max_bytes) return violations;

  Violations kept;
  size_t used = 2 * kWireOverhead;  // of the last one, "N more faults"
  for (const Violation& violation : violations) {
    used += WireSize(violation);
    if (used > max_bytes) break;
    kept.push_back(violation);
  }
  const size_t dropped = violations.size() - kept.size();
  kept.push_back({"", "and " + std::to_string(dropped) + " more faults", "", 0, 0});
  return kept;
}

}  // namespace layered
