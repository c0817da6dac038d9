// SPDX-License-Identifier: Apache-2.0

#include "daemon/scheduler/exit_record.h"

#include <cstring>
#include <string>

namespace layered {
namespace {

template <size_t N>
std::string Text(const char (&buffer)[N]) {
  std::string text(buffer, strnlen(buffer, N));
  for (char& c : text) {
    // The kernel's messages are ASCII; a task name in one may be anything.
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || (byte < 0x20 && c != '\n' && c != '\t')) c = '?';
  }
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

std::optional<SchedExit> ReadExit(const layered_ctl& ctl) {
  const uint32_t kind = __atomic_load_n(&ctl.exit_kind, __ATOMIC_ACQUIRE);
  if (kind == 0) return std::nullopt;
  return SchedExit{.kind = kind,
                   .code = ctl.exit_code,
                   .reason = Text(ctl.exit_reason),
                   .message = Text(ctl.exit_msg)};
}

bool WantsRestart(const SchedExit& exit) {
  constexpr int64_t kActRestart = int64_t{1} << 48;  // SCX_ECODE_ACT_RESTART
  return exit.kind < kExitFirstError && (exit.code & kActRestart) != 0;
}

std::string ToString(const SchedExit& exit) {
  std::string text = "kind " + std::to_string(exit.kind);
  if (!exit.reason.empty()) text += " (" + exit.reason + ")";
  text += ", code " + std::to_string(exit.code);
  if (!exit.message.empty()) text += ": " + exit.message;
  return text;
}

}  // namespace layered
