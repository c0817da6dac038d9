// SPDX-License-Identifier: Apache-2.0
//
// Fits the real object (opened, not loaded) to made-up kernels.

#include "daemon/scheduler/kernel_fit.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <memory>

#include "bpf/layered_object.h"
#include "daemon/scheduler/test_btf.h"
#include "gtest/gtest.h"

namespace layered {
namespace {

class FitToKernelTest : public testing::Test {
 protected:
  FitToKernelTest() {
    const auto bytes = LayeredObject();
    object_ = bpf_object__open_mem(bytes.data(), bytes.size(), nullptr);
  }
  ~FitToKernelTest() override {
    bpf_object__close(object_);
    if (!path_.empty()) unlink(path_.c_str());
  }

  // A kernel with these members of sched_ext_ops; tracepoints and iterators only if wanted.
  std::string Kernel(const std::vector<std::string>& members, bool tracing) {
    BtfBuilder btf;
    btf.AddStruct("sched_ext_ops", members);
    if (tracing) {
      bpf_program* program = nullptr;
      bpf_object__for_each_program(program, object_) {
        if (auto type = NeededType(bpf_program__section_name(program))) {
          btf.Add(type->kind, type->name);
        }
      }
    }
    char path[] = "/tmp/btf.XXXXXX";
    close(mkstemp(path));
    path_ = path;
    const auto blob = btf.Blob();
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(blob.data()),
               static_cast<std::streamsize>(blob.size()));
    return path_;
  }

  // All members that the object declares.
  std::vector<std::string> AllMembers() const {
    std::vector<std::string> names;
    const btf* types = bpf_object__btf(object_);
    const auto id = btf__find_by_name_kind(types, "sched_ext_ops", BTF_KIND_STRUCT);
    const btf_type* type = btf__type_by_id(types, static_cast<unsigned>(id));
    for (int i = 0; i < btf_vlen(type); ++i) {
      names.push_back(btf__name_by_offset(types, btf_members(type)[i].name_off));
    }
    return names;
  }

  bool Autoload(const char* name) const {
    return bpf_program__autoload(bpf_object__find_program_by_name(object_, name));
  }

  bpf_object* object_ = nullptr;
  std::string path_;
};

TEST_F(FitToKernelTest, NothingIsMissingOnAKernelThatHasAll) {
  const auto missing = FitToKernel(object_, Kernel(AllMembers(), true));
  ASSERT_TRUE(missing.ok()) << missing.status().ToString();
  EXPECT_EQ(*missing, std::vector<std::string>());
  EXPECT_TRUE(Autoload("layered_cpu_release"));
  EXPECT_TRUE(Autoload("fill_cgroups"));
}

TEST_F(FitToKernelTest, AnOpThatTheKernelLacksIsSwitchedOffAndTold) {
  auto members = AllMembers();
  std::erase(members, "cpu_release");
  const auto missing = FitToKernel(object_, Kernel(members, true));
  ASSERT_TRUE(missing.ok());
  EXPECT_EQ(*missing, std::vector<std::string>{"sched_ext_ops.cpu_release: not in this kernel"});
  EXPECT_FALSE(Autoload("layered_cpu_release"));
  EXPECT_TRUE(Autoload("layered_dispatch"));
}

TEST_F(FitToKernelTest, TracingProgramsWithoutTheirHookAreNotLoaded) {
  const auto missing = FitToKernel(object_, Kernel(AllMembers(), false));
  ASSERT_TRUE(missing.ok());
  EXPECT_NE(std::find(missing->begin(), missing->end(), "iter/cgroup: not in this kernel"),
            missing->end());
  EXPECT_FALSE(Autoload("fill_cgroups"));
}

TEST_F(FitToKernelTest, WithoutTypeInformationEverythingStaysOn) {
  const auto missing = FitToKernel(object_, "/nonexistent/btf");
  ASSERT_TRUE(missing.ok());
  EXPECT_TRUE(missing->empty());
  EXPECT_TRUE(Autoload("fill_cgroups"));
}

TEST_F(FitToKernelTest, HotplugSeqGoesIntoTheOpsTable) {
  ASSERT_TRUE(SetHotplugSeq(object_, 0x1122334455667788).ok());
  size_t size = 0;
  const auto* shadow = static_cast<const char*>(
      bpf_map__initial_value(bpf_object__find_map_by_name(object_, kOpsMap), &size));
  const uint64_t want = 0x1122334455667788;
  const char* bytes = reinterpret_cast<const char*>(&want);
  EXPECT_NE(std::search(shadow, shadow + size, bytes, bytes + sizeof(want)), shadow + size);
}

TEST(NeededType, FollowsTheSection) {
  EXPECT_EQ(NeededType("tp_btf/cgroup_mkdir"),
            (KernelBtf::Wanted{BTF_KIND_TYPEDEF, "btf_trace_cgroup_mkdir"}));
  EXPECT_EQ(NeededType("fentry/commit_creds"), (KernelBtf::Wanted{BTF_KIND_FUNC, "commit_creds"}));
  EXPECT_EQ(NeededType("iter/cgroup"), (KernelBtf::Wanted{BTF_KIND_FUNC, "bpf_iter_cgroup"}));
  EXPECT_EQ(NeededType("struct_ops/layered_enqueue"), std::nullopt);
  EXPECT_EQ(NeededType("syscall"), std::nullopt);
}

}  // namespace
}  // namespace layered
