// SPDX-License-Identifier: Apache-2.0
//
// Which slot of the kernel's tables each layer has. A slot belongs to a layer's name: it stays
// through updates and reorders, and so do its queues, virtual time and counters. A removed layer's
// slot goes on draining: its tasks are served, new ones do not come. A name that returns gets its
// slot back.
//
// In this version a draining slot is not given to another name, so that a run of the daemon can
// know LAYERED_MAX_SLOTS names in all.
//
// Value type: the control side updates a copy and keeps it when the change is accepted, so that a
// refused change changes nothing.
//
// Thread-safety: none of its own; const methods may run in parallel.
// Failure: Update answers RESOURCE_EXHAUSTED and leaves the table as it was.

#ifndef LAYERED_DAEMON_COMPILE_SLOT_TABLE_H_
#define LAYERED_DAEMON_COMPILE_SLOT_TABLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "bpf/layered_shared.h"
#include "layered/v1/layer.pb.h"

namespace layered {

// A slot in use and the policy of its layer. A draining one keeps the policy that it had last.
struct Slot {
  uint32_t slot = 0;        // index, below LAYERED_MAX_SLOTS
  uint32_t generation = 0;  // 1..2^24 - 1; rises when the slot gets another layer
  std::string name;
  bool draining = false;
  uint32_t weight = LAYERED_DEFAULT_WEIGHT;
  uint64_t slice_ns = LAYERED_DEFAULT_SLICE_NS;

  friend bool operator==(const Slot&, const Slot&) = default;
};

// The generation after `generation`: 24 bits, never 0 (0 means "never used" in the kernel).
uint32_t NextGeneration(uint32_t generation);

class SlotTable {
 public:
  // Gives each layer of a validated set its slot and policy and marks all others as draining.
  // RESOURCE_EXHAUSTED, naming new and draining layers, if there are not enough free slots.
  absl::Status Update(const v1::LayerSet& layers);

  // The layers of the last set, in match order.
  const std::vector<Slot>& Live() const { return live_; }

  // Removed layers, by slot.
  const std::vector<Slot>& Draining() const { return draining_; }

  // The slot of a live or draining layer; null for a name that has none. Valid until the next
  // Update.
  const Slot* Find(const std::string& name) const;

  // Name of the layer that has the slot, live or draining; empty if the slot was never used.
  std::string NameOf(uint32_t slot) const;

  friend bool operator==(const SlotTable&, const SlotTable&) = default;

 private:
  std::vector<Slot> live_;
  std::vector<Slot> draining_;
};

}  // namespace layered

#endif  // LAYERED_DAEMON_COMPILE_SLOT_TABLE_H_
