// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/audit.h"

#include <gtest/gtest.h>

namespace layered::api {
namespace {

Peer MakePeer(const std::string& comm) {
  Peer peer;
  peer.credentials = {.uid = 1000, .gid = 1000, .pid = 42, .groups = {}};
  peer.comm = comm;
  peer.role = Role::kAdmin;
  return peer;
}

CommitResult Result(uint64_t number, bool unchanged) {
  auto revision = std::make_shared<Revision>();
  revision->number = number;
  return {.revision = revision, .unchanged = unchanged};
}

TEST(AuditTest, SaysWhoWhatAndTheOutcome) {
  EXPECT_EQ(AuditLine(MakePeer("layeredctl"), "SetLayer", "web", "peak", Result(5, false)),
            "audit: uid=1000 pid=42 comm=\"layeredctl\" role=admin SetLayer layer=\"web\" "
            "reason=\"peak\" -> revision 5");
  EXPECT_EQ(AuditLine(MakePeer("x"), "SetLayer", "web", "", Result(5, true)),
            "audit: uid=1000 pid=42 comm=\"x\" role=admin SetLayer layer=\"web\" reason=\"\" -> "
            "unchanged, revision 5");
  EXPECT_EQ(AuditLine(MakePeer("x"), "DeleteLayer", "web", "", absl::NotFoundError("no layer")),
            "audit: uid=1000 pid=42 comm=\"x\" role=admin DeleteLayer layer=\"web\" reason=\"\" -> "
            "NOT_FOUND \"no layer\"");
}

TEST(AuditTest, NothingAClientSendsEndsOrForgesALine) {
  const std::string line = AuditLine(MakePeer("a\" uid=0"), "SetLayer", "w\nforged: line\x7f\\",
                                     std::string("\x1b[2J\0", 5), Result(1, false));
  for (const char c : line) EXPECT_GE(static_cast<unsigned char>(c), 0x20);
  EXPECT_NE(line.find("comm=\"a\\\" uid=0\""), std::string::npos) << line;
  EXPECT_NE(line.find("layer=\"w\\x0aforged: line\\x7f\\\\\""), std::string::npos) << line;
}

TEST(AuditTest, LongTextsAreCut) {
  EXPECT_LT(Quote(std::string(100'000, 'x')).size(), 300u);
  EXPECT_EQ(Quote("abc"), "\"abc\"");
}

}  // namespace
}  // namespace layered::api
