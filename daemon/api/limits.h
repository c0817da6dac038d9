// SPDX-License-Identifier: Apache-2.0
//
// Every limit that the API sets to its clients, in one place, so that no client (buggy, hostile or
// just stopped) takes the daemon's memory, descriptors or time from the others.
//
// Thread-safety: plain data.

#ifndef LAYERED_DAEMON_API_LIMITS_H_
#define LAYERED_DAEMON_API_LIMITS_H_

#include <cstddef>
#include <cstdint>

namespace layered::api {

struct Limits {
  // Connections of one uid. A refused uid gets far fewer: all it can do is read the refusal.
  int connections_per_uid = 1024;
  int connections_per_refused_uid = 16;

  // Connections of everybody but administrators: these always find room.
  int connections_of_others = 3072;

  // Open Watch streams of one uid that is no administrator's, and of all of these together. The
  // sampler serves twice as many: administrators always find room.
  int watchers_per_uid = 64;
  int watchers_of_others = 512;

  // Names in the filter of one Watch.
  int watch_layers = 128;

  // Interval of Watch, ns: at least 100 ms, at most 1 h; 1 s if the client names none.
  int64_t min_watch_interval_ns = 100'000'000;
  int64_t max_watch_interval_ns = 3'600'000'000'000;
  int64_t default_watch_interval_ns = 1'000'000'000;

  // A frame that could not be written for so long costs the client its connection.
  uint64_t stalled_stream_ns = 5'000'000'000;

  // An idle client that does not answer pings for about this long in all is dropped.
  int keepalive_ms = 20'000;
  int keepalive_timeout_ms = 10'000;

  // Largest message in and out.
  int message_bytes = 1 << 20;

  // Calls at a time on one connection.
  int streams_per_connection = 256;
};

// Longest socket path: the kernel takes 107 bytes, and the socket is made under a name four bytes
// longer and then renamed.
inline constexpr std::size_t kMaxSocketPath = 103;

}  // namespace layered::api

#endif  // LAYERED_DAEMON_API_LIMITS_H_
