// SPDX-License-Identifier: Apache-2.0

#include "daemon/base/std_fds.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gtest/gtest.h"

namespace layered {
namespace {

bool IsDevNull(int fd) {
  struct stat file {};
  return fstat(fd, &file) == 0 && S_ISCHR(file.st_mode) && file.st_rdev == makedev(1, 3);
}

// In a child: the test's own descriptors stay as they are. `closed` is a set of bits, one for each
// descriptor. 0 if all is well, else the number of the check that failed.
int Check(unsigned closed) {
  struct stat before[3] = {}, after{};
  for (int fd = 0; fd < 3; ++fd) {
    if ((closed >> fd) & 1) {
      close(fd);
    } else if (fstat(fd, &before[fd]) != 0) {
      return 1;
    }
  }
  if (!OpenStdFds()) return 2;
  for (int fd = 0; fd < 3; ++fd) {
    if ((closed >> fd) & 1) {
      if (!IsDevNull(fd)) return 3;
      char byte = 0;
      if (fd == STDIN_FILENO && read(fd, &byte, 1) != 0) return 4;
      if (fd != STDIN_FILENO && (write(fd, &byte, 1) >= 0 || errno != EBADF)) return 5;
      if (fcntl(fd, F_GETFD) != 0) return 6;  // children inherit it
    } else if (fstat(fd, &after) != 0 || after.st_ino != before[fd].st_ino ||
               after.st_dev != before[fd].st_dev) {
      return 7;
    }
  }
  const int next = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return next > STDERR_FILENO ? 0 : 8;
}

TEST(StdFdsTest, RepairsWhateverIsClosedAndNothingElse) {
  for (unsigned closed = 0; closed < 8; ++closed) {
    const pid_t child = fork();
    if (child == 0) {
      // A known start, whatever the test runner gave us: open pipes.
      int ends[2] = {-1, -1};
      if (pipe(ends) != 0) _exit(100);
      dup2(ends[0], STDIN_FILENO);
      dup2(ends[1], STDOUT_FILENO);
      dup2(ends[1], STDERR_FILENO);
      _exit(Check(closed));
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0) << "closed: " << closed;
  }
}

}  // namespace
}  // namespace layered
