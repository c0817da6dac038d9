// SPDX-License-Identifier: Apache-2.0

#include "daemon/topology/sysfs_reader.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include "daemon/topology/cpulist.h"

namespace layered {
namespace {

using IdSet = std::vector<int>;  // ascending

// A file's text; nothing if it is missing or cannot be read (some attributes answer EINVAL).
std::optional<std::string> ReadText(const std::string& path) {
  std::ifstream file(path);
  if (!file.is_open()) return std::nullopt;
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) return std::nullopt;
  return text;
}

// A file with one number; kNoId if it is missing, malformed or negative (the kernel's "unknown").
int ReadId(const std::string& path) {
  const std::optional<std::string> text = ReadText(path);
  if (!text) return kNoId;
  int id = kNoId;
  const auto [rest, error] = std::from_chars(text->data(), text->data() + text->size(), id);
  return error == std::errc() && id >= 0 ? id : kNoId;
}

// A file with a CPU list; nothing if it is missing or malformed.
std::optional<IdSet> ReadList(const std::string& path) {
  const std::optional<std::string> text = ReadText(path);
  if (!text) return std::nullopt;
  absl::StatusOr<IdSet> ids = ParseCpuList(*text);
  if (!ids.ok()) return std::nullopt;
  return *std::move(ids);
}

// Numbers of the entries of `dir` that are named `prefix`N.
IdSet NumberedEntries(const std::string& dir, const std::string& prefix) {
  IdSet ids;
  std::error_code error;
  std::filesystem::directory_iterator it(dir, error);
  for (const std::filesystem::directory_iterator end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.rfind(prefix, 0) != 0 || name.size() == prefix.size()) continue;
    int id = kNoId;
    const char* last = name.data() + name.size();
    const auto [rest, fault] = std::from_chars(name.data() + prefix.size(), last, id);
    if (fault == std::errc() && rest == last && id >= 0 && id <= kMaxListId) ids.push_back(id);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

IdSet Intersection(const IdSet& a, const IdSet& b) {
  IdSet both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

bool Contains(const IdSet& ids, int id) { return std::binary_search(ids.begin(), ids.end(), id); }

// What stands for the LLC of one CPU. Equal keys are one LLC; as a CPU has one key only, the LLCs
// are disjoint even where the kernel's lists contradict each other.
struct LlcKey {
  int level = 0;
  IdSet cpus;           // that share the cache; empty without one
  int package = kNoId;  // set if the package stands in
  int node = kNoId;

  friend auto operator<=>(const LlcKey&, const LlcKey&) = default;
};

class Reader {
 public:
  explicit Reader(const std::string& root)
      : cpu_root_(root + "/devices/system/cpu"), node_root_(root + "/devices/system/node") {}

  absl::StatusOr<Topology> Read() {
    if (absl::Status status = ReadCpus(); !status.ok()) return status;
    ReadNodes();
    ReadCores();
    ReadLlcs();
    return std::move(topology_);
  }

 private:
  std::string CpuDir(int id) const { return cpu_root_ + "/cpu" + std::to_string(id); }

  void Note(std::string note) { topology_.notes.push_back(std::move(note)); }

  // Adds a note about a number of CPUs, if any.
  void NoteAbout(const IdSet& cpus, const std::string& what) {
    if (!cpus.empty()) Note("CPUs " + FormatCpuList(cpus) + ": " + what);
  }

  // One of the lists of all CPUs; nothing if the file is missing.
  absl::StatusOr<std::optional<IdSet>> ReadCpuSet(const std::string& name) {
    const std::string path = cpu_root_ + "/" + name;
    const std::optional<std::string> text = ReadText(path);
    if (!text) return std::optional<IdSet>();
    absl::StatusOr<IdSet> ids = ParseCpuList(*text);
    if (!ids.ok()) {
      return absl::InvalidArgumentError(path + ": " + std::string(ids.status().message()));
    }
    return std::optional<IdSet>(*std::move(ids));
  }

  absl::Status ReadCpus() {
    const auto possible_file = ReadCpuSet("possible");
    const auto present_file = ReadCpuSet("present");
    const auto online_file = ReadCpuSet("online");
    for (const auto* file : {&possible_file, &present_file, &online_file}) {
      if (!file->ok()) return file->status();
    }
    IdSet present, possible;
    if (*present_file) {
      present = **present_file;
    } else {
      present = NumberedEntries(cpu_root_, "cpu");
      if (present.empty()) return absl::NotFoundError("no CPUs under " + cpu_root_);
      Note("no list of present CPUs: the cpuN folders are taken");
    }
    if (*online_file) {
      online_ = **online_file;
    } else {
      Note("no list of online CPUs: each present CPU without online = 0 is taken");
      for (int id : present) {
        // The boot CPU has no such file: it cannot go offline.
        if (ReadId(CpuDir(id) + "/online") != 0) online_.push_back(id);
      }
    }
    if (*possible_file) {
      possible = **possible_file;
    } else {
      Note("no list of possible CPUs: the present ones are taken");
    }
    if (online_.empty()) return absl::InvalidArgumentError("no online CPU under " + cpu_root_);

    // The lists are read one after the other: a CPU that is online is also present and possible.
    std::set<int> all(possible.begin(), possible.end());
    all.insert(present.begin(), present.end());
    all.insert(online_.begin(), online_.end());
    for (int id : all) {
      Cpu cpu;
      cpu.id = id;
      cpu.online = Contains(online_, id);
      cpu.present = cpu.online || Contains(present, id);
      if (cpu.online) cpu.package = ReadId(CpuDir(id) + "/topology/physical_package_id");
      topology_.cpus.push_back(std::move(cpu));
    }
    return absl::OkStatus();
  }

  void ReadNodes() {
    IdSet ids = NumberedEntries(node_root_, "node");
    if (ids.empty()) {
      Note("no NUMA nodes in sysfs: all CPUs are put in node 0");
      ids.push_back(0);
      for (Cpu& cpu : topology_.cpus) {
        if (cpu.online) cpu.node = 0;
      }
    }
    for (int id : ids) {
      topology_.nodes.emplace_back().id = id;
      const std::string path = node_root_ + "/node" + std::to_string(id) + "/cpulist";
      const IdSet cpus = ReadList(path).value_or(IdSet());
      for (Cpu& cpu : topology_.cpus) {
        if (cpu.online && cpu.node == kNoId && Contains(cpus, cpu.id)) cpu.node = id;
      }
    }
    IdSet homeless;
    for (Cpu& cpu : topology_.cpus) {
      if (!cpu.online || cpu.node != kNoId) continue;
      homeless.push_back(cpu.id);
      cpu.node = ids.front();
    }
    NoteAbout(homeless, "in no node's list, put in node " + std::to_string(ids.front()));
    for (Node& node : topology_.nodes) {
      for (const Cpu& cpu : topology_.cpus) {
        if (cpu.node == node.id) node.cpus.push_back(cpu.id);
      }
    }
  }

  void ReadCores() {
    // By the list of siblings or by ids; never by core_id alone, which starts anew in each package.
    using Key = std::tuple<IdSet, int, int, int>;
    std::map<Key, std::vector<Cpu*>> cores;
    IdSet guessed;
    for (Cpu& cpu : topology_.cpus) {
      if (!cpu.online) continue;
      const std::string dir = CpuDir(cpu.id) + "/topology/";
      std::optional<IdSet> siblings = ReadList(dir + "thread_siblings_list");
      if (!siblings) siblings = ReadList(dir + "core_cpus_list");
      if (siblings && Contains(*siblings, cpu.id)) {
        cores[Key(Intersection(*siblings, online_), kNoId, kNoId, kNoId)].push_back(&cpu);
        continue;
      }
      guessed.push_back(cpu.id);
      const int core = ReadId(dir + "core_id");
      const Key key = core == kNoId ? Key({cpu.id}, kNoId, kNoId, kNoId)
                                    : Key({}, cpu.package, ReadId(dir + "die_id"), core);
      cores[key].push_back(&cpu);
    }
    NoteAbout(guessed, "no list of SMT siblings, cores made from core ids or one per CPU");

    std::vector<std::vector<Cpu*>> ordered;
    for (auto& [key, members] : cores) ordered.push_back(std::move(members));
    std::sort(ordered.begin(), ordered.end(),
              [](const auto& a, const auto& b) { return a.front()->id < b.front()->id; });
    for (size_t core = 0; core < ordered.size(); ++core) {
      IdSet ids;
      for (const Cpu* cpu : ordered[core]) ids.push_back(cpu->id);
      for (Cpu* cpu : ordered[core]) {
        cpu->core = static_cast<int>(core);
        cpu->siblings = ids;
      }
    }
  }

  // The cache that counts as the last level of this CPU: level 3, else the highest one that reaches
  // beyond its core. Level 0 if there is none.
  std::pair<int, IdSet> LastLevelCache(const Cpu& cpu) {
    std::pair<int, IdSet> best{0, {}};
    const std::string dir = CpuDir(cpu.id) + "/cache";
    for (int index : NumberedEntries(dir, "index")) {
      const std::string entry = dir + "/index" + std::to_string(index) + "/";
      const std::string type = ReadText(entry + "type").value_or("Unified");
      if (type.rfind("Instruction", 0) == 0) continue;
      // Without the file the index tells: 0 and 1 are the two halves of level 1.
      const int told = ReadId(entry + "level");
      const int level = told == kNoId ? std::max(index, 1) : told;
      const std::optional<IdSet> shared = ReadList(entry + "shared_cpu_list");
      if (!shared || !Contains(*shared, cpu.id)) continue;
      IdSet cpus = Intersection(*shared, online_);
      const bool beyond_core =
          !std::includes(cpu.siblings.begin(), cpu.siblings.end(), cpus.begin(), cpus.end());
      if (level == 3) return {level, std::move(cpus)};
      if (beyond_core && level > best.first) best = {level, std::move(cpus)};
    }
    return best;
  }

  void ReadLlcs() {
    std::map<LlcKey, IdSet> llcs;
    IdSet lower, packages, nodes;
    for (const Cpu& cpu : topology_.cpus) {
      if (!cpu.online) continue;
      LlcKey key;
      std::tie(key.level, key.cpus) = LastLevelCache(cpu);
      key.node = cpu.node;
      if (key.level == 0) {
        key.package = cpu.package;
        (cpu.package == kNoId ? nodes : packages).push_back(cpu.id);
      } else if (key.level != 3) {
        lower.push_back(cpu.id);
      }
      llcs[std::move(key)].push_back(cpu.id);
    }
    NoteAbout(lower, "no level 3 cache, the largest cache shared by several cores is taken");
    NoteAbout(packages, "no shared cache known, the package is taken as LLC");
    NoteAbout(nodes, "no shared cache and no package known, the node is taken as LLC");
    NoteSplits(llcs);
    AddLlcs(llcs);
  }

  void NoteSplits(const std::map<LlcKey, IdSet>& llcs) {
    std::map<IdSet, int> parts;
    for (const auto& [key, members] : llcs) {
      if (!key.cpus.empty()) ++parts[key.cpus];
    }
    for (const auto& [cpus, count] : parts) {
      if (count > 1) {
        NoteAbout(cpus, "their cache spans nodes, split into " + std::to_string(count) + " LLCs");
      }
    }
  }

  void AddLlcs(const std::map<LlcKey, IdSet>& llcs) {
    // Numbered by their first CPU, so that the same machine always gives the same ids.
    std::vector<std::pair<IdSet, const LlcKey*>> ordered;
    for (const auto& [key, members] : llcs) ordered.emplace_back(members, &key);
    std::sort(ordered.begin(), ordered.end(),
              [](const auto& a, const auto& b) { return a.first.front() < b.first.front(); });
    for (auto& [members, key] : ordered) {
      const int id = static_cast<int>(topology_.llcs.size());
      for (Cpu& cpu : topology_.cpus) {
        if (Contains(members, cpu.id)) cpu.llc = id;
      }
      for (Node& node : topology_.nodes) {
        if (node.id == key->node) node.llcs.push_back(id);
      }
      topology_.llcs.push_back({id, key->level, key->node, std::move(members)});
    }
  }

  const std::string cpu_root_;
  const std::string node_root_;
  IdSet online_;
  Topology topology_;
};

}  // namespace

absl::StatusOr<Topology> ReadTopology(const std::string& sysfs_root) {
  return Reader(sysfs_root).Read();
}

}  // namespace layered
