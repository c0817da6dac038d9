// SPDX-License-Identifier: Apache-2.0
//
// Answers "does this kernel have X?" from its type information (/sys/kernel/btf/vmlinux), before
// anything is loaded: which members its sched_ext_ops has, whether a tracepoint or function exists.
// Decided by probing, never by version number: distributions back-port.
//
// All questions are asked at once, in one walk over the types that builds nothing: libbpf's own
// loader of the same 5 MB would index and check 150,000 types first, and libbpf does that anyway
// while it loads the object.
//
// Thread-safety: immutable after construction.
// Ownership: keeps the blob that it was given, mapped where the kernel can do that.
// Failure: a blob that is no BTF is INVALID_ARGUMENT; a kind of type that is newer than this code
// ends the walk with UNIMPLEMENTED (its size is unknown). Callers then assume that nothing is
// missing and let the load tell.

#ifndef LAYERED_DAEMON_SCHEDULER_KERNEL_BTF_H_
#define LAYERED_DAEMON_SCHEDULER_KERNEL_BTF_H_

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

struct btf_type;

namespace layered {

class KernelBtf {
 public:
  // A type to look for. `kind` is BTF_KIND_STRUCT, BTF_KIND_FUNC or BTF_KIND_TYPEDEF.
  struct Wanted {
    unsigned kind;
    std::string name;

    friend bool operator==(const Wanted&, const Wanted&) = default;
  };

  // Reads the blob at `path` (NOT_FOUND if the kernel has none) and finds all of `wanted`.
  static absl::StatusOr<KernelBtf> Read(const std::string& path, std::vector<Wanted> wanted);

  // The same for a blob in memory.
  static absl::StatusOr<KernelBtf> Parse(std::vector<std::byte> blob, std::vector<Wanted> wanted);

  // Whether the type exists. It must have been among `wanted`.
  bool Has(unsigned kind, std::string_view name) const;

  // Whether struct `name` (among `wanted`) exists and has a direct member of this name.
  bool HasMember(std::string_view name, std::string_view member) const;

 private:
  // Bytes and whoever keeps them alive.
  struct Blob {
    std::shared_ptr<const void> owner;
    std::span<const std::byte> bytes;
  };

  KernelBtf(Blob blob, std::vector<Wanted> wanted);
  static Blob Own(std::vector<std::byte> bytes);
  static absl::StatusOr<Blob> ReadBlob(const std::string& path);
  static absl::StatusOr<KernelBtf> ParseBlob(Blob blob, std::vector<Wanted> wanted);
  absl::Status Walk();
  const btf_type* Find(unsigned kind, std::string_view name) const;
  // The string at an offset of the string section; empty if out of range.
  std::string_view String(size_t offset) const;

  Blob blob_;
  std::string_view strings_;  // in blob_
  std::vector<Wanted> wanted_;
  std::vector<const btf_type*> found_;  // beside wanted_
};

}  // namespace layered

#endif  // LAYERED_DAEMON_SCHEDULER_KERNEL_BTF_H_
