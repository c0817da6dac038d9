// SPDX-License-Identifier: Apache-2.0

#include "daemon/scheduler/mapped_area.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "daemon/base/errno_status.h"

namespace layered {

MappedArea::~MappedArea() {
  if (data_ != nullptr) munmap(data_, size_);
}

MappedArea::MappedArea(MappedArea&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedArea& MappedArea::operator=(MappedArea&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

absl::StatusOr<MappedArea> MappedArea::Map(int fd, size_t size, Access access,
                                           const std::string& name) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t bytes = (size + page - 1) / page * page;
  const int protection = access == Access::kReadOnly ? PROT_READ : PROT_READ | PROT_WRITE;
  void* data = mmap(nullptr, bytes, protection, MAP_SHARED, fd, 0);
  if (data == MAP_FAILED) return ErrnoStatus("mmap of map " + name, errno);
  return MappedArea(data, bytes);
}

}  // namespace layered
