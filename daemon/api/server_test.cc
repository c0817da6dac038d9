// SPDX-License-Identifier: Apache-2.0
//
// Reads, writes, and the life of the server.

#include "daemon/api/server.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>
#include <vector>

#include "daemon/api/testing/server_fixture.h"
#include "layered/v1/layer_service.grpc.pb.h"
#include "layered/v1/scheduler_service.grpc.pb.h"
#include "layered/v1/stats_service.grpc.pb.h"

namespace layered::api {
namespace {

TEST_F(ServerTest, ReadsAndWrites) {
  ASSERT_NO_FATAL_FAILURE(Start());
  v1::SetLayerResponse set;
  ASSERT_TRUE(Set(SetRequest("web", 300), &set).ok());
  EXPECT_EQ(set.revision(), 2u);
  EXPECT_FALSE(set.unchanged());
  EXPECT_EQ(set.layer().weight(), 300u);

  const auto layers = v1::LayerService::NewStub(Connect());
  grpc::ClientContext list_context, get_context, none_context, delete_context;
  v1::ListLayersResponse list;
  ASSERT_TRUE(layers->ListLayers(&list_context, {}, &list).ok());
  ASSERT_EQ(list.layers_size(), 2);
  EXPECT_EQ(list.layers(0).name(), "web");
  EXPECT_EQ(list.etag(), set.etag());

  v1::GetLayerRequest get;
  get.set_name("web");
  v1::GetLayerResponse got;
  ASSERT_TRUE(layers->GetLayer(&get_context, get, &got).ok());
  EXPECT_EQ(got.layer().SerializeAsString(), set.layer().SerializeAsString());
  get.set_name("nobody");
  EXPECT_EQ(layers->GetLayer(&none_context, get, &got).error_code(), grpc::StatusCode::NOT_FOUND);

  v1::DeleteLayerRequest remove;
  remove.set_name("web");
  v1::DeleteLayerResponse removed;
  ASSERT_TRUE(layers->DeleteLayer(&delete_context, remove, &removed).ok());
  EXPECT_EQ(removed.revision(), 3u);
}

TEST_F(ServerTest, LayersComeWithTheirDefaults) {
  ASSERT_NO_FATAL_FAILURE(Start());
  v1::SetLayerRequest request = SetRequest("web", 1);
  request.mutable_layer()->clear_weight();
  v1::SetLayerResponse set;
  ASSERT_TRUE(Set(request, &set).ok());
  const auto layers = v1::LayerService::NewStub(Connect());
  grpc::ClientContext list_context, get_context;
  v1::ListLayersResponse list;
  ASSERT_TRUE(layers->ListLayers(&list_context, {}, &list).ok());
  ASSERT_EQ(list.layers_size(), 2);
  v1::GetLayerRequest get;
  get.set_name("web");
  v1::GetLayerResponse got;
  ASSERT_TRUE(layers->GetLayer(&get_context, get, &got).ok());
  for (const v1::Layer& layer : {set.layer(), got.layer(), list.layers(0), list.layers(1)}) {
    EXPECT_EQ(layer.kind(), v1::LAYER_KIND_OPEN) << layer.name();
    EXPECT_EQ(layer.weight(), 100u) << layer.name();
    EXPECT_EQ(layer.slice().nanos(), 5'000'000) << layer.name();
  }
  EXPECT_FALSE(store_.Desired()->layers.layers(0).has_weight()) << "stored as it was given";

  // What was read can be written back: it is what already is.
  *request.mutable_layer() = got.layer();
  request.set_etag(got.etag());
  v1::SetLayerResponse again;
  ASSERT_TRUE(Set(request, &again).ok());
  EXPECT_TRUE(again.unchanged());
  EXPECT_EQ(again.etag(), set.etag());
}

TEST_F(ServerTest, AllViolationsOfAWriteComeBack) {
  ASSERT_NO_FATAL_FAILURE(Start());
  v1::SetLayerRequest request = SetRequest("web", 0);
  request.mutable_layer()->mutable_slice()->set_seconds(10);
  v1::SetLayerResponse response;
  const grpc::Status status = Set(request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(ViolationsOf(status).field_violations_size(), 2);
}

TEST_F(ServerTest, StatusHasTheLatencyOfWrites) {
  ASSERT_NO_FATAL_FAILURE(Start());
  v1::SetLayerResponse set;
  for (uint32_t weight = 1; weight <= 3; ++weight) {
    ASSERT_TRUE(Set(SetRequest("web", weight), &set).ok());
  }
  const auto stub = v1::SchedulerService::NewStub(Connect());
  v1::GetStatusResponse status;
  // The reply is counted once it is sent, which the client may see first.
  for (int i = 0; i < 100 && status.write_latency().count() < 3; ++i) {
    grpc::ClientContext context;
    ASSERT_TRUE(stub->GetStatus(&context, {}, &status).ok());
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(status.write_latency().count(), 3u);
  EXPECT_GT(status.write_latency().p50_ns(), 0u);
  EXPECT_GE(status.write_latency().max_ns(), status.write_latency().p99_ns());
  EXPECT_EQ(status.kernel(), "6.18.0-fake");
}

TEST_F(ServerTest, StopEndsStreamsAndRemovesTheSocket) {
  ASSERT_NO_FATAL_FAILURE(Start());
  grpc::ClientContext context;
  const auto stub = v1::StatsService::NewStub(Connect());
  const auto reader = stub->Watch(&context, {});
  ASSERT_TRUE(WaitForSubscribers(hub_, 1));
  server_->Stop();
  v1::WatchResponse sample;
  EXPECT_FALSE(reader->Read(&sample));
  const grpc::Status status = reader->Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(status.error_message(), "the daemon stops");
  EXPECT_EQ(hub_.subscribers(), 0);
  EXPECT_FALSE(std::filesystem::exists(options_.socket_path));
  server_->Stop();  // twice does no harm
}

TEST_F(ServerTest, StopDoesNotWaitForAStoreThatHangs) {
  ASSERT_NO_FATAL_FAILURE(Start());
  store_.Freeze(true);
  grpc::Status status;
  std::thread writer([&] {
    v1::SetLayerResponse response;
    status = Set(SetRequest("web", 300), &response);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  server_->Stop();
  writer.join();
  EXPECT_FALSE(status.ok());
  // The command is still carried out, and its answer finds nobody.
  store_.Freeze(false);
  for (int i = 0; i < 1000 && store_.Desired()->number == 1; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(store_.Desired()->number, 2u);
}

TEST_F(ServerTest, ConnectionsOfOneUserAreLimitedAndFreedAgain) {
  options_.limits.connections_per_uid = 3;
  ASSERT_NO_FATAL_FAILURE(Start());
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  strncpy(address.sun_path, options_.socket_path.c_str(), sizeof(address.sun_path) - 1);
  const auto connect_raw = [&] {
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT_EQ(connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    return fd;
  };
  // A server that keeps a connection sends its settings; one over the limit is closed.
  const auto kept = [](int fd) {
    char byte;
    return recv(fd, &byte, 1, 0) == 1;
  };
  std::vector<int> fds;
  for (int i = 0; i < 3; ++i) {
    fds.push_back(connect_raw());
    EXPECT_TRUE(kept(fds.back())) << i;
  }
  const int over = connect_raw();
  EXPECT_FALSE(kept(over));
  close(over);
  for (const int fd : fds) close(fd);
  bool again = false;
  for (int i = 0; i < 1000 && !again; ++i) {
    const int fd = connect_raw();
    again = kept(fd);
    close(fd);
    if (!again) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_TRUE(again);
}

TEST_F(ServerTest, StartTellsWhatIsWrongWithTheSocket) {
  options_.socket_path = folder_ + "/none/s";
  server_ = std::make_unique<Server>(options_);
  EXPECT_EQ(server_->Start().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace layered::api
