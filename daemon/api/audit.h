// SPDX-License-Identifier: Apache-2.0
//
// One log line per attempted change: who, what, and what became of it. Refused attempts too.
//
// Thread-safety: may be called from any thread.

#ifndef LAYERED_DAEMON_API_AUDIT_H_
#define LAYERED_DAEMON_API_AUDIT_H_

#include <string>

#include "absl/status/statusor.h"
#include "daemon/api/peer_table.h"
#include "daemon/control/layer_store.h"

namespace layered::api {

// `text` in quotes, with everything that could end or forge a log line escaped. Long texts are cut.
std::string Quote(const std::string& text);

// The line, without the log's own prefix:
//   audit: uid=0 pid=12 comm="layeredctl" role=admin SetLayer layer="web" reason="" -> revision 5
std::string AuditLine(const Peer& peer, const std::string& method, const std::string& layer,
                      const std::string& reason, const absl::StatusOr<CommitResult>& result);

}  // namespace layered::api

#endif  // LAYERED_DAEMON_API_AUDIT_H_
