// SPDX-License-Identifier: Apache-2.0
//
// hog: a workload of known shape for VM tests. Copies of itself spin, all the time or with sleeps
// in between, under given names, nice values and user ids. It knows nothing of schedulers: what it
// got is for others to read from /proc/PID/schedstat.

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr char kUsage[] =
    "usage: hog [--processes N] [--threads N] [--comm NAME] [--thread-comm NAME] [--nice N]\n"
    "           [--uid N] [--sleep-ms N] [--rename NAME]\n"
    "  --processes, --threads  so many, each with so many threads (1)\n"
    "  --comm, --thread-comm   names of the processes, and of their threads but the first\n"
    "  --nice, --uid           nice value and user id of all\n"
    "  --sleep-ms              sleep so long after each millisecond of work (0: never)\n"
    "  --rename                name that a process takes at SIGUSR1\n";

struct Options {
  int processes = 1;
  int threads = 1;
  std::string comm = "hog";
  std::string thread_comm;
  int nice = 0;
  int uid = -1;  // -1: stays
  int sleep_ms = 0;
  std::string rename;
};

volatile sig_atomic_t rename_now = 0;

int64_t NowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

// Never returns.
void Work(const Options& options, bool first) {
  for (volatile uint64_t sink = 0;;) {
    const int64_t end = NowNs() + 1'000'000;
    while (NowNs() < end) {
      for (int i = 0; i < 1000; ++i) sink = sink + 1;
    }
    if (options.sleep_ms > 0) {
      const timespec pause = {options.sleep_ms / 1000, options.sleep_ms % 1000 * 1'000'000L};
      nanosleep(&pause, nullptr);
    }
    if (first && rename_now) {
      rename_now = 0;
      prctl(PR_SET_NAME, options.rename.c_str());
    }
  }
}

// One process of the workload. Never returns.
void Process(const Options& options) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_NAME, options.comm.c_str());
  signal(SIGUSR1, [](int) { rename_now = 1; });
  std::vector<std::thread> threads;
  for (int i = 1; i < options.threads; ++i) {
    threads.emplace_back([&options] {
      if (!options.thread_comm.empty()) prctl(PR_SET_NAME, options.thread_comm.c_str());
      Work(options, false);
    });
  }
  Work(options, true);
}

bool Parse(int argc, char** argv, Options* options) {
  const std::map<std::string, int*> numbers = {
      {"--processes", &options->processes}, {"--threads", &options->threads},
      {"--nice", &options->nice},           {"--uid", &options->uid},
      {"--sleep-ms", &options->sleep_ms},
  };
  const std::map<std::string, std::string*> names = {
      {"--comm", &options->comm},
      {"--thread-comm", &options->thread_comm},
      {"--rename", &options->rename},
  };
  for (int i = 1; i + 1 < argc; i += 2) {
    if (const auto number = numbers.find(argv[i]); number != numbers.end()) {
      *number->second = atoi(argv[i + 1]);
    } else if (const auto name = names.find(argv[i]); name != names.end()) {
      *name->second = argv[i + 1];
    } else {
      return false;
    }
  }
  return argc % 2 == 1 && options->processes > 0 && options->threads > 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!Parse(argc, argv, &options)) {
    fputs(kUsage, stderr);
    return 2;
  }
  if (setpriority(PRIO_PROCESS, 0, options.nice) != 0) {
    perror("hog: nice");
    return 1;
  }
  // The user id before the names: the kernel clears PDEATHSIG when credentials change.
  if (options.uid >= 0 && (setgid(options.uid) != 0 || setuid(options.uid) != 0)) {
    perror("hog: uid");
    return 1;
  }
  // One process: this one, so that its pid is the one its parent knows.
  for (int i = 1; i < options.processes; ++i) {
    if (fork() == 0) Process(options);
  }
  Process(options);
}
