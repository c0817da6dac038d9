// SPDX-License-Identifier: Apache-2.0
//
// The whole API in one process, over a real socket, with fakes behind it. What it says to peers is
// decided by credentials that the test makes up.
//
// Thread-safety: one thread; Become is seen by the accept thread.

#ifndef LAYERED_DAEMON_API_TESTING_SERVER_FIXTURE_H_
#define LAYERED_DAEMON_API_TESTING_SERVER_FIXTURE_H_

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "daemon/api/server.h"
#include "daemon/api/testing/fake_layer_store.h"
#include "daemon/api/testing/fake_sample_hub.h"
#include "daemon/api/testing/fake_status_source.h"
#include "daemon/api/testing/raw_call.h"
#include "daemon/base/clock.h"
#include "layered/v1/errors.pb.h"
#include "layered/v1/layer_service.grpc.pb.h"

namespace layered::api {

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

}  // namespace layered::api

#endif  // LAYERED_DAEMON_API_TESTING_SERVER_FIXTURE_H_
