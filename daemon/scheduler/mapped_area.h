// SPDX-License-Identifier: Apache-2.0
//
// The value of a BPF map, mapped into our memory: how the daemon reads counters and writes plans
// without a system call.
//
// Thread-safety: the object is moved and destroyed by one thread; the memory is shared with BPF
// programs and read by any thread through LoadShared.
// Ownership: unmaps when destroyed. Does not own the map's fd, which may be closed earlier.
// Failure: Map returns the error of mmap, naming the map.

#ifndef LAYERED_DAEMON_SCHEDULER_MAPPED_AREA_H_
#define LAYERED_DAEMON_SCHEDULER_MAPPED_AREA_H_

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace layered {

// One load that neither the compiler nor the CPU tears, of a word that BPF writes at any time.
// Counters need no order among each other, hence relaxed.
template <typename T>
T LoadShared(const T& word) {
  return __atomic_load_n(&word, __ATOMIC_RELAXED);
}

class MappedArea {
 public:
  enum class Access { kReadOnly, kReadWrite };

  MappedArea() = default;
  ~MappedArea();
  MappedArea(MappedArea&& other) noexcept;
  MappedArea& operator=(MappedArea&& other) noexcept;

  // Maps the first `size` bytes (rounded up to pages) of an mmap-able map. `name` is for errors.
  static absl::StatusOr<MappedArea> Map(int fd, size_t size, Access access,
                                        const std::string& name);

  // The memory as an array of T (of an ARRAY map: one per entry; sizes are multiples of 8, so
  // entries follow without gaps).
  template <typename T>
  T* As() const {
    return static_cast<T*>(data_);
  }

 private:
  MappedArea(void* data, size_t size) : data_(data), size_(size) {}

  void* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace layered

#endif  // LAYERED_DAEMON_SCHEDULER_MAPPED_AREA_H_
