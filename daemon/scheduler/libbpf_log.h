// SPDX-License-Identifier: Apache-2.0
//
// Where libbpf's own messages go: to our log at debug level, and, while a capture is open, its
// warnings also into memory, so that a refusal by the verifier can be told in the Status.
//
// Thread-safety: messages may come from any thread; a capture sees those of its own thread.
// Ownership: a capture ends when destroyed. Captures do not nest.
// Failure: none.

#ifndef LAYERED_DAEMON_SCHEDULER_LIBBPF_LOG_H_
#define LAYERED_DAEMON_SCHEDULER_LIBBPF_LOG_H_

#include <string>
#include <string_view>

namespace layered {

// Routes libbpf's messages into our log. Idempotent; before any other use of libbpf.
void RouteLibbpfLog();

class LibbpfCapture {
 public:
  LibbpfCapture();
  ~LibbpfCapture();
  LibbpfCapture(const LibbpfCapture&) = delete;
  LibbpfCapture& operator=(const LibbpfCapture&) = delete;

  // All warnings since the capture began.
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// What matters in libbpf's account of a refused program: its name and the verifier's last words, on
// one line. Without a verifier log: the last warning.
std::string LastWords(std::string_view warnings);

}  // namespace layered

#endif  // LAYERED_DAEMON_SCHEDULER_LIBBPF_LOG_H_
