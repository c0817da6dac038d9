// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/proto_names.h"

#include "google/protobuf/duration.pb.h"
#include "google/protobuf/field_mask.pb.h"

namespace layered {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;

// "LAYER_KIND_" for LayerKind.
std::string Prefix(const EnumDescriptor& type) {
  std::string prefix;
  for (const char c : type.name()) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper && !prefix.empty()) prefix += '_';
    prefix += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return prefix + "_";
}

}  // namespace

std::string EnumValueName(const EnumValueDescriptor& value) {
  std::string name = value.name();
  const std::string prefix = Prefix(*value.type());
  if (name.rfind(prefix, 0) == 0) name = name.substr(prefix.size());
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return name;
}

const EnumValueDescriptor* FindEnumValue(const EnumDescriptor& type, const std::string& name) {
  for (int i = 0; i < type.value_count(); ++i) {
    const EnumValueDescriptor* value = type.value(i);
    if (value->number() == 0) continue;
    if (name == value->name() || name == EnumValueName(*value)) return value;
  }
  return nullptr;
}

std::vector<std::string> EnumValueNames(const EnumDescriptor& type) {
  std::vector<std::string> names;
  for (int i = 0; i < type.value_count(); ++i) {
    if (type.value(i)->number() != 0) names.push_back(EnumValueName(*type.value(i)));
  }
  return names;
}

bool IsNumberAsString(const FieldDescriptor& field) {
  return field.cpp_type() == FieldDescriptor::CPPTYPE_UINT64 &&
         (field.name() == "revision" || field.name() == "desired_revision" ||
          field.name() == "observed_revision");
}

bool IsDuration(const Descriptor& type) {
  return type.full_name() == google::protobuf::Duration::descriptor()->full_name();
}

bool IsFieldMask(const Descriptor& type) {
  return type.full_name() == google::protobuf::FieldMask::descriptor()->full_name();
}

}  // namespace layered
