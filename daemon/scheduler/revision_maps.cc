// SPDX-License-Identifier: Apache-2.0

#include "daemon/scheduler/revision_maps.h"

#include <bpf/bpf.h>
#include <linux/bpf.h>

#include <cerrno>
#include <string>
#include <utility>

#include "daemon/base/errno_status.h"
#include "daemon/scheduler/mapped_area.h"

namespace layered {
namespace {

constexpr uint32_t kInForce = 0;
constexpr uint32_t kCandidate = 1;

}  // namespace

RevisionMaps::RevisionMaps(int revisions_fd, std::function<void()> prepare)
    : revisions_fd_(revisions_fd), prepare_(std::move(prepare)) {}

absl::Status RevisionMaps::Publish(const layered_revision& revision) {
  absl::StatusOr<UniqueFd> map = MakeMap(revision);
  if (!map.ok()) return map.status();
  absl::Status status = Put(kCandidate, map->get());
  if (!status.ok()) return status;
  prepare_();
  if (status = Put(kInForce, map->get()); !status.ok()) return status;
  kept_.push_front(*std::move(map));
  if (kept_.size() > kKept) kept_.pop_back();
  return absl::OkStatus();
}

absl::StatusOr<UniqueFd> RevisionMaps::MakeMap(const layered_revision& revision) {
  // Type, sizes, entries and flags must equal those of the declared inner map.
  LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = BPF_F_MMAPABLE);
  UniqueFd map(bpf_map_create(BPF_MAP_TYPE_ARRAY, "layered_rev", sizeof(uint32_t),
                              sizeof(layered_revision), 1, &options));
  if (!map.valid()) return ErrnoStatus("create a revision map", errno);
  {
    auto area = MappedArea::Map(map.get(), sizeof(layered_revision), MappedArea::Access::kReadWrite,
                                "layered_rev");
    if (!area.ok()) return area.status();
    *area->As<layered_revision>() = revision;
  }  // unmapped here: a map that is mapped for writing cannot be frozen
  if (bpf_map_freeze(map.get()) != 0) return ErrnoStatus("freeze a revision map", errno);
  return map;
}

absl::Status RevisionMaps::Put(uint32_t entry, int map_fd) {
  if (bpf_map_update_elem(revisions_fd_, &entry, &map_fd, BPF_ANY) != 0) {
    const char* which = entry == kInForce ? "publish the revision" : "place the candidate";
    return ErrnoStatus(which, errno);
  }
  return absl::OkStatus();
}

}  // namespace layered
