// SPDX-License-Identifier: Apache-2.0
//
// layeredctl against a live API: outputs, errors, exit codes.

#include <signal.h>
#include <unistd.h>

#include <algorithm>

#include "rapidjson/document.h"
#include "tests/api/api_fixture.h"

namespace layered::tests {
namespace {

rapidjson::Document Json(const std::string& text) {
  rapidjson::Document json;
  json.Parse(text.c_str());
  EXPECT_FALSE(json.HasParseError()) << text;
  return json;
}

class CtlTest : public ApiTest {};

TEST_F(CtlTest, SetLayerSaysWhatItDid) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  Result r = Ctl({"set-layer", "web", "--weight", "100", "--match", "comm=nginx*", "--match",
                  "cgroup=/web/* and not kthread"});
  EXPECT_EQ(r.exit_code, 0) << r.err;
  EXPECT_EQ(r.out, "layer web: created with weight 100, slice 5ms (revision 2)\n");

  r = Ctl({"set-layer", "web", "--weight", "300"});
  EXPECT_EQ(r.out, "layer web: weight 100 -> 300 (revision 3)\n") << r.err;
  r = Ctl({"set-layer", "web", "--weight", "300"});
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_EQ(r.out, "layer web: unchanged (revision 3)\n");

  r = Ctl({"get", "web"});
  EXPECT_EQ(r.out,
            "name    web\nkind    open\nweight  300\nslice   5ms\n"
            "match   comm=nginx*\n     or cgroup=/web/* and not kthread\n");
}

TEST_F(CtlTest, ListGetAndStatusAsJson) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  ASSERT_EQ(Ctl({"set-layer", "web", "--weight", "300", "--match", "comm=nginx"}).exit_code, 0);
  rapidjson::Document json = Json(Ctl({"list", "-o", "json"}).out);
  EXPECT_STREQ(json["revision"].GetString(), "2");
  EXPECT_STREQ(json["etag"].GetString(), "fake-2");
  ASSERT_EQ(json["layers"].Size(), 2u);
  EXPECT_STREQ(json["layers"][0]["name"].GetString(), "web");

  json = Json(Ctl({"-o", "json", "get", "web"}).out);
  EXPECT_EQ(json["weight"].GetInt(), 300);
  EXPECT_STREQ(json["match"][0].GetString(), "comm=nginx");

  json = Json(Ctl({"get", "--all", "-o", "json"}).out);
  EXPECT_EQ(json.MemberCount(), 1u);  // what a config file holds, and no more
  EXPECT_EQ(json["layers"].Size(), 2u);

  json = Json(Ctl({"status", "-o", "json"}).out);
  EXPECT_STREQ(json["state"].GetString(), "running");
  EXPECT_STREQ(json["desired_revision"].GetString(), "2");
  EXPECT_TRUE(json["enable_seq"].IsNumber());

  json = Json(Ctl({"set-layer", "web", "--weight", "7", "-o", "json"}).out);
  EXPECT_STREQ(json["revision"].GetString(), "3");
  EXPECT_FALSE(json["unchanged"].GetBool());
}

TEST_F(CtlTest, TablesForPeople) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  ASSERT_EQ(Ctl({"set-layer", "web", "--match", "comm=a", "--match", "comm=b"}).exit_code, 0);
  EXPECT_EQ(Ctl({"list"}).out,
            "NAME     KIND  WEIGHT  SLICE  MATCH\n"
            "web      open     100    5ms  comm=a\n"
            "                              or comm=b\n"
            "default  open     100    5ms  all\n");
  const std::string status = Ctl({"status"}).out;
  EXPECT_NE(status.find("state             running\n"), std::string::npos) << status;
}

TEST_F(CtlTest, AllViolationsAtOnce) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  // Of the command line:
  Result r = Ctl({"set-layer", "web", "--weight", "x", "--slice", "5", "--match", "com=y"});
  EXPECT_EQ(r.exit_code, 7);
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 3) << r.err;
  for (const char* field :
       {"layeredctl: weight: ", "layeredctl: slice: ", "layeredctl: match[0]: "}) {
    EXPECT_NE(r.err.find(field), std::string::npos) << r.err;
  }
  // Of the daemon:
  r = Ctl(
      {"set-layer", "web", "--weight", "0", "--slice", "9s", "--match", "comm=y", "-o", "json"});
  EXPECT_EQ(r.exit_code, 7);
  EXPECT_EQ(r.out, "");
  const rapidjson::Document json = Json(r.err);
  EXPECT_STREQ(json["code"].GetString(), "INVALID_ARGUMENT");
  EXPECT_EQ(json["violations"].Size(), 2u) << r.err;
}

