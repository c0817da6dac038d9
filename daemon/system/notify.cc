// SPDX-License-Identifier: Apache-2.0

#include "daemon/system/notify.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "daemon/base/unique_fd.h"

namespace layered {
namespace {

// The protocol is one assignment per line: a newline in a text would start another.
std::string OneLine(std::string_view text) {
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

}  // namespace

SystemdNotifier::SystemdNotifier(std::string socket_path) : socket_path_(std::move(socket_path)) {}

void SystemdNotifier::Ready(std::string_view status) { Send("READY=1\nSTATUS=" + OneLine(status)); }

void SystemdNotifier::Reloading(uint64_t monotonic_ns) {
  Send("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(monotonic_ns / 1000));
}

void SystemdNotifier::Stopping() { Send("STOPPING=1"); }

void SystemdNotifier::Status(std::string_view status) { Send("STATUS=" + OneLine(status)); }

void SystemdNotifier::Send(const std::string& message) const {
  sockaddr_un address{};
  if (socket_path_.empty() || socket_path_.size() >= sizeof(address.sun_path)) return;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, socket_path_.data(), socket_path_.size());
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_path_.size());
  UniqueFd fd(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!fd.valid()) return;
  sendto(fd.get(), message.data(), message.size(), MSG_NOSIGNAL,
         reinterpret_cast<const sockaddr*>(&address), length);
}

}  // namespace layered
