// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/tree_to_proto.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "daemon/config/duration.h"
#include "daemon/config/expression.h"
#include "daemon/config/json_number.h"
#include "daemon/config/proto_names.h"
#include "daemon/config/text.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/duration.pb.h"
#include "google/protobuf/field_mask.pb.h"
#include "layered/v1/layer.pb.h"

namespace layered {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::OneofDescriptor;
using google::protobuf::Reflection;

std::string Join(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

std::string Element(const std::string& path, size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

// A key of a stranger as part of a path.
std::string PathName(const std::string& key) {
  const bool plain = key.size() <= 40 && key.find_first_not_of(
                                             "abcdefghijklmnopqrstuvwxyz"
                                             "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                             "0123456789_-") == std::string::npos;
  return plain && !key.empty() ? key : Quoted(key);
}

class Walker {
 public:
  Walker(const JsonTree& tree, Violations* violations, TreeMap* map)
      : tree_(tree), violations_(violations), map_(map) {}

  // Depth is bounded by that of the schema.
  void Object(const JsonNode& node, const std::string& path, Message* message) {
    Locate(path, node.position);
    if (node.kind != JsonKind::kObject) return FailType(node, path, "an object", "");
    std::set<std::string> seen;
    std::map<const OneofDescriptor*, std::string> chosen;
    for (const JsonMember& member : node.members) {
      if (full_) return;
      const FieldDescriptor* field = FindField(*message->GetDescriptor(), member.key);
      const std::string name = field == nullptr ? member.key : field->name();
      const std::string member_path = Join(path, PathName(name));
      if (!seen.insert(name).second) {
        Fail(member_path, "the key " + Quoted(member.key) + " is given twice", "", member.position);
      } else if (field == nullptr) {
        FailKey(*message->GetDescriptor(), path, member);
      } else if (OneofTaken(*field, member, member_path, &chosen)) {
        continue;
      } else {
        Field(*field, member.value, member_path, message);
      }
    }
  }

 private:
  void Locate(const std::string& path, TextPosition position) { map_->positions[path] = position; }

  void Fail(const std::string& path, const std::string& description, const std::string& hint,
            TextPosition at) {
    if (full_) return;
    violations_->push_back({path, description, hint, at.line, at.column});
    map_->faulty.Add(path);
    if (++faults_ < kMaxTreeFaults) return;
    full_ = true;
    violations_->push_back(
        {"", "too many faults: the rest is not looked at", "", at.line, at.column});
    map_->faulty.Add("");
  }

  void FailType(const JsonNode& node, const std::string& path, const std::string& wanted,
                const std::string& hint) {
    const std::string tip =
        node.kind == JsonKind::kNull && hint.empty() ? "leave the key out for the default" : hint;
    Fail(path, "expected " + wanted + ", found " + Describe(node.kind), tip, node.position);
  }

  void FailKey(const Descriptor& type, const std::string& path, const JsonMember& member) {
    std::vector<std::string> names;
    for (int i = 0; i < type.field_count(); ++i) names.push_back(type.field(i)->name());
    const std::string guess = Closest(member.key, names);
    const std::string all = names.empty() ? "there are no keys here" : "keys are " + Joined(names);
    Fail(Join(path, PathName(member.key)), "unknown key",
         guess.empty() ? all : DidYouMean(member.key, names), member.position);
    if (!guess.empty()) map_->faulty.Add(Join(path, guess));
  }

  static const FieldDescriptor* FindField(const Descriptor& type, const std::string& key) {
    const FieldDescriptor* field = type.FindFieldByName(key);
    if (field != nullptr) return field;
    for (int i = 0; i < type.field_count(); ++i) {
      if (type.field(i)->json_name() == key) return type.field(i);
    }
    return nullptr;
  }

  bool OneofTaken(const FieldDescriptor& field, const JsonMember& member, const std::string& path,
                  std::map<const OneofDescriptor*, std::string>* chosen) {
    const OneofDescriptor* oneof = field.real_containing_oneof();
    if (oneof == nullptr) return false;
    const auto [first, inserted] = chosen->emplace(oneof, field.name());
    if (inserted) return false;
    Fail(path, Quoted(field.name()) + " cannot be given together with " + Quoted(first->second), "",
         member.position);
    return true;
  }

  void Field(const FieldDescriptor& field, const JsonNode& node, const std::string& path,
             Message* message) {
    Locate(path, node.position);
    if (field.is_map()) return Map(field, node, path, message);
    if (!field.is_repeated()) return Single(field, node, path, message);
    const bool is_match = IsMatch(field);
    if (node.kind != JsonKind::kArray) {
      return FailType(
          node, path, "an array",
          is_match && node.kind == JsonKind::kString ? "write it in square brackets" : "");
    }
    for (const JsonNode& item : node.items) {
      if (full_) return;
      // By the elements so far: one expression may have given several.
      const auto index = static_cast<size_t>(message->GetReflection()->FieldSize(*message, &field));
      if (is_match && item.kind == JsonKind::kString) {
        Expression(field, item, path, index, message);
      } else {
        Single(field, item, Element(path, index), message);
      }
    }
  }

  static bool IsMatch(const FieldDescriptor& field) {
    return field.is_repeated() && field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE &&
           field.message_type() == v1::Match::descriptor();
  }

  void Expression(const FieldDescriptor& field, const JsonNode& node, const std::string& path,
                  size_t index, Message* message) {
    google::protobuf::RepeatedPtrField<v1::Match> blocks;
    Violations faults;
    const std::string first = Element(path, index);
    if (!ParseExpression(node.string, first, &blocks, &faults)) {
      for (const Violation& fault : faults) {
        if (full_) return;
        const auto character = static_cast<size_t>(fault.column > 0 ? fault.column - 1 : 0);
        Fail(first, fault.description, fault.hint, PositionInString(tree_, node, character));
      }
      blocks.Add();  // keeps the indices, see Single
    }
    for (v1::Match& block : blocks) {
      Locate(Element(path, index++), node.position);
      auto* added = message->GetReflection()->AddMessage(message, &field);
      static_cast<v1::Match*>(added)->Swap(&block);
    }
  }

  void Map(const FieldDescriptor& field, const JsonNode& node, const std::string& path,
           Message* message) {
    const FieldDescriptor& key = *field.message_type()->map_key();
    const FieldDescriptor& value = *field.message_type()->map_value();
    if (node.kind != JsonKind::kObject) return FailType(node, path, "an object", "");
    if (key.cpp_type() != FieldDescriptor::CPPTYPE_STRING) {
      return Fail(path, "cannot be given as JSON", "", node.position);
    }
    std::set<std::string> seen;
    for (const JsonMember& member : node.members) {
      const std::string member_path = path + "[" + Quoted(member.key) + "]";
      if (!seen.insert(member.key).second) {
        Fail(member_path, "the key is given twice", "", member.position);
        continue;
      }
      Message* entry = message->GetReflection()->AddMessage(message, &field);
      entry->GetReflection()->SetString(entry, &key, member.key);
      Single(value, member.value, member_path, entry);
    }
  }

  // Sets a singular field or adds one element. A faulty element is added empty: later checks name
  // elements by their index, which must be that of the text.
  void Single(const FieldDescriptor& field, const JsonNode& node, const std::string& path,
              Message* message) {
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32:
        return Whole<int32_t>(field, node, path, message, &Reflection::SetInt32,
                              &Reflection::AddInt32);
      case FieldDescriptor::CPPTYPE_INT64:
        return Whole<int64_t>(field, node, path, message, &Reflection::SetInt64,
                              &Reflection::AddInt64);
      case FieldDescriptor::CPPTYPE_UINT32:
        return Whole<uint32_t>(field, node, path, message, &Reflection::SetUInt32,
                               &Reflection::AddUInt32);
      case FieldDescriptor::CPPTYPE_UINT64:
        return Whole<uint64_t>(field, node, path, message, &Reflection::SetUInt64,
                               &Reflection::AddUInt64);
      case FieldDescriptor::CPPTYPE_DOUBLE:
        return Real<double>(field, node, path, message, &Reflection::SetDouble,
                            &Reflection::AddDouble);
      case FieldDescriptor::CPPTYPE_FLOAT:
        return Real<float>(field, node, path, message, &Reflection::SetFloat,
                           &Reflection::AddFloat);
      case FieldDescriptor::CPPTYPE_BOOL:
        if (node.kind != JsonKind::kBool) FailType(node, path, "true or false", "");
        return Put<bool>(field, message, node.boolean, &Reflection::SetBool, &Reflection::AddBool);
      case FieldDescriptor::CPPTYPE_ENUM:
        return Enum(field, node, path, message);
      case FieldDescriptor::CPPTYPE_STRING:
        return Text(field, node, path, message);
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return Submessage(field, node, path, message);
    }
  }

  template <typename T, typename Arg = T>
  void Put(const FieldDescriptor& field, Message* message, T value,
           void (Reflection::*set)(Message*, const FieldDescriptor*, Arg) const,
           void (Reflection::*add)(Message*, const FieldDescriptor*, Arg) const) {
    (message->GetReflection()->*(field.is_repeated() ? add : set))(message, &field,
                                                                   std::move(value));
  }

  template <typename T>
  void Whole(const FieldDescriptor& field, const JsonNode& node, const std::string& path,
             Message* message, void (Reflection::*set)(Message*, const FieldDescriptor*, T) const,
             void (Reflection::*add)(Message*, const FieldDescriptor*, T) const) {
    std::optional<T> value;
    if (IsNumberAsString(field) && node.kind == JsonKind::kString) {
      if (const auto whole = ParseWhole(node.string)) value = Narrow<T>(*whole);
      if (!value.has_value()) {
        Fail(path, "expected a whole number, found " + Quoted(node.string), "", node.position);
      }
    } else {
      value = Checked<T>(node, path);
    }
    if (!value.has_value() && !field.is_repeated()) return;
    Put<T>(field, message, value.value_or(0), set, add);
  }

  template <typename T>
  std::optional<T> Checked(const JsonNode& node, const std::string& path) {
    if (!IsNumber(node.kind)) {
      FailType(node, path, "a whole number",
               node.kind == JsonKind::kString ? "write it without quotes" : "");
      return std::nullopt;
    }
    if (HasFraction(node)) {
      Fail(path, "expected a whole number, found " + AsWritten(tree_, node), "", node.position);
      return std::nullopt;
    }
    const std::optional<WholeNumber> whole = ToWhole(node);
    const std::optional<T> value = whole.has_value() ? Narrow<T>(*whole) : std::nullopt;
    if (!value.has_value()) {
      using Limits = std::numeric_limits<T>;
      Fail(path,
           AsWritten(tree_, node) + " is out of range " + std::to_string(Limits::min()) + ".." +
               std::to_string(Limits::max()),
           "", node.position);
    }
    return value;
  }

  template <typename T>
  void Real(const FieldDescriptor& field, const JsonNode& node, const std::string& path,
            Message* message, void (Reflection::*set)(Message*, const FieldDescriptor*, T) const,
            void (Reflection::*add)(Message*, const FieldDescriptor*, T) const) {
    double value = node.number;
    if (node.kind == JsonKind::kInt) {
      value = static_cast<double>(node.integer);
    } else if (node.kind == JsonKind::kUint) {
      value = static_cast<double>(node.unsigned_integer);
    } else if (node.kind != JsonKind::kDouble) {
      FailType(node, path, "a number",
               node.kind == JsonKind::kString ? "write it without quotes" : "");
    }
    if (std::fabs(value) > static_cast<double>(std::numeric_limits<T>::max())) {
      Fail(path, AsWritten(tree_, node) + " is too large", "", node.position);
      value = 0;
    }
    Put<T>(field, message, static_cast<T>(value), set, add);
  }

  void Enum(const FieldDescriptor& field, const JsonNode& node, const std::string& path,
            Message* message) {
    const std::vector<std::string> names = EnumValueNames(*field.enum_type());
    const EnumValueDescriptor* value = nullptr;
    if (node.kind != JsonKind::kString) {
      FailType(node, path, "one of " + Joined(names), "");
    } else {
      value = FindEnumValue(*field.enum_type(), node.string);
      if (value == nullptr) {
        Fail(path, Quoted(node.string) + " is not one of " + Joined(names),
             DidYouMean(node.string, names), node.position);
      }
    }
    if (value == nullptr) value = field.enum_type()->FindValueByNumber(0);
    Put<const EnumValueDescriptor*>(field, message, value, &Reflection::SetEnum,
                                    &Reflection::AddEnum);
  }

  void Text(const FieldDescriptor& field, const JsonNode& node, const std::string& path,
            Message* message) {
    if (field.type() == FieldDescriptor::TYPE_BYTES) {
      return Fail(path, "cannot be given as JSON", "", node.position);
    }
    if (node.kind != JsonKind::kString) FailType(node, path, "a string", "write it in quotes");
    Put<std::string>(field, message, node.string, &Reflection::SetString, &Reflection::AddString);
  }

  void Submessage(const FieldDescriptor& field, const JsonNode& node, const std::string& path,
                  Message* message) {
    const Reflection& reflection = *message->GetReflection();
    const auto child = [&] {
      return field.is_repeated() ? reflection.AddMessage(message, &field)
                                 : reflection.MutableMessage(message, &field);
    };
    if (IsDuration(*field.message_type())) {
      std::optional<int64_t> ns = Duration(node, path);
      if (!ns.has_value() && !field.is_repeated()) return;
      child()->CopyFrom(NsToDuration(ns.value_or(0)));
    } else if (IsFieldMask(*field.message_type())) {
      if (node.kind != JsonKind::kString) {
        return FailType(node, path, "names of fields in one string", "such as \"weight,slice\"");
      }
      child()->CopyFrom(Mask(node.string));
    } else {
      Object(node, path, child());
    }
    Locate(path, node.position);
  }

  std::optional<int64_t> Duration(const JsonNode& node, const std::string& path) {
    if (node.kind != JsonKind::kString) {
      FailType(node, path, "a duration",
               IsNumber(node.kind) ? "write number and unit in quotes, such as \"5ms\""
                                   : "write a string such as \"5ms\"");
      return std::nullopt;
    }
    const auto ns = ParseDurationNs(node.string);
    if (ns.ok()) return *ns;
    Fail(path, std::string(ns.status().message()), "", node.position);
    return std::nullopt;
  }

  static google::protobuf::FieldMask Mask(const std::string& text) {
    google::protobuf::FieldMask mask;
    size_t start = 0;
    while (start <= text.size() && !text.empty()) {
      const size_t end = std::min(text.find(',', start), text.size());
      mask.add_paths(text.substr(start, end - start));
      start = end + 1;
    }
    return mask;
  }

  const JsonTree& tree_;
  Violations* const violations_;
  TreeMap* const map_;
  size_t faults_ = 0;
  bool full_ = false;  // of faults
};

}  // namespace

bool TreeToProto(const JsonTree& tree, Message* message, Violations* violations, TreeMap* map) {
  TreeMap unused;
  const size_t before = violations->size();
  Walker(tree, violations, map == nullptr ? &unused : map).Object(tree.root, "", message);
  return violations->size() == before;
}

TextPosition FindPosition(const TreeMap& map, const std::string& path) {
  for (std::string p = path;; p = ParentPath(p)) {
    const auto found = map.positions.find(p);
    if (found != map.positions.end()) return found->second;
    if (p.empty()) return {};
  }
}

}  // namespace layered
