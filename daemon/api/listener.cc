// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/listener.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "daemon/base/errno_status.h"
#include "spdlog/spdlog.h"

namespace layered::api {
namespace {

// Numbers of connections rise from here, away from the daemon's own descriptors.
constexpr int kFirstNumber = 1024;
// Connections accepted before hang-ups are looked at again.
constexpr int kAcceptBatch = 64;

int OpenSpare() { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

bool Watch(int epoll, int fd, uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.fd = fd;
  return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

}  // namespace

Listener::Listener(std::unique_ptr<SocketFile> socket, PeerTable* table, Options options)
    : socket_(std::move(socket)), table_(table), options_(std::move(options)) {}

Listener::~Listener() { Stop(); }

absl::Status Listener::Start() {
  epoll_ = epoll_create1(EPOLL_CLOEXEC);
  wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  spare_ = OpenSpare();
  if (epoll_ < 0 || wake_ < 0 || spare_ < 0 || !Watch(epoll_, socket_->fd(), EPOLLIN) ||
      !Watch(epoll_, wake_, EPOLLIN)) {
    return ErrnoStatus("listener", errno);
  }
  thread_ = std::thread([this] { Run(); });
  return absl::OkStatus();
}

void Listener::Stop() {
  if (thread_.joinable()) {
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(wake_, &one, sizeof(one));
    thread_.join();
  }
  socket_.reset();
  for (int* fd : {&epoll_, &wake_, &spare_}) {
    if (*fd >= 0) close(std::exchange(*fd, -1));
  }
}

void Listener::Run() {
  for (;;) {
    epoll_event events[64];
    const int n = epoll_wait(epoll_, events, std::size(events), -1);
    if (n < 0 && errno != EINTR) {
      spdlog::error("api: the listener ends: {}", ErrnoStatus("epoll_wait", errno).ToString());
      return;
    }
    // Hang-ups first: they make room.
    bool incoming = false;
    for (int i = 0; i < n; ++i) {
      const int fd = events[i].data.fd;
      if (fd == wake_) return;
      if (fd == socket_->fd()) {
        incoming = true;
      } else if (events[i].events & (EPOLLHUP | EPOLLERR)) {
        // Closing alone would leave the registration if gRPC still holds the socket.
        epoll_ctl(epoll_, EPOLL_CTL_DEL, fd, nullptr);
        table_->Forget(fd);
      }
    }
    if (incoming) AcceptAll();
  }
}

void Listener::AcceptAll() {
  for (int i = 0; i < kAcceptBatch; ++i) {
    const int fd = accept4(socket_->fd(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0) {
      Enter(fd);
    } else if (errno == EMFILE || errno == ENFILE) {
      Shed();
      return;
    } else if (errno != EINTR && errno != ECONNABORTED) {
      return;  // nothing more waits
    }
  }
}

void Listener::Enter(int fd) {
  absl::StatusOr<Credentials> credentials = options_.credentials(fd);
  if (!credentials.ok()) return Reject(fd, "credentials unreadable");
  Peer peer;
  peer.role = RoleOf(*credentials, options_.policy);
  peer.comm = ReadComm(credentials->pid);
  peer.credentials = *std::move(credentials);
  if (!table_->Admits(peer)) return Reject(fd, "too many connections of this user");

  fd = Renumber(fd);
  if (fd < 0) return;
  const int dup = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  if (dup < 0 || !Watch(epoll_, dup, 0)) {  // hang-ups are always reported
    if (dup >= 0) close(dup);
    return Reject(fd, "out of descriptors");
  }
  const Role role = peer.role;
  table_->Put(fd, std::move(peer), dup);  // before gRPC can run a call of it
  options_.hand_over(role, fd);
}

int Listener::Renumber(int fd) {
  next_ = std::max(next_, kFirstNumber);
  int moved = fcntl(fd, F_DUPFD_CLOEXEC, next_);
  if (moved < 0 && (errno == EINVAL || errno == EMFILE)) {  // the end of the numbers: start over
    next_ = kFirstNumber;
    moved = fcntl(fd, F_DUPFD_CLOEXEC, next_);
    // A low limit leaves no numbers up there: any will do.
    if (moved < 0) moved = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  }
  if (moved < 0) {
    Reject(fd, "out of descriptors");
    return -1;
  }
  close(fd);
  next_ = moved + 1;
  return moved;
}

void Listener::Shed() {
  if (spare_ < 0) return;
  close(std::exchange(spare_, -1));
  const int fd = accept4(socket_->fd(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd >= 0) Reject(fd, "out of descriptors");
  spare_ = OpenSpare();
}

void Listener::Reject(int fd, const char* why) {
  close(fd);
  ++rejected_;
  if ((rejected_ & (rejected_ - 1)) == 0) {
    spdlog::warn("api: connection closed: {} ({} so far)", why, rejected_);
  }
}

}  // namespace layered::api