TEST_F(CtlTest, ExitCodes) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  ASSERT_EQ(Ctl({"set-layer", "web", "--match", "comm=a"}).exit_code, 0);
  const struct {
    std::vector<std::string> args;
    int code;
  } cases[] = {
      {{"list"}, 0},
      {{"help"}, 0},
      {{"help", "watch"}, 0},
      {{"--help"}, 0},
      {{"watch", "--help"}, 0},
      {{"version"}, 0},
      {{"--version"}, 0},
      {{"get", "--help"}, 0},
      {{}, 2},
      {{"frobnicate"}, 2},
      {{"help", "frobnicate"}, 2},
      {{"list", "surplus"}, 2},
      {{"list", "--frobnicate"}, 2},
      {{"get"}, 2},
      {{"get", "web", "--all"}, 2},
      {{"set-layer"}, 2},
      {{"set-layer", "web", "--before", "a", "--after", "b"}, 2},
      {{"list", "-o", "yaml"}, 2},
      {{"watch", "--count", "0"}, 2},
      {{"get", "nobody"}, 3},
      {{"watch", "nobody"}, 3},
      {{"delete-layer", "nobody"}, 3},
      {{"set-layer", "web", "--before", "nobody"}, 3},
      {{"set-layer", "web", "--weight", "5", "--etag", "fake-1"}, 4},
      {{"delete-layer", "web", "--etag", "fake-1"}, 4},
      {{"delete-layer", "default"}, 7},
      {{"set-layer", "web", "--weight", "10001"}, 7},
      {{"set-layer", "web", "--weight", "-1"}, 7},
      {{"set-layer", "web", "--match", "uid=no-such-user"}, 7},
      {{"watch", "--interval", "1ms"}, 7},
      {{"watch", "--interval", "soon"}, 7},
      {{"list", "--timeout", "soon"}, 7},
  };
  for (const auto& c : cases) {
    const Result r = Ctl(c.args);
    std::string line;
    for (const std::string& arg : c.args) line += arg + " ";
    EXPECT_EQ(r.exit_code, c.code) << line << "\n" << r.out << r.err;
    // Errors go to stderr, each line with our name, and nothing of them to stdout.
    if (c.code != 0) {
      EXPECT_EQ(r.out, "") << line;
      EXPECT_EQ(r.err.compare(0, 12, "layeredctl: "), 0) << line << r.err;
    }
  }
}

TEST_F(CtlTest, NobodyListening) {
  EXPECT_EQ(Ctl({"list"}).exit_code, 6);
  EXPECT_NE(Ctl({"list"}).err.find("is layeredd running?"), std::string::npos);
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  daemon_->Signal(SIGKILL);
  daemon_->Wait();
  const Result stale = Ctl({"list"});
  EXPECT_EQ(stale.exit_code, 6);
  EXPECT_NE(stale.err.find("nobody listens"), std::string::npos) << stale.err;
  ASSERT_NO_FATAL_FAILURE(StartDaemon());  // replaces what the killed one left
  EXPECT_EQ(Ctl({"list"}).exit_code, 0);
}

TEST_F(CtlTest, TheSocketMayComeFromTheEnvironment) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  EXPECT_EQ(RunToEnd({kCtl, "list"}, std::nullopt, {"LAYERED_SOCKET=" + socket_}).exit_code, 0);
  EXPECT_EQ(
      RunToEnd({kCtl, "list"}, std::nullopt, {"LAYERED_SOCKET=" + folder_ + "/none"}).exit_code, 6);
}

TEST_F(CtlTest, AStoppedDaemonIsATimeout) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  daemon_->Signal(SIGSTOP);
  const Result list = Ctl({"list", "--timeout", "300ms"});
  const Result watch = Ctl({"watch", "--timeout", "300ms"});
  daemon_->Signal(SIGCONT);
  EXPECT_EQ(list.exit_code, 6) << list.err;
  EXPECT_EQ(watch.exit_code, 6) << watch.err;
}

TEST_F(CtlTest, EtagsOfWritersThatRaceAreRetried) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  ASSERT_EQ(Ctl({"set-layer", "web", "--match", "comm=a"}).exit_code, 0);
  std::vector<std::unique_ptr<Process>> writers;
  for (int i = 1; i <= 3; ++i) {
    writers.push_back(StartCtl({"set-layer", "web", "--weight", std::to_string(i)}));
  }
  for (auto& writer : writers) EXPECT_EQ(writer->Wait(), 0) << writer->err();
  EXPECT_STREQ(Json(Ctl({"list", "-o", "json"}).out)["revision"].GetString(), "5");
}

TEST_F(CtlTest, InterruptIs130) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  const auto watch = StartCtl({"watch", "-o", "json"});
  ASSERT_TRUE(watch->ReadLine().has_value());
  watch->Signal(SIGINT);
  EXPECT_EQ(watch->Wait(), 130);
}

