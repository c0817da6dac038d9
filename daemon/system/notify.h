// SPDX-License-Identifier: Apache-2.0
//
// Tells systemd about our state (sd_notify's protocol): a datagram to the socket that
// $NOTIFY_SOCKET names. Our own small sender, because Debian has no static libsystemd and the
// daemon is one static binary.
//
// Thread-safety: may be called from any thread; each call is one datagram.
// Ownership: keeps no descriptor open.
// Failure: without $NOTIFY_SOCKET every call does nothing; an error of the socket is ignored, for
// nobody could act on it.

#ifndef LAYERED_DAEMON_SYSTEM_NOTIFY_H_
#define LAYERED_DAEMON_SYSTEM_NOTIFY_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace layered {

class Notifier {
 public:
  virtual ~Notifier() = default;

  // Start-up is complete: the scheduler schedules and the API answers.
  virtual void Ready(std::string_view status) = 0;

  // The config is being read again; Ready follows. systemd wants the time with it.
  virtual void Reloading(uint64_t monotonic_ns) = 0;

  // The daemon is about to end.
  virtual void Stopping() = 0;

  // One line for `systemctl status`.
  virtual void Status(std::string_view status) = 0;
};

class SystemdNotifier final : public Notifier {
 public:
  // `socket_path` is the value of $NOTIFY_SOCKET: a path, or "@name" in the abstract namespace.
  // Empty: silent.
  explicit SystemdNotifier(std::string socket_path);

  void Ready(std::string_view status) override;
  void Reloading(uint64_t monotonic_ns) override;
  void Stopping() override;
  void Status(std::string_view status) override;

 private:
  void Send(const std::string& message) const;

  const std::string socket_path_;
};

}  // namespace layered

#endif  // LAYERED_DAEMON_SYSTEM_NOTIFY_H_
