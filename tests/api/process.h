// SPDX-License-Identifier: Apache-2.0
//
// Child processes of tests: start, read line by line, signal, wait. No shell.
//
// Thread-safety: a Process is used by one thread.
// Ownership: the destructor kills and reaps.

#ifndef LAYERED_TESTS_API_PROCESS_H_
#define LAYERED_TESTS_API_PROCESS_H_

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace layered::tests {

// As whom a process runs.
struct Identity {
  uid_t uid;
  gid_t gid;
  std::vector<gid_t> groups;
};

class Process {
 public:
  // argv[0] is a path from the test's working folder. Works also for users that cannot reach that
  // path. `environment` is all that the child gets.
  explicit Process(const std::vector<std::string>& argv,
                   const std::optional<Identity>& identity = std::nullopt,
                   const std::vector<std::string>& environment = {});
  ~Process();

  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // The next line of its stdout without the newline; none at its end or after `patience`.
  std::optional<std::string> ReadLine(
      std::chrono::milliseconds patience = std::chrono::seconds(20));

  void Signal(int signal);

  // Reads all that is left and waits. The exit code; 1000 + signal if it was killed.
  int Wait();

  // After Wait.
  const std::string& out() const { return out_; }
  const std::string& err() const { return err_; }

  pid_t pid() const { return pid_; }

 private:
  // Reads what is there; false when both pipes are at their end. Waits at most `patience`.
  bool Pump(std::chrono::milliseconds patience);

  pid_t pid_ = -1;
  int out_fd_ = -1;
  int err_fd_ = -1;
  std::string out_;
  std::string err_;
  std::size_t read_ = 0;  // bytes of out_ given out by ReadLine
};

// What a process that ran to its end left.
struct Result {
  int exit_code;
  std::string out;
  std::string err;
};
Result RunToEnd(const std::vector<std::string>& argv,
                const std::optional<Identity>& identity = std::nullopt,
                const std::vector<std::string>& environment = {});

}  // namespace layered::tests

#endif  // LAYERED_TESTS_API_PROCESS_H_
