// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/path_set.h"

namespace layered {

std::string ParentPath(const std::string& path) {
  const size_t end = path.find_last_of(".[");
  return end == std::string::npos ? "" : path.substr(0, end);
}

bool PathSet::Covers(const std::string& path) const {
  for (std::string p = path; !p.empty(); p = ParentPath(p)) {
    if (paths_.count(p) > 0) return true;
  }
  return paths_.count("") > 0;
}

bool PathSet::Touches(const std::string& path) const {
  if (Covers(path)) return true;
  for (const char separator : {'.', '['}) {
    const std::string prefix = path + separator;
    const auto inside = paths_.lower_bound(prefix);
    if (inside != paths_.end() && inside->compare(0, prefix.size(), prefix) == 0) return true;
  }
  return false;
}

}  // namespace layered
