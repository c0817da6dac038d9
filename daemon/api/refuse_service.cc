// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/refuse_service.h"

#include "daemon/api/status_details.h"

namespace layered::api {
namespace {

class Refusal final : public grpc::ServerGenericBidiReactor {
 public:
  explicit Refusal(const absl::Status& status) { Finish(ToGrpc(status)); }
  void OnDone() override { delete this; }
};

}  // namespace

grpc::ServerGenericBidiReactor* RefuseService::CreateReactor(
    grpc::GenericCallbackServerContext* context) {
  const Peer peer = peers_->Find(context->peer()).value_or(Peer{});
  return new Refusal(absl::PermissionDeniedError(RefusalText(peer.credentials, policy_)));
}

}  // namespace layered::api
