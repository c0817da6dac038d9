// SPDX-License-Identifier: Apache-2.0

#include "daemon/stats/sample_builder.h"

#include <algorithm>

#include "daemon/base/diff.h"

namespace layered {
namespace {

bool IsDrained(const SampledLayer& layer, const SlotCounters& row) {
  return layer.draining && row.tasks == 0 && row.queued == 0 && row.running == 0;
}

void FillLayer(const SampledLayer& layer, const SlotCounters& row, v1::LayerStats* out) {
  out->set_name(layer.name);
  out->set_slot(layer.slot);
  out->set_generation(layer.generation);
  out->set_draining(layer.draining);
  out->set_weight(layer.weight);
  out->set_cpu_ns(row.cpu_ns);
  out->set_tasks(row.tasks);
  out->set_queued(row.queued);
  out->set_running(row.running);
  out->set_enqueues(row.enqueues);
  out->set_direct(row.direct);
  out->set_rematches(row.rematches);
  out->set_rescued(row.rescued);
}

void FillMachine(const Counters& counters, uint32_t cpus, v1::MachineStats* out) {
  const layered_cpu_stats& machine = counters.machine;
  out->set_cpus(cpus);
  out->set_dispatches(machine.dispatches);
  out->set_failed_probes(machine.failed_probes);
  out->set_kept(machine.kept);
  out->set_high_fallback(counters.rows[LAYERED_ROW_HIGH].enqueues);
  out->set_low_fallback(counters.rows[LAYERED_ROW_LOW].enqueues);
  out->set_repairs(machine.repairs);
  out->set_fallbacks(machine.fallbacks);
  out->set_kicks(machine.kicks);
  uint64_t rescued = 0;
  for (const SlotCounters& row : counters.rows) rescued += row.rescued;
  out->set_rescued(rescued);
}

}  // namespace

std::shared_ptr<const v1::WatchResponse> SampleBuilder::Build(
    std::optional<uint64_t> previous_ns, const std::vector<std::string>& filter) {
  std::shared_ptr<const v1::WatchResponse>& built = built_[Key(previous_ns, filter)];
  if (built != nullptr) return built;
  auto sample = std::make_shared<v1::WatchResponse>();
  sample->set_time_ns(counters_.time_ns);
  sample->set_first(!previous_ns.has_value());
  sample->set_interval_ns(previous_ns ? SaturatingSub(counters_.time_ns, *previous_ns) : 0);
  sample->set_instance_id(context_.instance_id);
  sample->set_revision(context_.revision);
  for (const SampledLayer& layer : context_.layers) {
    const bool wanted =
        filter.empty() || std::find(filter.begin(), filter.end(), layer.name) != filter.end();
    if (!wanted || layer.slot >= LAYERED_MAX_SLOTS) continue;
    const SlotCounters& row = counters_.rows[layer.slot];
    if (!IsDrained(layer, row)) FillLayer(layer, row, sample->add_layers());
  }
  FillMachine(counters_, context_.cpus, sample->mutable_machine());
  built = std::move(sample);
  return built;
}

}  // namespace layered
