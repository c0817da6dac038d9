// SPDX-License-Identifier: Apache-2.0
//
// How names of the schema look in JSON, for reading and for printing: enum values in lower case
// without their common prefix (LAYER_KIND_OPEN is "open"), numbers that are printed as strings.
//
// Thread-safety: pure functions over descriptors.

#ifndef LAYERED_DAEMON_CONFIG_PROTO_NAMES_H_
#define LAYERED_DAEMON_CONFIG_PROTO_NAMES_H_

#include <string>
#include <vector>

#include "google/protobuf/descriptor.h"

namespace layered {

// "open" for LAYER_KIND_OPEN.
std::string EnumValueName(const google::protobuf::EnumValueDescriptor& value);

// The value with this short or canonical name; nullptr if there is none. The zero value
// (UNSPECIFIED) has no name: leaving the field out says the same.
const google::protobuf::EnumValueDescriptor* FindEnumValue(
    const google::protobuf::EnumDescriptor& type, const std::string& name);

// The short names of all values but UNSPECIFIED.
std::vector<std::string> EnumValueNames(const google::protobuf::EnumDescriptor& type);

// Revisions are names of a state, not quantities: strings in JSON, for many readers keep only 53
// bits of a number. (Counters are numbers all the same; rates of them do not mind.)
bool IsNumberAsString(const google::protobuf::FieldDescriptor& field);

// google.protobuf types that have a form of their own in JSON.
bool IsDuration(const google::protobuf::Descriptor& type);
bool IsFieldMask(const google::protobuf::Descriptor& type);

}  // namespace layered

#endif  // LAYERED_DAEMON_CONFIG_PROTO_NAMES_H_
