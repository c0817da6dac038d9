// SPDX-License-Identifier: Apache-2.0
//
// A call by its name and bytes, for methods that we have no stub of: health, reflection, and names
// that do not exist.
//
// Thread-safety: may be called from any thread; blocks.

#ifndef LAYERED_DAEMON_API_TESTING_RAW_CALL_H_
#define LAYERED_DAEMON_API_TESTING_RAW_CALL_H_

#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>

namespace layered::api {

// Sends one message to `method` ("/package.Service/Method") and takes one; also for methods that
// stream, of which it sees the first. Gives up after 10 s.
grpc::Status RawCall(const std::shared_ptr<grpc::Channel>& channel, const std::string& method,
                     const std::string& request, std::string* response);

// A channel that shares its connection with no other one.
std::shared_ptr<grpc::Channel> OwnChannel(const std::string& socket);

}  // namespace layered::api

#endif  // LAYERED_DAEMON_API_TESTING_RAW_CALL_H_
