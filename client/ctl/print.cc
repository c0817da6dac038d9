// SPDX-License-Identifier: Apache-2.0

#include "client/ctl/print.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "client/ctl/table.h"
#include "daemon/config/layer_json.h"
#include "daemon/config/violation.h"
#include "rapidjson/stringbuffer.h"
#include "rapidjson/writer.h"

namespace layered::ctl {
namespace {

using JsonWriter = rapidjson::Writer<rapidjson::StringBuffer>;

void Write(const std::string& text, JsonWriter* json) {
  json->String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

void Member(const char* key, const std::string& value, JsonWriter* json) {
  json->Key(key);
  Write(value, json);
}

}  // namespace

absl::Status Print(const std::string& text) {
  const bool written = fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && fflush(stdout) == 0) return absl::OkStatus();
  return absl::InternalError(std::string("cannot write the output: ") + strerror(errno));
}

std::string ToJson(const google::protobuf::Message& message) {
  return MessageToJson(message, /*pretty=*/true);
}

std::string ToJsonLine(const google::protobuf::Message& message) {
  return MessageToJson(message, /*pretty=*/false) + "\n";
}

std::string TimeText(uint64_t ns) {
  // The unit is chosen as the value will be shown: 999.7 ms is 1 s.
  double value = static_cast<double>(ns);
  const char* unit = "ns";
  for (const char* larger : {"us", "ms", "s"}) {
    if (value < 999.5) break;
    value /= 1000;
    unit = larger;
  }
  char text[48];
  snprintf(text, sizeof(text), value < 999.5 ? "%.3g %s" : "%.0f %s", value, unit);
  return text;
}

std::string ErrorText(const absl::Status& status) {
  const Violations violations = FromStatus(status);
  if (violations.empty()) return "layeredctl: " + Printable(std::string(status.message())) + "\n";
  std::string text;
  for (Violation violation : violations) {
    const std::string hint = violation.hint.empty() ? "" : " (" + violation.hint + ")";
    violation.hint.clear();
    text += "layeredctl: " + Printable(ToString(violation) + hint) + "\n";
  }
  return text;
}

std::string ErrorJson(const absl::Status& status) {
  rapidjson::StringBuffer buffer;
  JsonWriter json(buffer);
  json.StartObject();
  Member("code", absl::StatusCodeToString(status.code()), &json);
  Member("message", std::string(status.message()), &json);
  json.Key("violations");
  json.StartArray();
  for (const Violation& violation : FromStatus(status)) {
    json.StartObject();
    Member("field", violation.field, &json);
    Member("description", violation.description, &json);
    Member("hint", violation.hint, &json);
    json.Key("line");
    json.Int(violation.line);
    json.Key("column");
    json.Int(violation.column);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

void PrintError(const absl::Status& status, bool json) {
  fputs((json ? ErrorJson(status) : ErrorText(status)).c_str(), stderr);
}

}  // namespace layered::ctl
