// SPDX-License-Identifier: Apache-2.0
//
// What each role is answered.

#include <memory>
#include <sstream>
#include <string>

#include "daemon/api/server.h"
#include "daemon/api/testing/server_fixture.h"
#include "layered/v1/layer_service.grpc.pb.h"
#include "spdlog/sinks/ostream_sink.h"
#include "spdlog/spdlog.h"

namespace layered::api {
namespace {

constexpr char kHealth[] = "/grpc.health.v1.Health/Check";
constexpr char kReflection[] = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";
constexpr char kListServices[] = "\x3a";  // with a length of 0 behind it: list_services = ""

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

TEST_F(ServerTest, RefusedAttemptsToChangeAreAuditedWithoutFillingTheLog) {
  std::ostringstream log;
  const auto before = spdlog::default_logger();
  spdlog::set_default_logger(std::make_shared<spdlog::logger>(
      "test", std::make_shared<spdlog::sinks::ostream_sink_mt>(log)));
  BecomeStranger();
  ASSERT_NO_FATAL_FAILURE(Start());
  const auto channel = Connect();
  std::string response;
  RawCall(channel, "/layered.v1.LayerService/ListLayers", "", &response);
  for (int i = 0; i < 20; ++i) {
    RawCall(channel, "/layered.v1.LayerService/DeleteLayer", "", &response);
  }
  server_.reset();
  spdlog::set_default_logger(before);
  const std::string text = log.str();
  EXPECT_NE(text.find("role=refused DeleteLayer"), std::string::npos) << text;
  EXPECT_NE(text.find("PERMISSION_DENIED"), std::string::npos) << text;
  EXPECT_EQ(text.find("ListLayers"), std::string::npos) << text;
  int lines = 0;
  for (size_t at = text.find("audit:"); at != std::string::npos; at = text.find("audit:", at + 1)) {
    ++lines;
  }
  EXPECT_LT(lines, 20) << text;
}

}  // namespace
}  // namespace layered::api
