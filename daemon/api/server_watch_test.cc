// SPDX-License-Identifier: Apache-2.0
//
// Watch streams: samples, limits, readers that are slow or gone.

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "daemon/api/limits.h"
#include "daemon/api/server.h"
#include "daemon/api/testing/server_fixture.h"
#include "daemon/stats/sampler.h"
#include "layered/v1/stats_service.grpc.pb.h"

namespace layered::api {
namespace {

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

// Watch streams that stay open until the end of the test.
class Watchers {
 public:
  explicit Watchers(const std::shared_ptr<grpc::Channel>& channel)
      : stub_(v1::StatsService::NewStub(channel)) {}
  ~Watchers() {
    for (const auto& watch : open_) {
      watch->context.TryCancel();
      watch->reader->Finish();
    }
  }

  // Opens one; true if a sample comes, otherwise it is refused for its number.
  bool Open(FakeSampleHub& hub) {
    auto watch = std::make_unique<OneWatch>();
    watch->reader = stub_->Watch(&watch->context, {});
    const int wanted = hub.subscribers() + 1;
    // A refused stream ends by itself, an accepted one subscribes.
    std::thread ticker([&hub, wanted] {
      for (int i = 0; i < 100 && hub.subscribers() < wanted; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
      hub.Tick();
    });
    v1::WatchResponse sample;
    const bool served = watch->reader->Read(&sample);
    ticker.join();
    if (served) {
      open_.push_back(std::move(watch));
    } else {
      EXPECT_EQ(watch->reader->Finish().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
    }
    return served;
  }

 private:
  struct OneWatch {
    grpc::ClientContext context;
    std::unique_ptr<grpc::ClientReader<v1::WatchResponse>> reader;
  };
  std::unique_ptr<v1::StatsService::Stub> stub_;
  std::vector<std::unique_ptr<OneWatch>> open_;
};

TEST_F(ServerTest, ViewersCannotTakeEveryStream) {
  options_.limits.watchers_per_uid = 2;
  options_.limits.watchers_of_others = 3;
  ASSERT_NO_FATAL_FAILURE(Start());
  BecomeViewer();
  Watchers first(Connect());
  EXPECT_TRUE(first.Open(hub_));
  EXPECT_TRUE(first.Open(hub_));
  EXPECT_FALSE(first.Open(hub_)) << "the limit of one user";
  Become({.uid = 1002, .gid = 1002, .pid = getpid(), .groups = {getegid()}});
  Watchers second(Connect());
  EXPECT_TRUE(second.Open(hub_)) << "a refused stream does not count";
  EXPECT_FALSE(second.Open(hub_)) << "the limit of all viewers";
  Become({.uid = 0, .gid = 0, .pid = getpid(), .groups = {}});
  Watchers admin(Connect());
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(admin.Open(hub_)) << "administrators find room";
}

TEST(Limits, ViewersLeaveStreamsForAdministrators) {
  EXPECT_LT(static_cast<size_t>(Limits().watchers_of_others), Sampler::kMaxSubscribers);
  EXPECT_LT(Limits().watchers_per_uid, Limits().watchers_of_others);
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

}  // namespace
}  // namespace layered::api
