// SPDX-License-Identifier: Apache-2.0

#include "daemon/system/logging.h"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "spdlog/pattern_formatter.h"
#include "spdlog/sinks/stdout_sinks.h"
#include "spdlog/spdlog.h"

namespace layered {
namespace {

// syslog's priorities.
const char* PriorityOf(std::string_view level) {
  if (level == "critical") return "<2>";
  if (level == "error") return "<3>";
  if (level == "warning") return "<4>";
  if (level == "info") return "<6>";
  return "<7>";
}

// The level names are spdlog's own, so both lists agree.
std::string NameOf(spdlog::level::level_enum level) {
  const spdlog::string_view_t name = spdlog::level::to_string_view(level);
  return std::string(name.data(), name.size());
}

class JournalFormatter final : public spdlog::formatter {
 public:
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& out) override {
    const std::string line =
        WithPriority(NameOf(message.level),
                     std::string_view(message.payload.data(), message.payload.size())) +
        "\n";
    out.append(line.data(), line.data() + line.size());
  }
  std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<JournalFormatter>();
  }
};

}  // namespace

const std::vector<std::string>& LogLevels() {
  static const auto* const levels =
      new std::vector<std::string>{"trace", "debug", "info", "warning", "error", "critical"};
  return *levels;
}

std::string WithPriority(std::string_view level, std::string_view text) {
  const std::string priority = PriorityOf(level);
  std::string out = priority;
  for (char c : text) {
    out += c;
    if (c == '\n') out += priority;
  }
  return out;
}

bool SetUpLogging(const std::string& level, bool prefixes) {
  const auto& levels = LogLevels();
  if (std::find(levels.begin(), levels.end(), level) == levels.end()) return false;
  auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  if (prefixes) {
    sink->set_formatter(std::make_unique<JournalFormatter>());
  } else {
    sink->set_pattern("%H:%M:%S.%e %l %v");
  }
  auto logger = std::make_shared<spdlog::logger>("layeredd", std::move(sink));
  logger->set_level(spdlog::level::from_str(level));
  logger->flush_on(spdlog::level::trace);
  spdlog::set_default_logger(std::move(logger));
  return true;
}

bool WantsPriorityPrefixes() { return isatty(STDERR_FILENO) == 0; }

}  // namespace layered
