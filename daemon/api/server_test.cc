// SPDX-License-Identifier: Apache-2.0
//
// The whole API in one process, over a real socket, with fakes behind it. What it says to peers is
// decided by credentials that the test makes up.

#include "daemon/api/server.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "daemon/api/testing/fake_layer_store.h"
#include "daemon/api/testing/fake_sample_hub.h"
#include "daemon/api/testing/fake_status_source.h"
#include "daemon/api/testing/raw_call.h"
#include "daemon/base/clock.h"
#include "layered/v1/errors.pb.h"
#include "layered/v1/layer_service.grpc.pb.h"
#include "layered/v1/scheduler_service.grpc.pb.h"
#include "layered/v1/stats_service.grpc.pb.h"

namespace layered::api {
namespace {

constexpr char kHealth[] = "/grpc.health.v1.Health/Check";
constexpr char kReflection[] = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";
constexpr char kListServices[] = "\x3a";  // with a length of 0 behind it: list_services = ""

class ServerTest : public testing::Test {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/api.XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
    options_.socket_path = folder_ + "/s";
    options_.group_file = folder_ + "/group";
    // Our own group: the only one that a sandbox lets us give a file to.
    std::ofstream(options_.group_file) << "layered:x:" << getegid() << ":\n";
    options_.store = &store_;
    options_.status = &status_;
    options_.hub = &hub_;
    options_.clock = &clock_;
    options_.credentials = [this](int) -> absl::StatusOr<Credentials> {
      std::lock_guard lock(mutex_);
      return peer_;
    };
    Become({.uid = 0, .gid = 0, .pid = getpid(), .groups = {}});
  }

  void TearDown() override {
    server_.reset();
    std::filesystem::remove_all(folder_);
  }

  void Start() {
    server_ = std::make_unique<Server>(options_);
    const absl::Status status = server_->Start();
    ASSERT_TRUE(status.ok()) << status;
  }

  void Become(Credentials peer) {
    std::lock_guard lock(mutex_);  // the accept thread reads it
    peer_ = std::move(peer);
  }
  void BecomeViewer() {
    Become({.uid = 1000, .gid = 1000, .pid = getpid(), .groups = {4, getegid()}});
  }
  void BecomeStranger() { Become({.uid = 1001, .gid = 1001, .pid = getpid(), .groups = {4}}); }

  std::shared_ptr<grpc::Channel> Connect() const { return OwnChannel(options_.socket_path); }

  static v1::SetLayerRequest SetRequest(const std::string& name, uint32_t weight) {
    v1::SetLayerRequest request;
    request.mutable_layer()->set_name(name);
    request.mutable_layer()->set_weight(weight);
    v1::StringMatch* const comm = request.mutable_layer()->add_match()->add_terms()->mutable_comm();
    comm->set_form(v1::STRING_FORM_EXACT);
    comm->set_value("nginx");
    return request;
  }

  grpc::Status Set(const v1::SetLayerRequest& request, v1::SetLayerResponse* response) const {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
    return v1::LayerService::NewStub(Connect())->SetLayer(&context, request, response);
  }

