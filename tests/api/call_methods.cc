// SPDX-License-Identifier: Apache-2.0
//
// call_methods SOCKET METHOD...: calls each with an empty message, prints "CODE MESSAGE" per
// method.

#include <stdio.h>

#include <string>

#include "daemon/api/testing/raw_call.h"

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const auto channel = layered::api::OwnChannel(argv[1]);
  for (int i = 2; i < argc; ++i) {
    std::string response;
    const grpc::Status status = layered::api::RawCall(channel, argv[i], "", &response);
    printf("%d %s\n", static_cast<int>(status.error_code()), status.error_message().c_str());
  }
  return 0;
}
