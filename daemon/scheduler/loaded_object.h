// SPDX-License-Identifier: Apache-2.0
//
// The BPF object in the kernel: opened, checked, fitted to the kernel, loaded, its tables mapped.
// Everything is found by name; there is no generated skeleton (it would need a newer libbpf).
//
// Thread-safety: Load by one thread; afterwards the tables may be read by any thread, and written
// by the one that owns them (see layered_shared.h).
// Ownership: owns the maps, programs and mappings; all go when it is destroyed, links taken on its
// programs must go before.
// Failure: Load names the step; a program that the verifier refuses is told with the verifier's
// last words, the whole log is at debug level.

#ifndef LAYERED_DAEMON_SCHEDULER_LOADED_OBJECT_H_
#define LAYERED_DAEMON_SCHEDULER_LOADED_OBJECT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bpf/layered_shared.h"
#include "daemon/scheduler/mapped_area.h"

struct bpf_map;
struct bpf_object;

namespace layered {

class LoadedObject {
 public:
  // `object` is the ELF file in memory, `btf_path` the kernel's type information: it is read only
  // if the kernel refuses the object as it is, to leave out what the kernel lacks.
  static absl::StatusOr<std::unique_ptr<LoadedObject>> Load(std::span<const std::byte> object,
                                                            const layered_topo& topo,
                                                            uint64_t hotplug_seq,
                                                            const std::string& btf_path);

  bpf_object* object() const { return object_.get(); }

  // The struct_ops map, to attach.
  bpf_map* ops() const { return ops_; }

  // fd of the array of revision maps: entry 0 is in force, entry 1 the candidate.
  int revisions_fd() const { return revisions_fd_; }

  // The tables in shared memory.
  layered_ctl& ctl() const { return *ctl_.As<layered_ctl>(); }
  std::span<layered_cpu_plan> plans() const { return {plans_.As<layered_cpu_plan>(), nr_cpus_}; }
  std::span<const layered_cpu_ctx> cpus() const {
    return {cpus_.As<const layered_cpu_ctx>(), nr_cpus_};
  }
  std::span<const layered_llc_ctx> llcs() const {
    return {llcs_.As<const layered_llc_ctx>(), nr_llcs_};
  }

  // What the kernel lacks, one line each.
  const std::vector<std::string>& missing() const { return missing_; }

 private:
  struct Close {
    void operator()(bpf_object* object) const;
  };

  LoadedObject() = default;
  // One load, as is or without what the kernel described at `fit_to` lacks; an error if that is
  // nothing.
  static absl::StatusOr<std::unique_ptr<LoadedObject>> Attempt(
      std::span<const std::byte> object, const layered_topo& topo, uint64_t hotplug_seq,
      const std::optional<std::string>& fit_to);
  absl::Status Open(std::span<const std::byte> object);
  absl::Status SizeMaps(const layered_topo& topo);
  absl::Status LoadPrograms();
  absl::Status MapTables(const layered_topo& topo);

  std::unique_ptr<bpf_object, Close> object_;
  bpf_map* ops_ = nullptr;
  int revisions_fd_ = -1;
  size_t nr_cpus_ = 0;
  size_t nr_llcs_ = 0;
  MappedArea ctl_, plans_, cpus_, llcs_;
  std::vector<std::string> missing_;
};

}  // namespace layered

#endif  // LAYERED_DAEMON_SCHEDULER_LOADED_OBJECT_H_
