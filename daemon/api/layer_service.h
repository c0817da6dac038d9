// SPDX-License-Identifier: Apache-2.0
//
// LayerService over a LayerStore. Reads are answered at once from the current revision; writes are
// queued at the store and answered from its callback. Every attempted change is audited.
//
// Thread-safety: called by gRPC from any thread; handlers never block.
// Ownership: what is passed in is borrowed and outlives the server that runs the service. A command
// whose client left (or whose server stopped) is carried out all the same and audited.
// Failure: the store's statuses reach the client with all violations (status_details.h).

#ifndef LAYERED_DAEMON_API_LAYER_SERVICE_H_
#define LAYERED_DAEMON_API_LAYER_SERVICE_H_

#include <grpcpp/grpcpp.h>

#include "daemon/api/peer_table.h"
#include "daemon/base/clock.h"
#include "daemon/control/layer_store.h"
#include "daemon/stats/histogram.h"
#include "layered/v1/layer_service.grpc.pb.h"

namespace layered::api {

class LayerService final : public v1::LayerService::CallbackService {
 public:
  LayerService(LayerStore* store, const PeerTable* peers, const Clock* clock, Histogram* latency)
      : store_(store), peers_(peers), clock_(clock), latency_(latency) {}

  grpc::ServerUnaryReactor* ListLayers(grpc::CallbackServerContext* context,
                                       const v1::ListLayersRequest* request,
                                       v1::ListLayersResponse* response) override;
  grpc::ServerUnaryReactor* GetLayer(grpc::CallbackServerContext* context,
                                     const v1::GetLayerRequest* request,
                                     v1::GetLayerResponse* response) override;
  grpc::ServerUnaryReactor* SetLayer(grpc::CallbackServerContext* context,
                                     const v1::SetLayerRequest* request,
                                     v1::SetLayerResponse* response) override;
  grpc::ServerUnaryReactor* DeleteLayer(grpc::CallbackServerContext* context,
                                        const v1::DeleteLayerRequest* request,
                                        v1::DeleteLayerResponse* response) override;

 private:
  LayerStore* const store_;
  const PeerTable* const peers_;
  const Clock* const clock_;
  Histogram* const latency_;
};

}  // namespace layered::api

#endif  // LAYERED_DAEMON_API_LAYER_SERVICE_H_
