// SPDX-License-Identifier: Apache-2.0

#include "daemon/scheduler/kernel_btf.h"

#include <linux/btf.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>

#include "daemon/scheduler/test_btf.h"
#include "gtest/gtest.h"

namespace layered {
namespace {

const std::vector<KernelBtf::Wanted> kWanted = {{BTF_KIND_STRUCT, "sched_ext_ops"},
                                                {BTF_KIND_TYPEDEF, "btf_trace_cgroup_mkdir"},
                                                {BTF_KIND_FUNC, "bpf_iter_cgroup"}};

// Types with every size of trailer lie before what is looked for.
BtfBuilder Kernel() {
  BtfBuilder btf;
  btf.Add(BTF_KIND_INT, "int", 0, {32})
      .Add(BTF_KIND_PTR, "")
      .Add(BTF_KIND_ARRAY, "", 0, {1, 1, 4})
      .Add(BTF_KIND_ENUM, "e", 2, {0, 0, 0, 1})
      .Add(BTF_KIND_FUNC_PROTO, "", 1, {0, 1})
      .Add(BTF_KIND_DECL_TAG, "tag", 0, {0})
      .Add(19, "e64", 1, {0, 1, 2})
      .Add(BTF_KIND_DATASEC, ".data", 1, {1, 0, 4})
      .AddStruct("sched_ext_ops", {"select_cpu", "enqueue", "hotplug_seq"})
      .Add(BTF_KIND_TYPEDEF, "btf_trace_cgroup_mkdir")
      .Add(BTF_KIND_FUNC, "cgroup_mkdir");
  return btf;
}

TEST(KernelBtf, FindsTypesAndMembersBehindAllKinds) {
  auto btf = KernelBtf::Parse(Kernel().Blob(), kWanted);
  ASSERT_TRUE(btf.ok()) << btf.status().ToString();
  EXPECT_TRUE(btf->HasMember("sched_ext_ops", "enqueue"));
  EXPECT_TRUE(btf->HasMember("sched_ext_ops", "hotplug_seq"));
  EXPECT_TRUE(btf->Has(BTF_KIND_TYPEDEF, "btf_trace_cgroup_mkdir"));
}

TEST(KernelBtf, TellsWhatIsMissing) {
  auto btf = KernelBtf::Parse(Kernel().Blob(), kWanted);
  ASSERT_TRUE(btf.ok());
  EXPECT_FALSE(btf->HasMember("sched_ext_ops", "enqueue2"));
  EXPECT_FALSE(btf->HasMember("sched_ext_ops", "enq"));
  EXPECT_FALSE(btf->Has(BTF_KIND_FUNC, "bpf_iter_cgroup"));
  // Same name, other kind.
  auto other = KernelBtf::Parse(Kernel().Blob(), {{BTF_KIND_FUNC, "btf_trace_cgroup_mkdir"}});
  EXPECT_FALSE(other->Has(BTF_KIND_FUNC, "btf_trace_cgroup_mkdir"));
}

TEST(KernelBtf, UnknownKindEndsTheWalk) {
  const auto blob = BtfBuilder().Add(25, "new").AddStruct("sched_ext_ops", {}).Blob();
  EXPECT_EQ(KernelBtf::Parse(blob, kWanted).status().code(), absl::StatusCode::kUnimplemented);
}

TEST(KernelBtf, DamagedBlobsAreRefused) {
  EXPECT_FALSE(KernelBtf::Parse({}, kWanted).ok());
  const auto whole = Kernel().Blob();
  EXPECT_FALSE(KernelBtf::Parse({whole.begin(), whole.begin() + 60}, kWanted).ok());
  auto magic = whole;
  magic[0] = std::byte{0};
  EXPECT_FALSE(KernelBtf::Parse(magic, kWanted).ok());
  // A struct that claims more members than the section holds.
  const auto runs_over = BtfBuilder().Add(BTF_KIND_STRUCT, "s", 200).Blob();
  EXPECT_FALSE(KernelBtf::Parse(runs_over, kWanted).ok());
}

TEST(KernelBtf, ReadsAFile) {
  char path[] = "/tmp/btf.XXXXXX";
  close(mkstemp(path));
  const auto blob = Kernel().Blob();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(blob.data()), static_cast<std::streamsize>(blob.size()));
  const auto btf = KernelBtf::Read(path, kWanted);
  EXPECT_TRUE(btf.ok() && btf->HasMember("sched_ext_ops", "enqueue"));
  std::ofstream(path, std::ios::trunc).close();
  EXPECT_TRUE(absl::IsInvalidArgument(KernelBtf::Read(path, kWanted).status()));
  unlink(path);
}

TEST(KernelBtf, MissingFileIsNotFound) {
  EXPECT_TRUE(absl::IsNotFound(KernelBtf::Read("/nonexistent/btf", kWanted).status()));
}

}  // namespace
}  // namespace layered
