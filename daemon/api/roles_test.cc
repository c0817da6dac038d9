// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/roles.h"

#include <gtest/gtest.h>

namespace layered::api {
namespace {

constexpr uint32_t kGroup = 990;
const Policy kPolicy{.daemon_uid = 500, .viewer_gid = kGroup, .group = "layered"};

Credentials Peer(uint32_t uid, uint32_t gid, std::vector<uint32_t> groups = {}) {
  return {.uid = uid, .gid = gid, .pid = 1, .groups = std::move(groups)};
}

TEST(RolesTest, RootAndTheDaemonsOwnUserAreAdmins) {
  EXPECT_EQ(RoleOf(Peer(0, 0), kPolicy), Role::kAdmin);
  EXPECT_EQ(RoleOf(Peer(0, 65534), kPolicy), Role::kAdmin);
  EXPECT_EQ(RoleOf(Peer(500, 500), kPolicy), Role::kAdmin);
}

TEST(RolesTest, MembersOfTheGroupAreViewers) {
  EXPECT_EQ(RoleOf(Peer(1000, kGroup), kPolicy), Role::kViewer);
  EXPECT_EQ(RoleOf(Peer(1000, 1000, {4, kGroup, 27}), kPolicy), Role::kViewer);
}

TEST(RolesTest, EverybodyElseIsRefused) {
  EXPECT_EQ(RoleOf(Peer(1000, 1000, {4, 27}), kPolicy), Role::kRefused);
  // The group of root is nothing special.
  EXPECT_EQ(RoleOf(Peer(1000, 0, {0}), kPolicy), Role::kRefused);
  // A user id that equals the group's number is not membership.
  EXPECT_EQ(RoleOf(Peer(kGroup, 1000), kPolicy), Role::kRefused);
}

TEST(RolesTest, WithoutTheGroupThereAreNoViewers) {
  const Policy policy{.daemon_uid = 0, .viewer_gid = std::nullopt, .group = "layered"};
  EXPECT_EQ(RoleOf(Peer(1000, 0), policy), Role::kRefused);
  EXPECT_EQ(RoleOf(Peer(0, 0), policy), Role::kAdmin);
}

TEST(RolesTest, TheRefusalSaysWhatWouldHelp) {
  EXPECT_EQ(RefusalText(Peer(1000, 1000), kPolicy),
            "uid 1000 is refused: only root and members of group 'layered' have access");
  const Policy no_group{.daemon_uid = 0, .viewer_gid = std::nullopt, .group = "layered"};
  EXPECT_EQ(
      RefusalText(Peer(7, 7), no_group),
      "uid 7 is refused: there is no group 'layered' on this system, so only root has access");
}

TEST(RolesTest, NamesOfRoles) {
  EXPECT_STREQ(RoleName(Role::kAdmin), "admin");
  EXPECT_STREQ(RoleName(Role::kViewer), "viewer");
  EXPECT_STREQ(RoleName(Role::kRefused), "refused");
}

}  // namespace
}  // namespace layered::api
