// SPDX-License-Identifier: Apache-2.0
//
// Errors on the wire. An absl::Status with its violations becomes a grpc::Status whose
// `grpc-status-details-bin` holds google.rpc.BadRequest and google.rpc.ErrorInfo (by messages of
// our own that equal them, errors.proto), and back.
//
// Clients refuse trailers beyond 8 KiB by default, so the details are cut to fit; what is left out
// is counted in a last violation.
//
// Thread-safety: pure functions.

#ifndef LAYERED_DAEMON_API_STATUS_DETAILS_H_
#define LAYERED_DAEMON_API_STATUS_DETAILS_H_

#include <grpcpp/support/status.h>

#include <string>

#include "absl/status/status.h"

namespace layered::api {

// OK stays OK. Same code; message at most 512 bytes; violations as BadRequest; ErrorInfo with
// domain "layered" and a reason made from the code ("ETAG_MISMATCH" for ABORTED, ...).
grpc::Status ToGrpc(const absl::Status& status);

// The other way, for clients. FromStatus(FromGrpc(s)) gives the violations, with hints and columns.
// Details that are missing or unreadable are just absent.
absl::Status FromGrpc(const grpc::Status& status);

// The ErrorInfo reason of a code, "INTERNAL" for those without one of their own.
std::string ReasonOf(absl::StatusCode code);

}  // namespace layered::api

#endif  // LAYERED_DAEMON_API_STATUS_DETAILS_H_
