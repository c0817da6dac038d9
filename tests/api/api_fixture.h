// SPDX-License-Identifier: Apache-2.0
//
// A test with a folder of its own and a fake_layeredd in it.
//
// Thread-safety: one thread.

#ifndef LAYERED_TESTS_API_API_FIXTURE_H_
#define LAYERED_TESTS_API_API_FIXTURE_H_

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/api/process.h"

namespace layered::tests {

class ApiTest : public testing::Test {
 protected:
  static constexpr char kCtl[] = "client/ctl/layeredctl";
  static constexpr char kCallMethods[] = "tests/api/call_methods";

  void SetUp() override;
  void TearDown() override;

  // The group of viewers. Ours unless set: a sandbox lets us give files to no other.
  void SetViewerGroup(gid_t group);

  // Starts the daemon and waits until it serves.
  void StartDaemon(const std::vector<std::string>& flags = {});

  // SIGTERM; the milliseconds that it says its stop took.
  int StopDaemon();

  // layeredctl --socket SOCKET args...
  Result Ctl(const std::vector<std::string>& args,
             const std::optional<Identity>& identity = std::nullopt) const;
  std::unique_ptr<Process> StartCtl(const std::vector<std::string>& args) const;

  // A connected raw client.
  int Connect() const;

  std::string folder_;
  std::string socket_;
  std::unique_ptr<Process> daemon_;
};

}  // namespace layered::tests

#endif  // LAYERED_TESTS_API_API_FIXTURE_H_
