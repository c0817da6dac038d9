// SPDX-License-Identifier: Apache-2.0

#include "daemon/system/start_time.h"

#include <time.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>

namespace layered {

uint64_t AgeFromStat(const std::string& stat, uint64_t boottime_ns, uint64_t ticks_per_second) {
  // The second field is the name in parentheses and may hold anything, ')' too: count after the
  // last one. starttime is field 22, the 20th from there.
  const size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos || ticks_per_second == 0) return 0;
  std::istringstream fields(stat.substr(name_end + 1));
  std::string skipped;
  for (int field = 3; field < 22; ++field) fields >> skipped;
  uint64_t ticks = 0;
  if (!(fields >> ticks)) return 0;
  const uint64_t start_ns = ticks * (1'000'000'000 / ticks_per_second);
  return boottime_ns > start_ns ? boottime_ns - start_ns : 0;
}

uint64_t ProcessAgeNs() {
  std::ifstream file("/proc/self/stat");
  const std::string stat((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return AgeFromStat(
      stat, static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec),
      static_cast<uint64_t>(sysconf(_SC_CLK_TCK)));
}

}  // namespace layered
