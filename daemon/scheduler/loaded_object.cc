// SPDX-License-Identifier: Apache-2.0

#include "daemon/scheduler/loaded_object.h"

#include <bpf/libbpf.h>

#include <cerrno>

#include "daemon/base/errno_status.h"
#include "daemon/scheduler/kernel_fit.h"
#include "daemon/scheduler/libbpf_log.h"
#include "daemon/scheduler/object_layout.h"

namespace layered {
namespace {

using Access = MappedArea::Access;

absl::StatusOr<bpf_map*> FindMap(const bpf_object* object, const char* name) {
  bpf_map* map = bpf_object__find_map_by_name(object, name);
  if (map == nullptr) return absl::NotFoundError(std::string("no map in the BPF object: ") + name);
  return map;
}

// Maps a table of `count` entries of `entry_size` bytes.
absl::Status MapTable(const bpf_object* object, const char* name, size_t entry_size, size_t count,
                      Access access, MappedArea& area) {
  absl::StatusOr<bpf_map*> map = FindMap(object, name);
  if (!map.ok()) return map.status();
  if (bpf_map__value_size(*map) != entry_size) {
    return absl::FailedPreconditionError(std::string("map ") + name + " has values of " +
                                         std::to_string(bpf_map__value_size(*map)) +
                                         " bytes, expected " + std::to_string(entry_size));
  }
  auto mapped = MappedArea::Map(bpf_map__fd(*map), entry_size * count, access, name);
  if (!mapped.ok()) return mapped.status();
  area = *std::move(mapped);
  return absl::OkStatus();
}

}  // namespace

void LoadedObject::Close::operator()(bpf_object* object) const { bpf_object__close(object); }

absl::StatusOr<std::unique_ptr<LoadedObject>> LoadedObject::Load(std::span<const std::byte> object,
                                                                 const layered_topo& topo,
                                                                 uint64_t hotplug_seq,
                                                                 const std::string& btf_path) {
  RouteLibbpfLog();
  auto as_is = Attempt(object, topo, hotplug_seq, std::nullopt);
  if (as_is.ok()) return as_is;
  // Only now is it worth the time to read what this kernel lacks.
  auto fitted = Attempt(object, topo, hotplug_seq, btf_path);
  return fitted.ok() ? std::move(fitted) : as_is.status();
}

absl::StatusOr<std::unique_ptr<LoadedObject>> LoadedObject::Attempt(
    std::span<const std::byte> object, const layered_topo& topo, uint64_t hotplug_seq,
    const std::optional<std::string>& fit_to) {
  std::unique_ptr<LoadedObject> loaded(new LoadedObject());
  absl::Status status = loaded->Open(object);
  if (!status.ok()) return status;
  if (fit_to) {
    auto missing = FitToKernel(loaded->object(), *fit_to);
    if (!missing.ok()) return missing.status();
    if (missing->empty()) return absl::FailedPreconditionError("nothing to switch off");
    loaded->missing_ = *std::move(missing);
  }
  if (status = SetHotplugSeq(loaded->object(), hotplug_seq); !status.ok()) return status;
  if (status = loaded->SizeMaps(topo); !status.ok()) return status;
  if (status = loaded->LoadPrograms(); !status.ok()) return status;
  if (status = loaded->MapTables(topo); !status.ok()) return status;
  return loaded;
}

absl::Status LoadedObject::Open(std::span<const std::byte> object) {
  LibbpfCapture capture;
  LIBBPF_OPTS(bpf_object_open_opts, options, .object_name = "layered");
  object_.reset(bpf_object__open_mem(object.data(), object.size(), &options));
  if (object_ == nullptr) {
    const int error = errno;
    return ErrnoStatus("open the BPF object (" + LastWords(capture.text()) + ")", error);
  }
  absl::StatusOr<layered_layout> layout = ReadLayout(object_.get());
  if (!layout.ok()) return layout.status();
  return CompareLayouts(*layout, OurLayout());
}

absl::Status LoadedObject::SizeMaps(const layered_topo& topo) {
  nr_cpus_ = topo.nr_cpus;
  nr_llcs_ = topo.nr_llcs;
  const std::pair<const char*, size_t> sizes[] = {
      {"cpu_plans", nr_cpus_}, {"cpu_ctxs", nr_cpus_}, {"llc_ctxs", nr_llcs_}};
  for (const auto& [name, entries] : sizes) {
    absl::StatusOr<bpf_map*> map = FindMap(object_.get(), name);
    if (!map.ok()) return map.status();
    const int error = bpf_map__set_max_entries(*map, static_cast<__u32>(entries));
    if (error != 0) return ErrnoStatus(std::string("set the size of map ") + name, -error);
  }
  return absl::OkStatus();
}

absl::Status LoadedObject::LoadPrograms() {
  LibbpfCapture capture;
  const int error = bpf_object__load(object_.get());
  if (error == 0) return absl::OkStatus();
  const absl::Status status = ErrnoStatus("load", -error);
  const std::string text = "the kernel refused the scheduler: " + LastWords(capture.text()) + " (" +
                           std::string(status.message()) + ")";
  // Whatever the errno: the object does not go into this kernel.
  const bool denied = absl::IsPermissionDenied(status);
  return denied ? absl::PermissionDeniedError(text) : absl::FailedPreconditionError(text);
}

absl::Status LoadedObject::MapTables(const layered_topo& topo) {
  const bpf_object* object = object_.get();
  absl::StatusOr<bpf_map*> ops = FindMap(object, kOpsMap);
  if (!ops.ok()) return ops.status();
  ops_ = *ops;
  absl::StatusOr<bpf_map*> revisions = FindMap(object, "rev_cur");
  if (!revisions.ok()) return revisions.status();
  revisions_fd_ = bpf_map__fd(*revisions);

  // Not bpf_map__initial_value: in this libbpf it stays a copy after the load.
  MappedArea topo_area;
  absl::Status status =
      MapTable(object, ".data.topo", sizeof(layered_topo), 1, Access::kReadWrite, topo_area);
  if (!status.ok()) return status;
  *topo_area.As<layered_topo>() = topo;
  status = MapTable(object, ".data.ctl", sizeof(layered_ctl), 1, Access::kReadWrite, ctl_);
  if (!status.ok()) return status;
  status =
      MapTable(object, "cpu_plans", sizeof(layered_cpu_plan), nr_cpus_, Access::kReadWrite, plans_);
  if (!status.ok()) return status;
  status =
      MapTable(object, "cpu_ctxs", sizeof(layered_cpu_ctx), nr_cpus_, Access::kReadOnly, cpus_);
  if (!status.ok()) return status;
  return MapTable(object, "llc_ctxs", sizeof(layered_llc_ctx), nr_llcs_, Access::kReadOnly, llcs_);
}

}  // namespace layered
