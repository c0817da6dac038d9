// SPDX-License-Identifier: Apache-2.0

#include "daemon/api/audit.h"

namespace layered::api {
namespace {

constexpr std::size_t kLongest = 256;

std::string Outcome(const absl::StatusOr<CommitResult>& result) {
  if (!result.ok()) {
    return absl::StatusCodeToString(result.status().code()) + " " +
           Quote(std::string(result.status().message()));
  }
  const std::string revision = "revision " + std::to_string(result->revision->number);
  return result->unchanged ? "unchanged, " + revision : revision;
}

}  // namespace

std::string Quote(const std::string& text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      out += c;
    }
  }
  return out + (text.size() > kLongest ? "...\"" : "\"");
}

std::string AuditLine(const Peer& peer, const std::string& method, const std::string& layer,
                      const std::string& reason, const absl::StatusOr<CommitResult>& result) {
  return "audit: uid=" + std::to_string(peer.credentials.uid) +
         " pid=" + std::to_string(peer.credentials.pid) + " comm=" + Quote(peer.comm) +
         " role=" + RoleName(peer.role) + " " + method + " layer=" + Quote(layer) +
         " reason=" + Quote(reason) + " -> " + Outcome(result);
}

}  // namespace layered::api
