// SPDX-License-Identifier: Apache-2.0

#include "daemon/base/std_fds.h"

#include <fcntl.h>
#include <unistd.h>

namespace layered {

bool OpenStdFds() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    // All lower ones are open, so this one is the lowest that is free.
    if (open("/dev/null", O_RDONLY) != fd) return false;
  }
  return true;
}

}  // namespace layered
