// SPDX-License-Identifier: Apache-2.0
//
// Accepts connections, finds out who is there, and hands each connection to the gRPC server of its
// role. gRPC's own listener cannot do this: its calls tell nothing of the peer.
//
// One thread waits for new connections, for hang-ups (to forget the peer) and for Stop. Each
// connection gets a descriptor number that was not used for long, since gRPC names a peer only by
// that number. At the limit of descriptors a spare one is given up to accept and close what waits,
// so that clients see an end instead of hanging in the backlog.
//
// Thread-safety: Start and Stop are called by one thread; `hand_over` runs on the accept thread.
// Ownership: owns the socket file; the table is borrowed and outlives it. A descriptor that was
// handed over belongs to gRPC.
// Failure: one bad connection is closed, counted and logged (the 1st, 2nd, 4th, ... time); the
// thread goes on.

#ifndef LAYERED_DAEMON_API_LISTENER_H_
#define LAYERED_DAEMON_API_LISTENER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "daemon/api/peer_credentials.h"
#include "daemon/api/peer_table.h"
#include "daemon/api/roles.h"
#include "daemon/api/socket_file.h"

namespace layered::api {

class Listener {
 public:
  struct Options {
    Policy policy;
    // Takes the descriptor.
    std::function<void(Role role, int fd)> hand_over;
    // Replaced by tests.
    std::function<absl::StatusOr<Credentials>(int fd)> credentials = ReadPeerCredentials;
  };

  Listener(std::unique_ptr<SocketFile> socket, PeerTable* table, Options options);

  // Stops.
  ~Listener();

  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  absl::Status Start();

  // Removes the socket file and joins the thread; connections stay. Idempotent.
  void Stop();

 private:
  void Run();
  void AcceptAll();
  void Enter(int fd);
  // Moves `fd` to a number that was not used for long; closes it and returns -1 if it cannot.
  int Renumber(int fd);
  // Accepts and closes what waits, with the spare descriptor.
  void Shed();
  void Reject(int fd, const char* why);

  std::unique_ptr<SocketFile> socket_;
  PeerTable* const table_;
  const Options options_;
  int epoll_ = -1;
  int wake_ = -1;   // eventfd: Stop
  int spare_ = -1;  // given up at EMFILE
  int next_ = 0;    // number for the next connection
  uint64_t rejected_ = 0;
  std::thread thread_;
};

}  // namespace layered::api

#endif  // LAYERED_DAEMON_API_LISTENER_H_
