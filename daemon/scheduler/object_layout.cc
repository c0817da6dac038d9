// SPDX-License-Identifier: Apache-2.0

#include "daemon/scheduler/object_layout.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include <cstring>
#include <string>
#include <string_view>

namespace layered {

layered_layout OurLayout() {
  return {.version = LAYERED_LAYOUT_VERSION,
          .revision_size = sizeof(layered_revision),
          .cpu_plan_size = sizeof(layered_cpu_plan),
          .topo_size = sizeof(layered_topo),
          .occ_size = sizeof(layered_occ),
          .llc_ctx_size = sizeof(layered_llc_ctx),
          .cpu_ctx_size = sizeof(layered_cpu_ctx),
          .ctl_size = sizeof(layered_ctl)};
}

absl::Status CompareLayouts(const layered_layout& object, const layered_layout& ours) {
  std::string differences;
  auto compare = [&](const char* what, uint32_t theirs, uint32_t mine) {
    if (theirs == mine) return;
    if (!differences.empty()) differences += ", ";
    differences += std::string(what) + " " + std::to_string(theirs) +
                   " (daemon: " + std::to_string(mine) + ")";
  };
  compare("layout version", object.version, ours.version);
  compare("revision size", object.revision_size, ours.revision_size);
  compare("cpu_plan size", object.cpu_plan_size, ours.cpu_plan_size);
  compare("topo size", object.topo_size, ours.topo_size);
  compare("occ size", object.occ_size, ours.occ_size);
  compare("llc_ctx size", object.llc_ctx_size, ours.llc_ctx_size);
  compare("cpu_ctx size", object.cpu_ctx_size, ours.cpu_ctx_size);
  compare("ctl size", object.ctl_size, ours.ctl_size);
  if (differences.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError("the BPF object and the daemon disagree: " + differences);
}

absl::StatusOr<layered_layout> ReadLayout(const bpf_object* object) {
  const absl::Status missing =
      absl::NotFoundError("the BPF object has no layered_layout in .rodata");
  const btf* types = bpf_object__btf(object);
  const int section =
      types == nullptr ? -1 : btf__find_by_name_kind(types, ".rodata", BTF_KIND_DATASEC);
  bpf_map* rodata = bpf_object__find_map_by_name(object, ".rodata");
  if (section < 0 || rodata == nullptr) return missing;
  size_t size = 0;
  const auto* data = static_cast<const char*>(bpf_map__initial_value(rodata, &size));
  const btf_type* type = btf__type_by_id(types, static_cast<__u32>(section));
  const btf_var_secinfo* vars = btf_var_secinfos(type);
  for (int i = 0; data != nullptr && i < btf_vlen(type); ++i) {
    const btf_type* var = btf__type_by_id(types, vars[i].type);
    const std::string_view name = btf__name_by_offset(types, var->name_off);
    layered_layout layout;
    if (name != "layered_layout" || size_t{vars[i].offset} + sizeof(layout) > size) continue;
    std::memcpy(&layout, data + vars[i].offset, sizeof(layout));
    return layout;
  }
  return missing;
}

}  // namespace layered
