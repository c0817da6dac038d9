// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/refuse_service.h"

#include <utility>

#include "daemon/api/access.h"
#include "daemon/api/audit.h"
#include "daemon/api/status_details.h"
#include "spdlog/spdlog.h"

namespace layered::api {
namespace {

constexpr uint64_t kBetweenLinesNs = 1'000'000'000;

class Refusal final : public grpc::ServerGenericBidiReactor {
 public:
  explicit Refusal(const absl::Status& status) { Finish(ToGrpc(status)); }
  void OnDone() override { delete this; }
};

}  // namespace

grpc::ServerGenericBidiReactor* RefuseService::CreateReactor(
    grpc::GenericCallbackServerContext* context) {
  const Peer peer = peers_->Find(context->peer()).value_or(Peer{});
  const absl::Status refusal = absl::PermissionDeniedError(RefusalText(peer.credentials, policy_));
  if (IsWrite(context->method())) Audit(peer, context->method(), refusal);
  return new Refusal(refusal);
}

void RefuseService::Audit(const Peer& peer, const std::string& method,
                          const absl::Status& refusal) {
  uint64_t unsaid = 0;
  {
    std::lock_guard lock(mutex_);
    const uint64_t now = clock_->MonotonicNs();
    if (now < next_line_ns_) {
      ++unsaid_;
      return;
    }
    next_line_ns_ = now + kBetweenLinesNs;
    unsaid = std::exchange(unsaid_, 0);
  }
  // The request is not looked at: neither layer nor reason is known.
  std::string line = AuditLine(peer, method.substr(method.rfind('/') + 1), "", "", refusal);
  if (unsaid > 0) line += " (" + std::to_string(unsaid) + " more since the last such line)";
  spdlog::info("{}", line);
}

}  // namespace layered::api
