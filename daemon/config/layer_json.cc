// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/layer_json.h"

#include <cmath>

#include "absl/strings/escaping.h"
#include "daemon/config/duration.h"
#include "daemon/config/expression.h"
#include "daemon/config/proto_names.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/duration.pb.h"
#include "google/protobuf/field_mask.pb.h"
#include "rapidjson/prettywriter.h"
#include "rapidjson/stringbuffer.h"
#include "rapidjson/writer.h"

namespace layered {
namespace {

using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

using Compact = rapidjson::Writer<rapidjson::StringBuffer>;
using Pretty = rapidjson::PrettyWriter<rapidjson::StringBuffer>;

// Lists of scalars stay on one line.
void OneLine(Pretty* writer, bool on) {
  writer->SetFormatOptions(on ? rapidjson::kFormatSingleLineArray : rapidjson::kFormatDefault);
}
void OneLine(Compact*, bool) {}

// Writer is Compact or Pretty, whose methods are not virtual.
template <typename Writer>
class Printer {
 public:
  explicit Printer(Writer* writer) : writer_(writer) {}

  // Depth is bounded by that of the schema.
  void Print(const Message& message) {
    const auto& type = *message.GetDescriptor();
    if (IsDuration(type)) {
      const auto& duration = static_cast<const google::protobuf::Duration&>(message);
      const auto ns = DurationToNs(duration);
      return String(ns.ok() ? FormatDuration(*ns) : "invalid");
    }
    if (IsFieldMask(type)) {
      const auto& mask = static_cast<const google::protobuf::FieldMask&>(message);
      std::string paths;
      for (const std::string& path : mask.paths()) paths += (paths.empty() ? "" : ",") + path;
      return String(paths);
    }
    if (&type == v1::Match::descriptor()) {
      return String(FormatMatch(static_cast<const v1::Match&>(message)));
    }
    writer_->StartObject();
    for (int i = 0; i < type.field_count(); ++i) Field(message, *type.field(i));
    writer_->EndObject();
  }

 private:
  void Field(const Message& message, const FieldDescriptor& field) {
    const Reflection& reflection = *message.GetReflection();
    if (!field.is_repeated()) {
      if (field.has_presence() && !reflection.HasField(message, &field)) return;
      const bool is_enum = field.cpp_type() == FieldDescriptor::CPPTYPE_ENUM;
      if (is_enum && reflection.GetEnumValue(message, &field) == 0) return;
      writer_->Key(field.name().c_str());
      return Value(message, field, -1);
    }
    writer_->Key(field.name().c_str());
    if (field.is_map()) return Map(message, field);
    const bool nested = field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE &&
                        field.message_type() != v1::Match::descriptor();
    OneLine(writer_, !nested);
    writer_->StartArray();
    const int size = reflection.FieldSize(message, &field);
    for (int i = 0; i < size; ++i) Value(message, field, i);
    writer_->EndArray();
    OneLine(writer_, false);
  }

  void Map(const Message& message, const FieldDescriptor& field) {
    const Reflection& reflection = *message.GetReflection();
    writer_->StartObject();
    for (int i = 0; i < reflection.FieldSize(message, &field); ++i) {
      const Message& entry = reflection.GetRepeatedMessage(message, &field, i);
      const FieldDescriptor& key = *field.message_type()->map_key();
      writer_->Key(entry.GetReflection()->GetString(entry, &key).c_str());
      Value(entry, *field.message_type()->map_value(), -1);
    }
    writer_->EndObject();
  }

  // `index` is -1 for a singular field.
  void Value(const Message& message, const FieldDescriptor& field, int index) {
    const Reflection& r = *message.GetReflection();
    const bool one = index < 0;
    const auto* f = &field;
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32:
        writer_->Int(one ? r.GetInt32(message, f) : r.GetRepeatedInt32(message, f, index));
        return;
      case FieldDescriptor::CPPTYPE_INT64:
        writer_->Int64(one ? r.GetInt64(message, f) : r.GetRepeatedInt64(message, f, index));
        return;
      case FieldDescriptor::CPPTYPE_UINT32:
        writer_->Uint(one ? r.GetUInt32(message, f) : r.GetRepeatedUInt32(message, f, index));
        return;
      case FieldDescriptor::CPPTYPE_UINT64: {
        const uint64_t value =
            one ? r.GetUInt64(message, f) : r.GetRepeatedUInt64(message, f, index);
        if (IsNumberAsString(field)) return String(std::to_string(value));
        writer_->Uint64(value);
        return;
      }
      case FieldDescriptor::CPPTYPE_DOUBLE:
        return Double(one ? r.GetDouble(message, f) : r.GetRepeatedDouble(message, f, index));
      case FieldDescriptor::CPPTYPE_FLOAT:
        return Double(one ? r.GetFloat(message, f) : r.GetRepeatedFloat(message, f, index));
      case FieldDescriptor::CPPTYPE_BOOL:
        writer_->Bool(one ? r.GetBool(message, f) : r.GetRepeatedBool(message, f, index));
        return;
      case FieldDescriptor::CPPTYPE_ENUM:
        return Enum(field,
                    one ? r.GetEnumValue(message, f) : r.GetRepeatedEnumValue(message, f, index));
      case FieldDescriptor::CPPTYPE_STRING: {
        const std::string value =
            one ? r.GetString(message, f) : r.GetRepeatedString(message, f, index);
        const bool bytes = field.type() == FieldDescriptor::TYPE_BYTES;
        return String(bytes ? absl::Base64Escape(value) : value);
      }
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return Print(one ? r.GetMessage(message, f) : r.GetRepeatedMessage(message, f, index));
    }
  }

  void Enum(const FieldDescriptor& field, int number) {
    const EnumValueDescriptor* value = field.enum_type()->FindValueByNumber(number);
    // A newer peer's value.
    if (value == nullptr) {
      writer_->Int(number);
    } else {
      String(EnumValueName(*value));
    }
  }

  // JSON has no NaN and no infinity.
  void Double(double value) { std::isfinite(value) ? writer_->Double(value) : writer_->Null(); }

  void String(const std::string& text) {
    writer_->String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  }

  Writer* const writer_;
};

}  // namespace

std::string MessageToJson(const Message& message, bool pretty) {
  rapidjson::StringBuffer buffer;
  if (pretty) {
    Pretty writer(buffer);
    writer.SetIndent(' ', 2);
    Printer<Pretty>(&writer).Print(message);
    return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
  }
  Compact writer(buffer);
  Printer<Compact>(&writer).Print(message);
  return {buffer.GetString(), buffer.GetSize()};
}

std::string LayerSetToJson(const v1::LayerSet& set) { return MessageToJson(set, true); }

}  // namespace layered
