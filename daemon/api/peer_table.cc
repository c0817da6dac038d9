// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/peer_table.h"

#include <sys/socket.h>
#include <unistd.h>

#include <utility>

namespace layered::api {

PeerTable::~PeerTable() {
  std::lock_guard lock(mutex_);
  while (!peers_.empty()) EraseLocked(peers_.begin());
}

bool PeerTable::Admits(const Peer& peer) const {
  std::lock_guard lock(mutex_);
  const auto at = by_uid_.find(peer.credentials.uid);
  const int mine = at == by_uid_.end() ? 0 : at->second;
  if (peer.role == Role::kRefused && mine >= limits_.connections_per_refused_uid) return false;
  if (peer.role != Role::kAdmin && others_ >= limits_.connections_of_others) return false;
  return mine < limits_.connections_per_uid;
}

void PeerTable::Put(int fd, Peer peer, int dup) {
  const std::string name = "fd:" + std::to_string(fd);
  std::lock_guard lock(mutex_);
  if (const auto at = peers_.find(name); at != peers_.end()) EraseLocked(at);
  ++by_uid_[peer.credentials.uid];
  if (peer.role != Role::kAdmin) ++others_;
  names_[dup] = name;
  peers_[name] = {.peer = std::move(peer), .dup = dup};
}

std::optional<Peer> PeerTable::Find(const std::string& name) const {
  std::lock_guard lock(mutex_);
  const auto at = peers_.find(name);
  if (at == peers_.end()) return std::nullopt;
  return at->second.peer;
}

bool PeerTable::Cut(const std::string& name) {
  std::lock_guard lock(mutex_);
  const auto at = peers_.find(name);
  return at != peers_.end() && shutdown(at->second.dup, SHUT_RDWR) == 0;
}

int PeerTable::CutAll() {
  std::lock_guard lock(mutex_);
  for (const auto& [name, entry] : peers_) shutdown(entry.dup, SHUT_RDWR);
  return static_cast<int>(peers_.size());
}

void PeerTable::Forget(int dup) {
  std::lock_guard lock(mutex_);
  const auto at = names_.find(dup);
  if (at != names_.end()) EraseLocked(peers_.find(at->second));
}

int PeerTable::size() const {
  std::lock_guard lock(mutex_);
  return static_cast<int>(peers_.size());
}

void PeerTable::EraseLocked(std::map<std::string, Entry>::iterator at) {
  const Entry& entry = at->second;
  if (const auto uid = by_uid_.find(entry.peer.credentials.uid); --uid->second == 0) {
    by_uid_.erase(uid);
  }
  if (entry.peer.role != Role::kAdmin) --others_;
  names_.erase(entry.dup);
  close(entry.dup);
  peers_.erase(at);
}

}  // namespace layered::api
