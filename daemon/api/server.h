// SPDX-License-Identifier: Apache-2.0
//
// The API of the daemon on a unix socket: LayerService, SchedulerService, StatsService, standard
// health and reflection.
//
// Three gRPC servers live behind one socket, one per role (roles.h). The listener reads the peer's
// credentials when it accepts and hands the connection to the server of its role; the server of
// refused peers answers PERMISSION_DENIED to every method, health and reflection included.
//
// Thread-safety: Start and Stop are called by one thread. No handler ever blocks: writes are queued
// at the LayerStore and answered from its callback, streams are fed by one writer thread.
// Ownership: the pointers in Options are borrowed and outlive the Server.
// Failure: Start tells what is wrong with the socket and leaves nothing behind. After Stop the
// socket file is gone (if it still was ours), every stream and call is ended and no callback of the
// SampleHub runs any more; a LayerStore that answers a queued command later does no harm.

#ifndef LAYERED_DAEMON_API_SERVER_H_
#define LAYERED_DAEMON_API_SERVER_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "daemon/api/limits.h"
#include "daemon/api/peer_credentials.h"
#include "daemon/api/roles.h"
#include "daemon/base/clock.h"
#include "daemon/control/layer_store.h"
#include "daemon/control/status_source.h"
#include "daemon/stats/sample_hub.h"

namespace layered::api {

class Server {
 public:
  struct Options {
    // Where to listen; the folder exists. At most kMaxSocketPath bytes.
    std::string socket_path;

    // Members may read (viewers); the socket is 0660 root:GROUP. If the system has no such group
    // the socket is 0600 and only root comes in. Looked up in `group_file`, without NSS, which a
    // static binary has not.
    std::string group = "layered";
    std::string group_file = "/etc/group";

    LayerStore* store = nullptr;
    StatusSource* status = nullptr;
    SampleHub* hub = nullptr;
    Clock* clock = nullptr;

    Limits limits;

    // How peers are told apart; replaced by tests.
    std::function<absl::StatusOr<Credentials>(int fd)> credentials = ReadPeerCredentials;
  };

  explicit Server(Options options);

  // Stops.
  ~Server();

  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Builds the servers and listens. The caller holds the daemon's lock: a socket file that nobody
  // answers on is replaced. ALREADY_EXISTS (naming the pid) if somebody does answer on it,
  // FAILED_PRECONDITION if the path is something else than a socket, INVALID_ARGUMENT if it is too
  // long, otherwise what the system said.
  absl::Status Start();

  // Takes no new connection, ends streams and calls with UNAVAILABLE, cuts the connections of
  // clients that do not listen, removes the socket file. Takes less than a second whatever the
  // clients do. Idempotent.
  void Stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace layered::api

#endif  // LAYERED_DAEMON_API_SERVER_H_