  static bool WaitForSubscribers(const FakeSampleHub& hub, int count) {
    for (int i = 0; i < 2000 && hub.subscribers() != count; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return hub.subscribers() == count;
  }

  static v1::BadRequest ViolationsOf(const grpc::Status& status) {
    v1::Status details;
    v1::BadRequest request;
    EXPECT_TRUE(details.ParseFromString(status.error_details()));
    if (details.details_size() > 0) request.ParseFromString(details.details(0).value());
    return request;
  }

  SystemClock clock_;
  FakeLayerStore store_{"test"};
  FakeStatusSource status_{"test", &store_};
  FakeSampleHub hub_{"test", &clock_, 0};
  std::mutex mutex_;
  Credentials peer_;
  std::string folder_;
  Server::Options options_;
  std::unique_ptr<Server> server_;
};

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

TEST_F(ServerTest, ViewersReadAndAreToldWhatWritingNeeds) {
  BecomeViewer();
  ASSERT_NO_FATAL_FAILURE(Start());
  grpc::ClientContext list_context, delete_context;
  v1::ListLayersResponse list;
  const auto layers = v1::LayerService::NewStub(Connect());
  ASSERT_TRUE(layers->ListLayers(&list_context, {}, &list).ok());

  v1::SetLayerResponse set;
  const grpc::Status refused = Set(SetRequest("web", 300), &set);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_NE(refused.error_message().find("viewer"), std::string::npos) << refused.error_message();
  EXPECT_NE(refused.error_message().find("admin"), std::string::npos) << refused.error_message();
  v1::DeleteLayerRequest remove;
  remove.set_name("default");
  v1::DeleteLayerResponse removed;
  EXPECT_EQ(layers->DeleteLayer(&delete_context, remove, &removed).error_code(),
            grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(store_.Desired()->number, 1u);
}

TEST_F(ServerTest, StrangersAreRefusedEverything) {
  BecomeStranger();
  ASSERT_NO_FATAL_FAILURE(Start());
  const auto channel = Connect();
  for (const char* method :
       {"/layered.v1.LayerService/ListLayers", "/layered.v1.LayerService/GetLayer",
        "/layered.v1.LayerService/SetLayer", "/layered.v1.LayerService/DeleteLayer",
        "/layered.v1.SchedulerService/GetStatus", "/layered.v1.StatsService/Watch", kHealth,
        kReflection, "/no.such/Method"}) {
    std::string response;
    const grpc::Status status = RawCall(channel, method, "", &response);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::PERMISSION_DENIED) << method;
    EXPECT_NE(status.error_message().find("uid 1001"), std::string::npos) << method;
  }
  EXPECT_EQ(hub_.subscribers(), 0);
}

TEST_F(ServerTest, HealthAndReflectionAnswerAdminsAndViewers) {
  ASSERT_NO_FATAL_FAILURE(Start());
  for (int viewer = 0; viewer < 2; ++viewer) {
    if (viewer == 1) BecomeViewer();
    const auto channel = Connect();
    std::string response;
    ASSERT_TRUE(RawCall(channel, kHealth, "", &response).ok());
    EXPECT_EQ(response, "\x08\x01");  // SERVING
    const std::string name = "layered.v1.LayerService";
    ASSERT_TRUE(
        RawCall(channel, kHealth, "\x0a" + std::string(1, char(name.size())) + name, &response)
            .ok());
    EXPECT_EQ(response, "\x08\x01");
    const grpc::Status reflected =
        RawCall(channel, kReflection, std::string(kListServices) + '\0', &response);
    ASSERT_TRUE(reflected.ok()) << reflected.error_message();
    for (const char* service : {"layered.v1.LayerService", "layered.v1.SchedulerService",
                                "layered.v1.StatsService", "grpc.health.v1.Health"}) {
      EXPECT_NE(response.find(service), std::string::npos) << service;
    }
    EXPECT_EQ(RawCall(channel, "/no.such/Method", "", &response).error_code(),
              grpc::StatusCode::UNIMPLEMENTED);
  }
}

TEST_F(ServerTest, WatchSendsSamplesAsTheHubGivesThem) {
  ASSERT_NO_FATAL_FAILURE(Start());
  grpc::ClientContext context;
  v1::WatchRequest request;
  request.mutable_interval()->set_nanos(250'000'000);
  request.add_layers("web");
  const auto stub = v1::StatsService::NewStub(Connect());
  const auto reader = stub->Watch(&context, request);
  ASSERT_TRUE(WaitForSubscribers(hub_, 1));
  EXPECT_EQ(hub_.last_options().interval_ns, 250'000'000);
  EXPECT_EQ(hub_.last_options().layers, std::vector<std::string>{"web"});

  v1::WatchResponse sample;
  hub_.Tick();
  ASSERT_TRUE(reader->Read(&sample));
  EXPECT_TRUE(sample.first());
  const uint64_t first_ns = sample.time_ns();
  hub_.Tick();
  ASSERT_TRUE(reader->Read(&sample));
  EXPECT_FALSE(sample.first());
  EXPECT_EQ(sample.gap(), 0u);
  EXPECT_EQ(sample.interval_ns(), sample.time_ns() - first_ns);
  EXPECT_EQ(sample.layers(0).name(), "web");

  context.TryCancel();
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_TRUE(WaitForSubscribers(hub_, 0));
}

TEST_F(ServerTest, BadWatchRequestsAreRefusedWithTheField) {
  ASSERT_NO_FATAL_FAILURE(Start());
  grpc::ClientContext context;
  v1::WatchRequest request;
  request.mutable_interval()->set_nanos(1'000'000);
  const auto stub = v1::StatsService::NewStub(Connect());
  const auto reader = stub->Watch(&context, request);
  v1::WatchResponse sample;
  EXPECT_FALSE(reader->Read(&sample));
  const grpc::Status status = reader->Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  ASSERT_EQ(ViolationsOf(status).field_violations_size(), 1);
  EXPECT_EQ(ViolationsOf(status).field_violations(0).field(), "interval");
}

TEST_F(ServerTest, WatchersOfOneUserAreLimited) {
  options_.limits.watchers_per_uid = 2;
  ASSERT_NO_FATAL_FAILURE(Start());
  const auto stub = v1::StatsService::NewStub(Connect());
  grpc::ClientContext contexts[3];
  std::vector<std::unique_ptr<grpc::ClientReader<v1::WatchResponse>>> readers;
  for (auto& context : contexts) {
    readers.push_back(stub->Watch(&context, {}));
    ASSERT_TRUE(WaitForSubscribers(hub_, std::min(2, static_cast<int>(readers.size()))));
  }
  v1::WatchResponse sample;
  EXPECT_FALSE(readers[2]->Read(&sample));
  EXPECT_EQ(readers[2]->Finish().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  hub_.Tick();
  EXPECT_TRUE(readers[0]->Read(&sample));
  for (int i = 0; i < 2; ++i) {
    contexts[i].TryCancel();
    readers[static_cast<std::size_t>(i)]->Finish();
  }
}

TEST_F(ServerTest, ASlowReaderIsToldWhatItLost) {
  // Frames so large that a few of them fill every buffer on the way.
  FakeSampleHub large("test", &clock_, 200'000);
  options_.hub = &large;
  ASSERT_NO_FATAL_FAILURE(Start());
  grpc::ClientContext context;
  const auto stub = v1::StatsService::NewStub(Connect());
  const auto reader = stub->Watch(&context, {});
  ASSERT_TRUE(WaitForSubscribers(large, 1));
  constexpr uint64_t kTicks = 100;
  for (uint64_t i = 0; i < kTicks; ++i) {
    large.Tick();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  // Read until every sample was either seen or reported lost.
  uint64_t seen = 0, lost = 0;
  v1::WatchResponse sample;
  while (seen + lost < kTicks && reader->Read(&sample)) {
    ++seen;
    lost += sample.gap();
  }
  EXPECT_EQ(seen + lost, kTicks);
  EXPECT_GT(lost, 0u);
  context.TryCancel();
  reader->Finish();
  server_.reset();  // before its hub
}

TEST_F(ServerTest, AClientThatDoesNotReadLosesItsConnection) {
  FakeSampleHub large("test", &clock_, 200'000);
  options_.hub = &large;
  options_.limits.stalled_stream_ns = 100'000'000;
  ASSERT_NO_FATAL_FAILURE(Start());
  grpc::ClientContext context;
  const auto stub = v1::StatsService::NewStub(Connect());
  const auto reader = stub->Watch(&context, {});  // and never reads
  ASSERT_TRUE(WaitForSubscribers(large, 1));
  for (int i = 0; i < 2000 && large.subscribers() > 0; ++i) {
    large.Tick();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(large.subscribers(), 0);
  v1::WatchResponse sample;
  while (reader->Read(&sample)) {
  }
  EXPECT_FALSE(reader->Finish().ok());
  server_.reset();  // before its hub
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
