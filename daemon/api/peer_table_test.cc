// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/peer_table.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

namespace layered::api {
namespace {

Peer MakePeer(uint32_t uid, Role role) {
  Peer peer;
  peer.credentials.uid = uid;
  peer.credentials.pid = 42;
  peer.comm = "cat";
  peer.role = role;
  return peer;
}

// A connected pair; `dup` goes to the table.
struct Pair {
  Pair() {
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    dup = fcntl(ends[0], F_DUPFD_CLOEXEC, 3);
  }
  ~Pair() {
    close(ends[0]);
    close(ends[1]);
  }
  int ends[2];
  int dup;
};

TEST(PeerTableTest, FindsThePeerOfACall) {
  PeerTable table{Limits{}};
  Pair pair;
  table.Put(1234, MakePeer(7, Role::kViewer), pair.dup);
  const auto peer = table.Find("fd:1234");
  ASSERT_TRUE(peer.has_value());
  EXPECT_EQ(peer->ToAuthor().uid, 7u);
  EXPECT_EQ(peer->ToAuthor().pid, 42);
  EXPECT_EQ(peer->ToAuthor().comm, "cat");
  EXPECT_FALSE(table.Find("fd:1").has_value());
  EXPECT_FALSE(table.Find("unix:").has_value());
}

TEST(PeerTableTest, CutEndsTheConnectionForBothSides) {
  PeerTable table{Limits{}};
  Pair pair;
  table.Put(1, MakePeer(0, Role::kAdmin), pair.dup);
  EXPECT_TRUE(table.Cut("fd:1"));
  char byte;
  EXPECT_EQ(read(pair.ends[0], &byte, 1), 0);
  EXPECT_EQ(read(pair.ends[1], &byte, 1), 0);
  EXPECT_FALSE(table.Cut("fd:2"));
}

TEST(PeerTableTest, ForgetClosesTheDuplicate) {
  PeerTable table{Limits{}};
  Pair pair;
  table.Put(1, MakePeer(0, Role::kAdmin), pair.dup);
  table.Forget(pair.dup);
  EXPECT_EQ(table.size(), 0);
  EXPECT_EQ(fcntl(pair.dup, F_GETFD), -1);
  table.Forget(pair.dup);  // twice does no harm
}

TEST(PeerTableTest, AStaleEntryIsReplaced) {
  PeerTable table{Limits{}};
  Pair old_pair, new_pair;
  table.Put(1, MakePeer(5, Role::kViewer), old_pair.dup);
  table.Put(1, MakePeer(6, Role::kAdmin), new_pair.dup);
  EXPECT_EQ(table.size(), 1);
  EXPECT_EQ(table.Find("fd:1")->credentials.uid, 6u);
  EXPECT_EQ(fcntl(old_pair.dup, F_GETFD), -1);
}

TEST(PeerTableTest, CapsConnectionsPerUidAndKeepsRoomForAdmins) {
  Limits limits;
  limits.connections_per_uid = 2;
  limits.connections_per_refused_uid = 1;
  limits.connections_of_others = 3;
  PeerTable table(limits);
  int fd = 10;
  const auto add = [&](uint32_t uid, Role role) {
    const Peer peer = MakePeer(uid, role);
    if (!table.Admits(peer)) return false;
    table.Put(fd++, peer, fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3));
    return true;
  };
  EXPECT_TRUE(add(1, Role::kViewer));
  EXPECT_TRUE(add(1, Role::kViewer));
  EXPECT_FALSE(add(1, Role::kViewer));  // per uid
  EXPECT_TRUE(add(2, Role::kRefused));
  EXPECT_FALSE(add(2, Role::kRefused));  // per refused uid
  EXPECT_FALSE(add(3, Role::kViewer));   // of others
  EXPECT_TRUE(add(0, Role::kAdmin));
  EXPECT_TRUE(add(0, Role::kAdmin));
  EXPECT_FALSE(add(0, Role::kAdmin));
}

}  // namespace
}  // namespace layered::api
