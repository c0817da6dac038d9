// SPDX-License-Identifier: Apache-2.0

#include "daemon/scheduler/kernel_fit.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "spdlog/spdlog.h"

namespace layered {
namespace {

constexpr char kOpsType[] = "sched_ext_ops";

// One member of the ops table, as the object declares it.
struct OpsMember {
  std::string name;
  bool is_pointer;
  std::span<char> value;  // in the shadow value
};

// The shadow value of the ops map, member by member.
absl::StatusOr<std::vector<OpsMember>> OpsMembers(bpf_object* object) {
  const btf* types = bpf_object__btf(object);
  bpf_map* map = bpf_object__find_map_by_name(object, kOpsMap);
  const int id = types == nullptr ? -1 : btf__find_by_name_kind(types, kOpsType, BTF_KIND_STRUCT);
  size_t size = 0;
  char* shadow = map == nullptr ? nullptr : static_cast<char*>(bpf_map__initial_value(map, &size));
  if (id < 0 || shadow == nullptr) {
    return absl::NotFoundError("the BPF object has no ops table " + std::string(kOpsMap));
  }
  std::vector<OpsMember> members;
  const btf_type* type = btf__type_by_id(types, static_cast<__u32>(id));
  for (__u32 i = 0; i < btf_vlen(type); ++i) {
    const btf_member& member = btf_members(type)[i];
    const size_t offset = btf_member_bit_offset(type, i) / 8;
    const auto bytes = btf__resolve_size(types, member.type);
    if (bytes < 0 || offset + static_cast<size_t>(bytes) > size) continue;
    const int resolved = btf__resolve_type(types, member.type);
    const bool pointer =
        resolved >= 0 && btf_is_ptr(btf__type_by_id(types, static_cast<__u32>(resolved)));
    members.push_back({btf__name_by_offset(types, member.name_off), pointer,
                       std::span(shadow + offset, static_cast<size_t>(bytes))});
  }
  return members;
}

bool IsSet(const OpsMember& member) {
  return std::any_of(member.value.begin(), member.value.end(), [](char c) { return c != 0; });
}

void SwitchOff(const OpsMember& member) {
  if (member.is_pointer) {
    bpf_program* program = nullptr;
    std::memcpy(&program, member.value.data(), sizeof(program));
    bpf_program__set_autoload(program, false);
  }
  std::fill(member.value.begin(), member.value.end(), 0);
}

}  // namespace

std::optional<KernelBtf::Wanted> NeededType(std::string_view section) {
  const size_t slash = section.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string_view kind = section.substr(0, slash);
  const std::string name(section.substr(slash + 1));
  if (kind == "tp_btf") return KernelBtf::Wanted{BTF_KIND_TYPEDEF, "btf_trace_" + name};
  if (kind == "fentry" || kind == "fexit") return KernelBtf::Wanted{BTF_KIND_FUNC, name};
  if (kind == "iter") return KernelBtf::Wanted{BTF_KIND_FUNC, "bpf_iter_" + name};
  return std::nullopt;
}

absl::StatusOr<std::vector<std::string>> FitToKernel(bpf_object* object,
                                                     const std::string& btf_path) {
  absl::StatusOr<std::vector<OpsMember>> members = OpsMembers(object);
  if (!members.ok()) return members.status();

  std::vector<KernelBtf::Wanted> wanted = {{BTF_KIND_STRUCT, kOpsType}};
  bpf_program* program = nullptr;
  bpf_object__for_each_program(program, object) {
    if (auto type = NeededType(bpf_program__section_name(program))) wanted.push_back(*type);
  }
  absl::StatusOr<KernelBtf> kernel = KernelBtf::Read(btf_path, std::move(wanted));
  if (!kernel.ok()) {
    spdlog::debug("kernel types not probed: {}", kernel.status().ToString());
    return std::vector<std::string>();
  }

  std::vector<std::string> missing;
  for (const OpsMember& member : *members) {
    if (!IsSet(member) || kernel->HasMember(kOpsType, member.name)) continue;
    SwitchOff(member);
    missing.push_back("sched_ext_ops." + member.name + ": not in this kernel");
  }
  bpf_object__for_each_program(program, object) {
    const std::string section = bpf_program__section_name(program);
    const auto type = NeededType(section);
    if (!type || kernel->Has(type->kind, type->name)) continue;
    bpf_program__set_autoload(program, false);
    missing.push_back(section + ": not in this kernel");
  }
  return missing;
}

absl::Status SetHotplugSeq(bpf_object* object, uint64_t hotplug_seq) {
  absl::StatusOr<std::vector<OpsMember>> members = OpsMembers(object);
  if (!members.ok()) return members.status();
  for (const OpsMember& member : *members) {
    if (member.name != "hotplug_seq" || member.value.size() != sizeof(hotplug_seq)) continue;
    std::memcpy(member.value.data(), &hotplug_seq, sizeof(hotplug_seq));
    return absl::OkStatus();
  }
  return absl::NotFoundError("the BPF object's ops table has no hotplug_seq");
}

}  // namespace layered
