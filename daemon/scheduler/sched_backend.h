// SPDX-License-Identifier: Apache-2.0
//
// The door to the scheduler in the kernel. One interface, two implementations: BpfBackend (libbpf)
// and FakeBackend (tests only).
//
// Thread-safety: Load, Attach, Detach and Stage/Publish are called by one thread at a time (the
// control thread, Publish by the publisher thread); ReadCounters, LivePublish, Events, Exit and
// Programs may be called from any thread at any time, also when nothing is attached.
// Ownership: the backend owns every map, program and link; closing it detaches.
// Failure: every contact with the kernel returns a Status that names the step; nothing aborts.

#ifndef LAYERED_DAEMON_SCHEDULER_SCHED_BACKEND_H_
#define LAYERED_DAEMON_SCHEDULER_SCHED_BACKEND_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bpf/layered_shared.h"

namespace layered {

// Counters of one slot, summed over CPUs and LLCs.
struct SlotCounters {
  uint64_t cpu_ns = 0;
  uint64_t tasks = 0;    // now
  uint64_t queued = 0;   // now
  uint64_t running = 0;  // now
  uint64_t enqueues = 0;
  uint64_t direct = 0;
  uint64_t rematches = 0;
  uint64_t rescued = 0;
};

// One reading of everything that BPF counts.
struct Counters {
  uint64_t time_ns = 0;                              // CLOCK_MONOTONIC, when the reading began
  std::array<SlotCounters, LAYERED_NR_ROWS> rows{};  // slots, then high and low fallback
  layered_cpu_stats machine{};                       // summed over CPUs
};

// What has happened to the loaded scheduler besides scheduling.
struct SchedEvents {
  uint32_t hotplugs = 0;         // CPUs that came or went since it was attached
  uint64_t truncated_paths = 0;  // cgroups whose path is too long or too deep to be matched
};

// How the scheduler ended.
struct SchedExit {
  uint32_t kind = 0;  // the kernel's scx_exit_kind: 64.. regular, 1024.. error
  int64_t code = 0;
  std::string reason{};
  std::string message{};
};

// One loaded program.
struct BpfProgram {
  std::string name;
  uint64_t verified_insns = 0;
  uint64_t jited_bytes = 0;
  uint64_t run_count = 0;  // 0 unless kernel.bpf_stats_enabled
  uint64_t run_time_ns = 0;
};

class SchedBackend {
 public:
  virtual ~SchedBackend() = default;

  // Opens and loads the object: maps exist, programs are verified, nothing is attached.
  // `hotplug_seq` is the kernel's CPU hot-plug count, read BEFORE the topology was: if it has moved
  // by then, Attach fails and the caller reads both again. May be called again after Detach; the
  // counters then start anew. FAILED_PRECONDITION names what the kernel lacks.
  virtual absl::Status Load(const layered_topo& topo, uint64_t hotplug_seq) = 0;

  // Writes the CPU plan of every possible CPU (by CPU id). Before or after Attach.
  virtual absl::Status WritePlans(const std::vector<layered_plan_buf>& plans) = 0;

  // Puts a revision into a fresh frozen map and makes it current. Blocks until non-sleepable
  // programs have left the old one (up to a second): publisher thread only.
  virtual absl::Status Publish(const layered_revision& revision) = 0;

  // Attaches the scheduler and checks the kernel's exit kind afterwards. Needs a published
  // revision and plans. EBUSY becomes ALREADY_EXISTS naming the loaded scheduler; ABORTED means
  // that CPUs came or went since hotplug_seq was read.
  virtual absl::Status Attach() = 0;

  // Takes the scheduler out of the kernel; tasks return to the default one. Idempotent.
  virtual void Detach() = 0;

  // The exit record, if the scheduler has ended.
  virtual std::optional<SchedExit> Exit() const = 0;

  // Newest publish number that an op has worked with.
  virtual uint32_t LivePublish() const = 0;

  // Counted since Load; no system call.
  virtual SchedEvents Events() const = 0;

  // Reads all counters; no system call.
  virtual Counters ReadCounters() const = 0;

  // The loaded programs.
  virtual std::vector<BpfProgram> Programs() const = 0;

  // Optional hooks and abilities that this kernel lacks, in plain words.
  virtual std::vector<std::string> MissingHooks() const = 0;
};

}  // namespace layered

#endif  // LAYERED_DAEMON_SCHEDULER_SCHED_BACKEND_H_
