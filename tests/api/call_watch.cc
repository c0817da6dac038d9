// SPDX-License-Identifier: Apache-2.0
//
// call_watch SOCKET STREAMS SAMPLES: opens so many Watch streams, each on a connection of its own,
// reads so many samples from each, prints how many it got in all.

#include <stdio.h>
#include <stdlib.h>

#include <memory>
#include <vector>

#include "daemon/api/testing/raw_call.h"
#include "layered/v1/stats_service.grpc.pb.h"

namespace {

struct Stream {
  std::unique_ptr<layered::v1::StatsService::Stub> stub;
  grpc::ClientContext context;
  std::unique_ptr<grpc::ClientReader<layered::v1::WatchResponse>> reader;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  layered::v1::WatchRequest request;
  request.mutable_interval()->set_nanos(500'000'000);
  std::vector<std::unique_ptr<Stream>> streams;
  for (int i = 0; i < atoi(argv[2]); ++i) {
    streams.push_back(std::make_unique<Stream>());
    Stream& stream = *streams.back();
    stream.stub = layered::v1::StatsService::NewStub(layered::api::OwnChannel(argv[1]));
    stream.reader = stream.stub->Watch(&stream.context, request);
  }
  int samples = 0;
  for (int i = 0; i < atoi(argv[3]); ++i) {
    for (const auto& stream : streams) {
      layered::v1::WatchResponse sample;
      samples += stream->reader->Read(&sample) ? 1 : 0;
    }
  }
  printf("%d samples\n", samples);
  for (const auto& stream : streams) {
    stream->context.TryCancel();
    stream->reader->Finish();
  }
  return 0;
}
