// SPDX-License-Identifier: Apache-2.0
//
// The real SchedBackend: our BPF object in the running kernel, through libbpf. It composes the
// units of this folder and holds no logic of its own beyond their order:
//
//   Load     LoadedObject (open, compare layouts, fit to the kernel, verify, map the tables)
//   Publish  RevisionMaps (fresh map, freeze, candidate, cgroup iterator, in force)
//   Attach   optional tracing programs one by one, then the ops table, then look at the exit record
//
// The link is not pinned: when this process ends for whatever reason, the kernel takes the
// scheduler out and tasks return to its default one.
//
// Thread-safety: as SchedBackend says. Readers take a shared_ptr to the loaded object under a leaf
// lock, so a Load that replaces it never pulls it away under them; no lock is held across a call
// into the kernel.
// Ownership: owns object, maps and links. Detach keeps the object, so that the counters and the
// exit record stay readable until the next Load.
// Failure: each status names the step.

#ifndef LAYERED_DAEMON_SCHEDULER_BPF_BACKEND_H_
#define LAYERED_DAEMON_SCHEDULER_BPF_BACKEND_H_

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bpf/layered_object.h"
#include "daemon/base/clock.h"
#include "daemon/scheduler/sched_backend.h"
#include "daemon/scheduler/sched_ext_sysfs.h"

namespace layered {

class BpfBackend final : public SchedBackend {
 public:
  struct Options {
    // The ELF file of the object; outlives the backend.
    std::span<const std::byte> object = LayeredObject();
    // Of the running kernel.
    SchedExtSysfs sched_ext;
    std::string kernel_btf = "/sys/kernel/btf/vmlinux";
    // Mount point of the cgroup v2 hierarchy; empty if there is none.
    std::string cgroup_mount;
    // Borrowed.
    const Clock* clock = nullptr;
  };

  explicit BpfBackend(Options options);

  // Detaches.
  ~BpfBackend() override;

  absl::Status Load(const layered_topo& topo, uint64_t hotplug_seq) override;
  absl::Status WritePlans(const std::vector<layered_plan_buf>& plans) override;
  absl::Status Publish(const layered_revision& revision) override;
  absl::Status Attach() override;
  void Detach() override;
  std::optional<SchedExit> Exit() const override;
  uint32_t LivePublish() const override;
  SchedEvents Events() const override;
  Counters ReadCounters() const override;
  std::vector<BpfProgram> Programs() const override;
  std::vector<std::string> MissingHooks() const override;

 private:
  class Session;  // one loaded object and what hangs on it

  std::shared_ptr<Session> session() const;

  const Options options_;
  mutable std::mutex mutex_;
  std::shared_ptr<Session> session_;  // guarded by mutex_; null before the first Load
};

}  // namespace layered

#endif  // LAYERED_DAEMON_SCHEDULER_BPF_BACKEND_H_
