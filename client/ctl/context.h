// SPDX-License-Identifier: Apache-2.0
//
// What all verbs share: the global options, the way to the daemon, and the way to print.
//
// Thread-safety: one thread.
// Ownership: outlives the CLI::App that refers to its members.

#ifndef LAYERED_CLIENT_CTL_CONTEXT_H_
#define LAYERED_CLIENT_CTL_CONTEXT_H_

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/lib/client.h"

namespace layered::ctl {

struct Context {
  std::string socket = client::DefaultSocket();
  std::string output = "table";  // or "json"
  std::string timeout = "10s";   // as given; checked by Prepare

  // Set by the verb that was named; runs after parsing.
  std::function<absl::Status()> run;

  bool json() const { return output == "json"; }
  std::chrono::milliseconds timeout_ms{10'000};

  // Reads what the options said. INVALID_ARGUMENT with violations.
  absl::Status Prepare();

  absl::StatusOr<std::unique_ptr<client::Client>> Connect() const {
    return client::Client::Connect(socket, timeout_ms);
  }
};

}  // namespace layered::ctl

#endif  // LAYERED_CLIENT_CTL_CONTEXT_H_
