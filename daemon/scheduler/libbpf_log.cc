// SPDX-License-Identifier: Apache-2.0

#include "daemon/scheduler/libbpf_log.h"

#include <bpf/libbpf.h>

#include <cstdarg>
#include <cstdio>
#include <vector>

#include "spdlog/spdlog.h"

namespace layered {
namespace {

thread_local std::string* capture = nullptr;

int Print(libbpf_print_level level, const char* format, va_list args) {
  const bool logged = spdlog::should_log(spdlog::level::debug);
  const bool captured = capture != nullptr && level == LIBBPF_WARN;
  if (!logged && !captured) return 0;
  va_list again;
  va_copy(again, args);
  const int length = std::vsnprintf(nullptr, 0, format, args);
  if (length <= 0) {
    va_end(again);
    return 0;
  }
  std::string text(static_cast<size_t>(length), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  if (captured) *capture += text;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  if (logged) spdlog::debug("{}", text);
  return length;
}

std::vector<std::string_view> Lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    if (end != 0) lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::string_view Bare(std::string_view line) {
  constexpr std::string_view kPrefix = "libbpf: ";
  if (line.substr(0, kPrefix.size()) == kPrefix) line.remove_prefix(kPrefix.size());
  return line;
}

}  // namespace

void RouteLibbpfLog() { libbpf_set_print(Print); }

LibbpfCapture::LibbpfCapture() { capture = &text_; }

LibbpfCapture::~LibbpfCapture() { capture = nullptr; }

std::string LastWords(std::string_view warnings) {
  constexpr size_t kShown = 3;
  constexpr std::string_view kBegin = "-- BEGIN PROG LOAD LOG --";
  constexpr std::string_view kEnd = "-- END PROG LOAD LOG --";
  std::string words;
  std::vector<std::string_view> log;  // of the first refused program: later ones follow from it
  bool inside = false;
  for (std::string_view line : Lines(warnings)) {
    if (line.find(kBegin) != std::string_view::npos) {
      words = std::string(Bare(line.substr(0, line.find(kBegin))));
      inside = true;
    } else if (line.find(kEnd) != std::string_view::npos) {
      break;
    } else if (inside) {
      log.push_back(line);
    } else {
      words = std::string(Bare(line));
    }
  }
  // "processed 123 insns ..." is the statistics line, not a reason.
  while (!log.empty() && log.back().substr(0, 9) == "processed") log.pop_back();
  const size_t first = log.size() > kShown ? log.size() - kShown : 0;
  for (size_t i = first; i < log.size(); ++i) {
    words += (i == first ? "" : " | ") + std::string(log[i]);
  }
  return words;
}

}  // namespace layered
