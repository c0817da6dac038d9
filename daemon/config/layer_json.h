// SPDX-License-Identifier: Apache-2.0
//
// Messages of the schema as JSON text. What is printed of layers, ParseLayerSet (load.h) reads back
// to the same set.
//
// Keys are snake_case, enum values short and in lower case, durations strings ("5ms"), blocks of a
// match expressions. 64-bit numbers are JSON numbers, except revisions, which are strings.
// Fields that know whether they are set are printed only then; all others always, so that readers
// find every counter and list. An enum that is not set is left out.
//
// Thread-safety: pure functions.

#ifndef LAYERED_DAEMON_CONFIG_LAYER_JSON_H_
#define LAYERED_DAEMON_CONFIG_LAYER_JSON_H_

#include <string>

#include "google/protobuf/message.h"
#include "layered/v1/layer.pb.h"

namespace layered {

// Any message; `pretty` indents by two and ends with a newline, otherwise it is one line without.
std::string MessageToJson(const google::protobuf::Message& message, bool pretty);

// Pretty: a file that starts an identical daemon.
std::string LayerSetToJson(const v1::LayerSet& set);

}  // namespace layered

#endif  // LAYERED_DAEMON_CONFIG_LAYER_JSON_H_
