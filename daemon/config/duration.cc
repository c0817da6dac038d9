// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/duration.h"

#include <string_view>

#include "absl/status/status.h"
#include "daemon/config/text.h"

namespace layered {
namespace {

constexpr int64_t kNsPerSecond = 1'000'000'000;
// Longest text worth looking at: a sign, 19 digits, a point and as many decimals.
constexpr size_t kMaxText = 64;

struct Unit {
  std::string_view name;
  int64_t ns;
};

// From the largest, as FormatDuration tries them.
constexpr Unit kUnits[] = {
    {"h", 3600 * kNsPerSecond},
    {"m", 60 * kNsPerSecond},
    {"s", kNsPerSecond},
    {"ms", 1'000'000},
    {"us", 1'000},
    {"ns", 1},
};

absl::Status Bad(const std::string& text, const std::string& why) {
  return absl::InvalidArgumentError(Quoted(text) + " is not a duration: " + why);
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

const Unit* FindUnit(std::string_view name) {
  for (const Unit& unit : kUnits) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

// value * factor + add, or false on overflow.
bool MulAdd(int64_t* value, int64_t factor, int64_t add) {
  return !__builtin_mul_overflow(*value, factor, value) &&
         !__builtin_add_overflow(*value, add, value);
}

}  // namespace

absl::StatusOr<int64_t> ParseDurationNs(const std::string& text) {
  if (text.size() > kMaxText) return Bad(text, "it is too long");
  size_t pos = 0;
  const bool negative = !text.empty() && text[0] == '-';
  if (negative) ++pos;

  const size_t whole_start = pos;
  while (pos < text.size() && IsDigit(text[pos])) ++pos;
  const std::string whole = text.substr(whole_start, pos - whole_start);
  std::string decimals;
  bool point = false;
  if (pos < text.size() && text[pos] == '.') {
    point = true;
    const size_t start = ++pos;
    while (pos < text.size() && IsDigit(text[pos])) ++pos;
    decimals = text.substr(start, pos - start);
  }
  if (whole.empty() || (point && decimals.empty())) {
    return Bad(text, "write a number and a unit, such as 5ms");
  }
  const std::string unit_name = text.substr(pos);
  if (unit_name.empty()) return Bad(text, "the unit is missing (ns, us, ms, s, m, h)");
  const Unit* unit = FindUnit(unit_name);
  if (unit == nullptr) {
    return Bad(text, "there is no unit " + Quoted(unit_name) + " (use ns, us, ms, s, m, h)");
  }

  // All in the negative, whose range is larger by one.
  const auto too_large = [&] { return Bad(text, "it is too large"); };
  int64_t ns = 0;
  for (const char digit : whole) {
    if (!MulAdd(&ns, 10, -(digit - '0'))) return too_large();
  }
  if (!MulAdd(&ns, unit->ns, 0)) return too_large();
  int64_t scale = unit->ns;
  for (const char digit : decimals) {
    if (digit != '0' && (scale == 0 || scale % 10 != 0)) {
      return Bad(text, "it is not a whole number of nanoseconds");
    }
    scale /= 10;
    if (!MulAdd(&ns, 1, -(digit - '0') * scale)) return too_large();
  }
  if (!negative && !MulAdd(&ns, -1, 0)) return too_large();
  return ns;
}

std::string FormatDuration(int64_t ns) {
  if (ns == 0) return "0s";
  for (const Unit& unit : kUnits) {
    if (ns % unit.ns == 0) return std::to_string(ns / unit.ns) + std::string(unit.name);
  }
  return std::to_string(ns) + "ns";  // not reached: the last unit is 1 ns
}

absl::StatusOr<int64_t> DurationToNs(const google::protobuf::Duration& duration) {
  const int64_t seconds = duration.seconds();
  const int64_t nanos = duration.nanos();
  if (nanos <= -kNsPerSecond || nanos >= kNsPerSecond) {
    return absl::InvalidArgumentError("nanos " + std::to_string(nanos) +
                                      " is out of range -999999999..999999999");
  }
  if ((seconds > 0 && nanos < 0) || (seconds < 0 && nanos > 0)) {
    return absl::InvalidArgumentError("seconds and nanos have different signs");
  }
  int64_t ns = seconds;
  if (!MulAdd(&ns, kNsPerSecond, nanos)) {
    return absl::InvalidArgumentError(std::to_string(seconds) + "s is too large");
  }
  return ns;
}

google::protobuf::Duration NsToDuration(int64_t ns) {
  google::protobuf::Duration duration;
  duration.set_seconds(ns / kNsPerSecond);
  duration.set_nanos(static_cast<int32_t>(ns % kNsPerSecond));
  return duration;
}

}  // namespace layered
