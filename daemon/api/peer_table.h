// SPDX-License-Identifier: Apache-2.0
//
// Who is behind each connection. gRPC tells a handler only "fd:N"; this table turns that into the
// peer's credentials, and can cut the connection.
//
// For each connection the table holds a duplicate of its socket. shutdown() on the duplicate is the
// only thing that ends a stream whose client does not read (cancelling the call does not), and a
// hang-up seen on it tells when both ends are done. The duplicate does not keep the peer alive.
//
// Thread-safety: all methods may be called from any thread.
// Ownership: owns the duplicates; the connections' own descriptors belong to gRPC.

#ifndef LAYERED_DAEMON_API_PEER_TABLE_H_
#define LAYERED_DAEMON_API_PEER_TABLE_H_

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "daemon/api/limits.h"
#include "daemon/api/roles.h"
#include "daemon/control/layer_store.h"

namespace layered::api {

// One connected process.
struct Peer {
  Credentials credentials;
  std::string comm;
  Role role = Role::kRefused;

  Author ToAuthor() const { return {.uid = credentials.uid, .pid = credentials.pid, .comm = comm}; }
};

class PeerTable {
 public:
  explicit PeerTable(const Limits& limits) : limits_(limits) {}
  ~PeerTable();

  PeerTable(const PeerTable&) = delete;
  PeerTable& operator=(const PeerTable&) = delete;

  // Room for one more connection of this peer?
  bool Admits(const Peer& peer) const;

  // Enters the connection with descriptor `fd`; takes `dup`. An entry that is still there under
  // this number is stale and is replaced.
  void Put(int fd, Peer peer, int dup);

  // The peer of a call; `name` is ServerContext::peer(). None for a connection that is gone.
  std::optional<Peer> Find(const std::string& name) const;

  // Cuts the connection both ways, at once. False if it is gone.
  bool Cut(const std::string& name);

  // Cuts all connections; how many.
  int CutAll();

  // Removes the connection whose duplicate is `dup` and closes the duplicate.
  void Forget(int dup);

  // Open connections.
  int size() const;

 private:
  struct Entry {
    Peer peer;
    int dup = -1;
  };

  void EraseLocked(std::map<std::string, Entry>::iterator at);

  const Limits limits_;
  mutable std::mutex mutex_;
  std::map<std::string, Entry> peers_;  // by "fd:N"
  std::map<int, std::string> names_;    // by duplicate
  std::map<uint32_t, int> by_uid_;      // connections
  int others_ = 0;                      // connections that are not an administrator's
};

}  // namespace layered::api

#endif  // LAYERED_DAEMON_API_PEER_TABLE_H_
