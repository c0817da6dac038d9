// SPDX-License-Identifier: Apache-2.0
//
// A file descriptor that closes itself.
//
// Thread-safety: as an int.
// Ownership: owns the descriptor; moved, never copied.
// Failure: errors of close are ignored, as nothing could be done about them.

#ifndef LAYERED_DAEMON_BASE_UNIQUE_FD_H_
#define LAYERED_DAEMON_BASE_UNIQUE_FD_H_

#include <unistd.h>

#include <utility>

namespace layered {

class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  ~UniqueFd() { Reset(); }
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }

  // The descriptor, or a negative number if there is none.
  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }

  // Closes it now.
  void Reset() {
    if (fd_ >= 0) close(std::exchange(fd_, -1));
  }

 private:
  int fd_ = -1;
};

}  // namespace layered

#endif  // LAYERED_DAEMON_BASE_UNIQUE_FD_H_