TEST_F(CtlTest, AFullDiskIsAnError) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  if (access("/dev/full", W_OK) != 0) return;  // no such device in this sandbox
  const Result r =
      RunToEnd({"/bin/sh", "-c", std::string(kCtl) + " --socket " + socket_ + " list >/dev/full"});
  EXPECT_EQ(r.exit_code, 1) << r.err;
  EXPECT_NE(r.err.find("cannot write"), std::string::npos) << r.err;
}

// A closed descriptor must not become the connection, or a result be lost in silence.
TEST_F(CtlTest, ClosedDescriptors) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  const auto run = [this](const std::string& arguments) {
    return RunToEnd(
        {"/bin/sh", "-c", std::string(kCtl) + " --socket " + socket_ + " " + arguments});
  };
  const Result no_stdout = run("list >&-");
  EXPECT_EQ(no_stdout.exit_code, 1) << no_stdout.err;
  EXPECT_NE(no_stdout.err.find("cannot write"), std::string::npos) << no_stdout.err;
  EXPECT_EQ(run("get nobody 2>&-").exit_code, 3);
  const Result no_stdin = run("list <&-");
  EXPECT_EQ(no_stdin.exit_code, 0) << no_stdin.err;
  EXPECT_EQ(no_stdin.out, Ctl({"list"}).out);
}

// An unset variable of a shell script must not turn a guarded write into an unconditional one.
TEST_F(CtlTest, EmptyValuesAreNotTakenForNoValue) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  ASSERT_EQ(Ctl({"set-layer", "web", "--match", "comm=a"}).exit_code, 0);
  const std::vector<std::vector<std::string>> refused = {
      {"set-layer", "web", "--weight", "5", "--etag", ""},
      {"set-layer", "web", "--weight", "5", "--etag="},
      {"set-layer", "web", "--etag=", "--weight=5"},
      {"set-layer", "web", "--weight", "5", "--before", ""},
      {"set-layer", "web", "--weight", "5", "--after", ""},
      {"set-layer", "web", "--weight", ""},
      {"set-layer", "web", "--slice", ""},
      {"set-layer", "web", "--match", ""},
      {"set-layer", "", "--match", "comm=b"},
      {"delete-layer", "web", "--etag", ""},
      {"delete-layer", "web", "--etag="},
      {"delete-layer", ""},
      {"get", ""},
      {"watch", "", "--count", "1"},
      {"list", "--socket", ""},
      {"list", "--timeout", ""},
  };
  for (const std::vector<std::string>& args : refused) {
    const Result r = Ctl(args);
    std::string line;
    for (const std::string& arg : args) line += "'" + arg + "' ";
    EXPECT_EQ(r.exit_code, 2) << line << r.out << r.err;
    EXPECT_NE(r.err.find("the value is empty"), std::string::npos) << line << r.err;
  }
  EXPECT_STREQ(Json(Ctl({"list", "-o", "json"}).out)["revision"].GetString(), "2");

  // Not even when the empty value is that of another option; a reason may be empty.
  const Result r = Ctl({"set-layer", "web", "--weight=5", "--reason=", "--etag=fake-1"});
  EXPECT_EQ(r.exit_code, 4) << r.out << r.err;
  EXPECT_EQ(Ctl({"set-layer", "web", "--weight=5", "--reason", ""}).exit_code, 0);
}

TEST_F(CtlTest, VersionNeedsNoDaemon) {
  const Result flag = Ctl({"--version"});
  EXPECT_EQ(flag.exit_code, 0) << flag.err;
  EXPECT_EQ(flag.out.compare(0, 11, "layeredctl "), 0) << flag.out;
  const Result verb = Ctl({"version"});
  EXPECT_EQ(verb.exit_code, 0) << verb.err;
  EXPECT_EQ(verb.out, flag.out + "layeredd (not reachable)\n");
}

TEST_F(CtlTest, UsageFaultsSayWhatToGive) {
  for (const char* count : {"0", "-1", "x", "1.5", "99999999999999999999"}) {
    const Result r = Ctl({"watch", "--count", count});
    EXPECT_EQ(r.exit_code, 2);
    EXPECT_EQ(r.err, "layeredctl: --count: give a whole number from 1 (see 'layeredctl help')\n");
  }
  const rapidjson::Document json = Json(Ctl({"list", "--timeout=", "-o", "json"}).err);
  EXPECT_STREQ(json["code"].GetString(), "INVALID_ARGUMENT");
  EXPECT_NE(Ctl({"help", "frobnicate"}).err.find("there is no verb 'frobnicate'"),
            std::string::npos);
  EXPECT_NE(Ctl({"get"}).err.find("NAME"), std::string::npos);
  EXPECT_NE(Ctl({"get"}).err.find("--all"), std::string::npos);
}

}  // namespace
}  // namespace layered::tests
