// SPDX-License-Identifier: Apache-2.0
//
// Also opens the real object (no kernel needed) and checks that it was built from our header.

#include "daemon/scheduler/object_layout.h"

#include <bpf/libbpf.h>

#include <memory>

#include "bpf/layered_object.h"
#include "daemon/scheduler/kernel_fit.h"
#include "gtest/gtest.h"

namespace layered {
namespace {

struct Close {
  void operator()(bpf_object* object) const { bpf_object__close(object); }
};

std::unique_ptr<bpf_object, Close> OpenOurs() {
  const auto bytes = LayeredObject();
  return std::unique_ptr<bpf_object, Close>(
      bpf_object__open_mem(bytes.data(), bytes.size(), nullptr));
}

TEST(CompareLayouts, NamesAllDifferences) {
  EXPECT_TRUE(CompareLayouts(OurLayout(), OurLayout()).ok());
  layered_layout other = OurLayout();
  other.version += 1;
  other.topo_size = 12;
  const absl::Status status = CompareLayouts(other, OurLayout());
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  const std::string text(status.message());
  EXPECT_NE(text.find("layout version"), std::string::npos) << text;
  EXPECT_NE(text.find("topo size 12"), std::string::npos) << text;
}

TEST(ReadLayout, TheEmbeddedObjectIsOfThisBuild) {
  const auto object = OpenOurs();
  ASSERT_NE(object, nullptr);
  const auto layout = ReadLayout(object.get());
  ASSERT_TRUE(layout.ok()) << layout.status().ToString();
  EXPECT_TRUE(CompareLayouts(*layout, OurLayout()).ok());
}

TEST(TheObject, HasEveryMapAndProgramThatWeLookForByName) {
  const auto object = OpenOurs();
  for (const char* map : {"rev_cur", "cpu_plans", "cpu_ctxs", "llc_ctxs", ".data.topo", ".data.ctl",
                          ".data.occ", kOpsMap}) {
    EXPECT_NE(bpf_object__find_map_by_name(object.get(), map), nullptr) << map;
  }
  EXPECT_NE(bpf_object__find_program_by_name(object.get(), "fill_cgroups"), nullptr);
}

}  // namespace
}  // namespace layered
