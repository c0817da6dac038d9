// SPDX-License-Identifier: Apache-2.0
//
// The unit and its companions name paths, exit codes and a group that the code names too; this
// keeps them from drifting apart.

#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "daemon/base/exit_codes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace layered {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

std::string Read(const std::string& name) {
  std::ifstream file("deploy/" + name);
  EXPECT_TRUE(file.is_open()) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

// "[Section]Key" -> value; a key may come once.
std::map<std::string, std::string> Unit() {
  std::map<std::string, std::string> unit;
  std::istringstream lines(Read("layeredd.service"));
  std::string section, line;
  while (std::getline(lines, line)) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '[') {
      section = line;
      continue;
    }
    const size_t equals = line.find('=');
    EXPECT_NE(equals, std::string::npos) << line;
    EXPECT_TRUE(unit.emplace(section + line.substr(0, equals), line.substr(equals + 1)).second)
        << line;
  }
  return unit;
}

std::set<std::string> Words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

TEST(Service, StartsReloadsAndTellsWhenItIsReady) {
  auto unit = Unit();
  EXPECT_EQ(unit["[Service]Type"], "notify");
  EXPECT_EQ(unit["[Service]ExecStart"], "/usr/bin/layeredd --config /etc/layered/layers.json");
  EXPECT_THAT(unit["[Service]ExecReload"], HasSubstr("kill -HUP"));
  EXPECT_EQ(unit["[Service]RuntimeDirectory"], "layered") << "the default socket is in it";
}

TEST(Service, StartsWithTheSystemInTheOrderThatItsDefaultsGive) {
  auto unit = Unit();
  EXPECT_EQ(unit["[Install]WantedBy"], "multi-user.target");
  // A unit with default dependencies that sysinit.target wants is a loop of the order.
  EXPECT_EQ(unit.count("[Unit]DefaultDependencies"), 0u);
  EXPECT_EQ(unit.count("[Unit]Documentation"), 0u) << "there is no manual page";
}

TEST(Service, IsNotRestartedWhereThatCannotHelp) {
  auto unit = Unit();
  EXPECT_EQ(unit["[Service]Restart"], "on-failure");
  const auto codes = Words(unit["[Service]RestartPreventExitStatus"]);
  EXPECT_EQ(codes,
            (std::set<std::string>{std::to_string(kExitUsage), std::to_string(kExitConflict),
                                   std::to_string(kExitPermission), std::to_string(kExitInvalid),
                                   std::to_string(kExitUnsupported)}));
}

TEST(Service, HardeningLeavesWhatTheSchedulerNeeds) {
  auto unit = Unit();
  const auto capabilities = Words(unit["[Service]CapabilityBoundingSet"]);
  for (const char* capability : {"CAP_BPF", "CAP_PERFMON", "CAP_SYS_ADMIN", "CAP_CHOWN"}) {
    EXPECT_THAT(capabilities, Contains(capability));
  }
  const auto calls = Words(unit["[Service]SystemCallFilter"]);
  EXPECT_THAT(calls, Contains("bpf"));
  EXPECT_THAT(calls, Contains("perf_event_open"));
  EXPECT_THAT(Words(unit["[Service]RestrictAddressFamilies"]), Contains("AF_UNIX"));
  // These hide what the daemon looks at: /proc/PID of its clients, tracefs, other users' tasks.
  for (const char* key : {"ProtectProc", "ProcSubset", "PrivateUsers", "DynamicUser", "User"}) {
    EXPECT_EQ(unit.count(std::string("[Service]") + key), 0u) << key;
  }
}

TEST(Service, GroupOfTheSocketIsMade) {
  EXPECT_THAT(Read("sysusers.d/layered.conf"), HasSubstr("\ng layered -\n"));
}

TEST(Service, FirstConfigIsAShippedExample) {
  EXPECT_THAT(Read("tmpfiles.d/layered.conf"),
              HasSubstr("C /etc/layered/layers.json 0644 root root - "
                        "/usr/share/layered/examples/default.json"));
  EXPECT_THAT(Read("examples/default.json"), Not(testing::IsEmpty()));
}

TEST(Completion, IsForOurProgramAndKnowsItsVerbs) {
  std::ifstream file("client/ctl/completion/layeredctl.bash");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(text, HasSubstr("\ncomplete -F _layeredctl layeredctl\n"));
  const size_t verbs = text.find("verbs=\"");
  ASSERT_NE(verbs, std::string::npos);
  const size_t begin = verbs + 7;
  EXPECT_EQ(Words(text.substr(begin, text.find('"', begin) - begin)),
            (std::set<std::string>{"set-layer", "get", "list", "delete-layer", "watch", "status",
                                   "version", "help"}));
}

}  // namespace
}  // namespace layered
