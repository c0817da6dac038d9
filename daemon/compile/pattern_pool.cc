// SPDX-License-Identifier: Apache-2.0

#include "daemon/compile/pattern_pool.h"

#include <cstring>
#include <string_view>

namespace layered {

absl::StatusOr<uint32_t> PatternPool::Add(const std::string& text) {
  if (text.size() > LAYERED_MAX_PATTERN) {
    return absl::InvalidArgumentError("a cgroup pattern of " + std::to_string(text.size()) +
                                      " bytes, at most " + std::to_string(LAYERED_MAX_PATTERN) +
                                      " are possible");
  }
  const std::string_view pool(reinterpret_cast<const char*>(revision_->pool),
                              revision_->pool_bytes);
  if (const size_t at = pool.find(text); at != std::string_view::npos) {
    return static_cast<uint32_t>(at);
  }
  const size_t end = pool.size() + text.size();
  if (end > LAYERED_PATTERN_POOL) {
    return absl::InvalidArgumentError("the cgroup patterns take more than " +
                                      std::to_string(LAYERED_PATTERN_POOL) + " bytes together");
  }
  std::memcpy(revision_->pool + pool.size(), text.data(), text.size());
  const auto offset = static_cast<uint32_t>(pool.size());
  revision_->pool_bytes = static_cast<uint32_t>(end);
  return offset;
}

}  // namespace layered
