// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/testing/raw_call.h"

#include <grpcpp/generic/generic_stub.h>

#include <chrono>
#include <vector>

namespace layered::api {

grpc::Status RawCall(const std::shared_ptr<grpc::Channel>& channel, const std::string& method,
                     const std::string& request, std::string* response) {
  grpc::GenericStub stub(channel);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
  const grpc::Slice slice(request);
  const grpc::ByteBuffer sent(&slice, 1);
  grpc::ByteBuffer received;
  grpc::Status status;
  grpc::CompletionQueue queue;
  const auto call = stub.PrepareUnaryCall(&context, method, sent, &queue);
  call->StartCall();
  call->Finish(&received, &status, nullptr);
  void* tag = nullptr;
  bool ok = false;
  queue.Next(&tag, &ok);
  response->clear();
  std::vector<grpc::Slice> slices;
  if (status.ok() && received.Dump(&slices).ok()) {
    for (const grpc::Slice& part : slices) {
      response->append(reinterpret_cast<const char*>(part.begin()), part.size());
    }
  }
  queue.Shutdown();
  while (queue.Next(&tag, &ok)) {
  }
  return status;
}

std::shared_ptr<grpc::Channel> OwnChannel(const std::string& socket) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel("unix:" + socket, grpc::InsecureChannelCredentials(), arguments);
}

}  // namespace layered::api
