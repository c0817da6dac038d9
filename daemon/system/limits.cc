// SPDX-License-Identifier: Apache-2.0

#include "daemon/system/limits.h"

#include <sys/resource.h>

#include <cerrno>
#include <system_error>

#include "spdlog/spdlog.h"

namespace layered {
namespace {

void Raise(__rlimit_resource resource, const char* name, rlim_t want) {
  rlimit limit{};
  if (getrlimit(resource, &limit) == 0) {
    // Root may go beyond the hard limit; without that right the hard limit is what there is.
    const rlimit full{want, want};
    if (setrlimit(resource, &full) == 0) return;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(resource, &limit) == 0) return;
  }
  spdlog::debug("{} stays as it is: {}", name, std::generic_category().message(errno));
}

}  // namespace

void RaiseLimits() {
  Raise(RLIMIT_MEMLOCK, "RLIMIT_MEMLOCK", RLIM_INFINITY);
  Raise(RLIMIT_NOFILE, "RLIMIT_NOFILE", 65536);
}

}  // namespace layered
