// SPDX-License-Identifier: Apache-2.0

#include "tests/api/process.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

namespace layered::tests {
namespace {

std::vector<char*> Pointers(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const std::string& string : strings) pointers.push_back(const_cast<char*>(string.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// Between fork and exec: only what is safe there.
[[noreturn]] void Become(int binary, char* const* argv, char* const* envp, int out, int err,
                         const std::optional<Identity>& identity) {
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  if (identity) {
    if (setgroups(identity->groups.size(), identity->groups.data()) != 0 ||
        setresgid(identity->gid, identity->gid, identity->gid) != 0 ||
        setresuid(identity->uid, identity->uid, identity->uid) != 0) {
      _exit(250);
    }
  }
  // By descriptor: the user may not be able to walk the path.
  syscall(SYS_execveat, binary, "", argv, envp, AT_EMPTY_PATH);
  _exit(251);
}

// Appends what can be read now; closes and sets to -1 at the end.
void Drain(int* fd, std::string* text) {
  char buffer[65536];
  const ssize_t n = read(*fd, buffer, sizeof(buffer));
  if (n > 0) {
    text->append(buffer, static_cast<std::size_t>(n));
  } else if (n == 0 || errno != EINTR) {
    close(*fd);
    *fd = -1;
  }
}

}  // namespace

Process::Process(const std::vector<std::string>& argv, const std::optional<Identity>& identity,
                 const std::vector<std::string>& environment) {
  const int binary = open(argv[0].c_str(), O_PATH | O_CLOEXEC);
  int out[2] = {-1, -1}, err[2] = {-1, -1};
  if (binary < 0 || pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) {
    perror(argv[0].c_str());
    abort();
  }
  const std::vector<char*> arguments = Pointers(argv), variables = Pointers(environment);
  pid_ = fork();
  if (pid_ == 0) Become(binary, arguments.data(), variables.data(), out[1], err[1], identity);
  close(binary);
  close(out[1]);
  close(err[1]);
  out_fd_ = out[0];
  err_fd_ = err[0];
}

Process::~Process() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  for (const int fd : {out_fd_, err_fd_}) {
    if (fd >= 0) close(fd);
  }
}

bool Process::Pump(std::chrono::milliseconds patience) {
  pollfd polls[2] = {{out_fd_, POLLIN, 0}, {err_fd_, POLLIN, 0}};
  if (out_fd_ < 0 && err_fd_ < 0) return false;
  poll(polls, 2, static_cast<int>(patience.count()));
  if (polls[0].revents != 0) Drain(&out_fd_, &out_);
  if (polls[1].revents != 0) Drain(&err_fd_, &err_);
  return true;
}

std::optional<std::string> Process::ReadLine(std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    if (const std::size_t end = out_.find('\n', read_); end != std::string::npos) {
      std::string line = out_.substr(read_, end - read_);
      read_ = end + 1;
      return line;
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (out_fd_ < 0 || left.count() <= 0) return std::nullopt;
    Pump(std::min(left, std::chrono::milliseconds(1000)));
  }
}

void Process::Signal(int signal) { kill(pid_, signal); }

int Process::Wait() {
  while (Pump(std::chrono::milliseconds(1000))) {
  }
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

Result RunToEnd(const std::vector<std::string>& argv, const std::optional<Identity>& identity,
                const std::vector<std::string>& environment) {
  Process process(argv, identity, environment);
  const int code = process.Wait();
  return {.exit_code = code, .out = process.out(), .err = process.err()};
}

}  // namespace layered::tests
