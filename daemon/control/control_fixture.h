// SPDX-License-Identifier: Apache-2.0
//
// What the tests of this folder share: layer sets from text, a small machine, requests, and a
// command that is waited for.
//
// Thread-safety: none. Failure: a fault of the test's own input ends the test program.

#ifndef LAYERED_DAEMON_CONTROL_CONTROL_FIXTURE_H_
#define LAYERED_DAEMON_CONTROL_CONTROL_FIXTURE_H_

#include <cstdlib>
#include <future>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "daemon/compile/slot_table.h"
#include "daemon/config/load.h"
#include "daemon/control/kernel_tables.h"
#include "daemon/control/layer_store.h"
#include "daemon/control/machine.h"

namespace layered {

// The set of a config text.
inline v1::LayerSet Layers(const std::string& text) {
  auto layers = ParseLayerSet(text);
  if (!layers.ok()) {
    std::cerr << layers.status().ToString() << std::endl;
    std::abort();
  }
  return *std::move(layers);
}

// web (weight 300) and the catch-all.
inline v1::LayerSet TwoLayers() {
  return Layers(R"({"layers":[{"name":"web","match":["comm=nginx*"],"weight":300},
                              {"name":"default","match":["all"]}]})");
}

// Two CPUs of one LLC.
inline Machine SmallMachine(uint64_t hotplug_seq = 1) {
  Machine machine;
  machine.hotplug_seq = hotplug_seq;
  for (int id : {0, 1}) {
    Cpu cpu;
    cpu.id = id;
    cpu.present = cpu.online = true;
    cpu.core = id;
    cpu.llc = cpu.node = 0;
    cpu.siblings = {id};
    machine.topology.cpus.push_back(cpu);
  }
  machine.topology.llcs.push_back({.id = 0, .level = 3, .node = 0, .cpus = {0, 1}});
  machine.topology.nodes.push_back({.id = 0, .cpus = {0, 1}, .llcs = {0}});
  machine.kernel.nr_cpus = 2;
  machine.kernel.nr_llcs = machine.kernel.nr_nodes = 1;
  machine.kernel.llc_nr_cpus[0] = 2;
  return machine;
}

// The desired state of revision `number`.
inline DesiredState Desired(const v1::LayerSet& layers, uint64_t number) {
  auto revision = std::make_shared<Revision>();
  revision->number = number;
  revision->layers = layers;
  auto slots = std::make_shared<SlotTable>();
  if (!slots->Update(layers).ok()) std::abort();
  return {revision, slots};
}

inline v1::SetLayerRequest SetWeight(const std::string& name, uint32_t weight) {
  v1::SetLayerRequest request;
  request.mutable_layer()->set_name(name);
  request.mutable_layer()->set_weight(weight);
  return request;
}

inline v1::SetLayerRequest NewLayer(const std::string& name) {
  v1::SetLayerRequest request = SetWeight(name, 100);
  auto* comm = request.mutable_layer()->add_match()->add_terms()->mutable_comm();
  comm->set_form(v1::STRING_FORM_EXACT);
  comm->set_value(name);
  return request;
}

// Submits and waits for the answer.
inline absl::StatusOr<CommitResult> Commit(LayerStore& store, Command command) {
  std::promise<absl::StatusOr<CommitResult>> promise;
  store.Submit(
      std::move(command), Author{.uid = 0, .pid = 1, .comm = "test"},
      [&promise](absl::StatusOr<CommitResult> result) { promise.set_value(std::move(result)); });
  return promise.get_future().get();
}

}  // namespace layered

#endif  // LAYERED_DAEMON_CONTROL_CONTROL_FIXTURE_H_
