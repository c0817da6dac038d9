// SPDX-License-Identifier: Apache-2.0

#include "daemon/compile/slot_table.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "daemon/config/validate.h"

namespace layered {
namespace {

// "a", "b", "c" and 4 more
std::string FirstNames(const std::vector<std::string>& names) {
  constexpr size_t kShown = 3;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kShown); ++i) {
    text += (i == 0 ? "\"" : ", \"") + names[i] + "\"";
  }
  if (names.size() > kShown) text += " and " + std::to_string(names.size() - kShown) + " more";
  return text;
}

void TakePolicy(const v1::Layer& layer, Slot& slot) {
  slot.weight = EffectiveWeight(layer);
  slot.slice_ns = static_cast<uint64_t>(EffectiveSliceNs(layer));
}

absl::Status NoFreeSlot(const std::vector<std::string>& fresh, size_t used,
                        const std::vector<Slot>& draining) {
  std::vector<std::string> names;
  for (const Slot& slot : draining) names.push_back(slot.name);
  std::string text = "no free slot for " + std::to_string(fresh.size()) + " new layer" +
                     (fresh.size() == 1 ? "" : "s") + " (" + FirstNames(fresh) +
                     "): " + std::to_string(used) + " of " + std::to_string(LAYERED_MAX_SLOTS) +
                     " are used";
  if (!names.empty()) {
    text += ", " + std::to_string(names.size()) + " of them by removed layers that still drain (" +
            FirstNames(names) + "); those names can be used again";
  }
  return absl::ResourceExhaustedError(text);
}

}  // namespace

uint32_t NextGeneration(uint32_t generation) {
  constexpr uint32_t kLast = (1u << 24) - 1;
  return generation >= kLast ? 1 : generation + 1;
}

absl::Status SlotTable::Update(const v1::LayerSet& layers) {
  // All known names; what no layer claims below goes on draining.
  std::unordered_map<std::string, Slot> known;
  std::array<bool, LAYERED_MAX_SLOTS> used{};
  for (const std::vector<Slot>* list : {&live_, &draining_}) {
    for (const Slot& slot : *list) {
      known.emplace(slot.name, slot);
      used[slot.slot] = true;
    }
  }
  const size_t nr_used = known.size();

  std::vector<Slot> live;
  std::vector<std::string> fresh;
  for (const v1::Layer& layer : layers.layers()) {
    Slot slot;
    if (auto node = known.extract(layer.name()); !node.empty()) {
      slot = std::move(node.mapped());
      slot.draining = false;
    } else {
      fresh.push_back(layer.name());
      const auto free = std::find(used.begin(), used.end(), false);
      if (free == used.end()) continue;  // refused below, with all names
      *free = true;
      slot.slot = static_cast<uint32_t>(free - used.begin());
      slot.generation = NextGeneration(0);
      slot.name = layer.name();
    }
    TakePolicy(layer, slot);
    live.push_back(std::move(slot));
  }

  std::vector<Slot> draining;
  for (auto& [name, slot] : known) {
    slot.draining = true;
    draining.push_back(std::move(slot));
  }
  std::sort(draining.begin(), draining.end(),
            [](const Slot& a, const Slot& b) { return a.slot < b.slot; });
  if (nr_used + fresh.size() > LAYERED_MAX_SLOTS) return NoFreeSlot(fresh, nr_used, draining);
  live_ = std::move(live);
  draining_ = std::move(draining);
  return absl::OkStatus();
}

const Slot* SlotTable::Find(const std::string& name) const {
  for (const std::vector<Slot>* list : {&live_, &draining_}) {
    for (const Slot& slot : *list) {
      if (slot.name == name) return &slot;
    }
  }
  return nullptr;
}

std::string SlotTable::NameOf(uint32_t index) const {
  for (const std::vector<Slot>* list : {&live_, &draining_}) {
    for (const Slot& slot : *list) {
      if (slot.slot == index) return slot.name;
    }
  }
  return "";
}

}  // namespace layered
