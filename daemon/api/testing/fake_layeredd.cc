// SPDX-License-Identifier: Apache-2.0
//
// The real API over fakes, as a process of its own, for cross-process tests: no kernel is touched.
//
//   fake_layeredd --socket PATH [--group NAME --group-file FILE] [--instance ID] [--padding BYTES]
//
// Prints "ready" when clients can connect; SIGTERM stops it, and it then prints how long that took
// ("stopped in N ms"). Its log goes to stderr.

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <string>

#include "CLI/CLI.hpp"
#include "daemon/api/server.h"
#include "daemon/api/testing/fake_layer_store.h"
#include "daemon/api/testing/fake_sample_hub.h"
#include "daemon/api/testing/fake_status_source.h"
#include "daemon/base/clock.h"
#include "spdlog/sinks/stdout_sinks.h"
#include "spdlog/spdlog.h"

int main(int argc, char** argv) {
  layered::api::Server::Options options;
  std::string instance = "fake";
  std::size_t padding = 0;
  CLI::App app("the API over fakes");
  app.add_option("--socket", options.socket_path)->required();
  app.add_option("--group", options.group);
  app.add_option("--group-file", options.group_file);
  app.add_option("--instance", instance);
  app.add_option("--padding", padding);
  app.add_option("--stalled-ns", options.limits.stalled_stream_ns);
  app.add_option("--watchers-per-uid", options.limits.watchers_per_uid);
  CLI11_PARSE(app, argc, argv);
  spdlog::set_default_logger(spdlog::stderr_logger_mt("fake"));

  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigprocmask(SIG_BLOCK, &signals, nullptr);  // before there are threads

  layered::SystemClock clock;
  layered::api::FakeLayerStore store(instance);
  layered::api::FakeStatusSource status(instance, &store);
  layered::api::FakeSampleHub hub(instance, &clock, padding);
  hub.Start();
  options.store = &store;
  options.status = &status;
  options.hub = &hub;
  options.clock = &clock;
  layered::api::Server server(options);
  if (const absl::Status started = server.Start(); !started.ok()) {
    fprintf(stderr, "%s\n", started.ToString().c_str());
    return 1;
  }
  printf("ready\n");
  fflush(stdout);

  int signal = 0;
  sigwait(&signals, &signal);
  const uint64_t begin = clock.MonotonicNs();
  server.Stop();
  printf("stopped in %llu ms\n",
         static_cast<unsigned long long>((clock.MonotonicNs() - begin) / 1'000'000));
  return 0;
}
