// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/accounts.h"

#include <charconv>
#include <fstream>

namespace layered {

std::optional<uint32_t> FindAccount(const std::string& file, const std::string& name) {
  if (name.empty() || name.find(':') != std::string::npos) return std::nullopt;
  std::ifstream in(file);
  const std::string prefix = name + ":";
  for (std::string line; std::getline(in, line);) {
    if (line.compare(0, prefix.size(), prefix) != 0) continue;
    const std::size_t second = line.find(':', prefix.size());
    if (second == std::string::npos) continue;
    const char* const begin = line.data() + second + 1;
    const char* const end = line.data() + line.size();
    uint32_t id = 0;
    const auto [rest, error] = std::from_chars(begin, end, id);
    if (error == std::errc() && rest != begin && (rest == end || *rest == ':')) return id;
  }
  return std::nullopt;
}

}  // namespace layered
