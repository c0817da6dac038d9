// SPDX-License-Identifier: Apache-2.0

#include "daemon/system/signals.h"

#include <csignal>

namespace layered {
namespace {

sigset_t OurSignals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGHUP);
  return set;
}

}  // namespace

void BlockSignals() {
  const sigset_t set = OurSignals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

SignalEvent WaitForSignal(int* signal) {
  const sigset_t set = OurSignals();
  int number = 0;
  while (sigwait(&set, &number) != 0) {
  }
  if (signal != nullptr) *signal = number;
  return number == SIGHUP ? SignalEvent::kReload : SignalEvent::kStop;
}

}  // namespace layered
