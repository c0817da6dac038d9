// SPDX-License-Identifier: Apache-2.0

#include "daemon/control/bring_up.h"

#include <utility>

#include "spdlog/spdlog.h"

namespace layered {
namespace {

absl::StatusOr<std::shared_ptr<const Machine>> TryOnce(SchedBackend& backend,
                                                       const MachineReader& read_machine,
                                                       const DesiredState& desired,
                                                       uint32_t publish) {
  absl::StatusOr<Machine> read = read_machine();
  if (!read.ok()) return read.status();
  auto machine = std::make_shared<const Machine>(*std::move(read));
  absl::Status status = backend.Load(machine->kernel, machine->hotplug_seq);
  if (!status.ok()) return status;
  status = PublishTables(backend, *machine, desired, publish);
  if (!status.ok()) return status;
  status = backend.Attach();
  if (!status.ok()) return status;
  return machine;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Machine>> BringUp(SchedBackend& backend,
                                                       const MachineReader& read_machine,
                                                       const DesiredState& desired,
                                                       uint32_t publish) {
  for (int attempt = 1;; ++attempt) {
    auto machine = TryOnce(backend, read_machine, desired, publish);
    if (!absl::IsAborted(machine.status()) || attempt == kBringUpTries) return machine;
    spdlog::warn("{}; trying again", machine.status().ToString());
  }
}

absl::Status PublishTables(SchedBackend& backend, const Machine& machine,
                           const DesiredState& desired, uint32_t publish) {
  absl::StatusOr<KernelTables> tables = CompileTables(desired, machine.topology, publish);
  if (!tables.ok()) return tables.status();
  absl::Status status = backend.WritePlans(tables->plans);
  return status.ok() ? backend.Publish(*tables->rules) : status;
}

}  // namespace layered
