// SPDX-License-Identifier: Apache-2.0
//
// How `watch` looks: a table that fits 80 columns, one line for each lost connection, and the same
// as JSON, one object per line.
//
// Thread-safety: pure functions, but for the wall clock, which the header of a table shows too.

#ifndef LAYERED_CLIENT_CTL_WATCH_TEXT_H_
#define LAYERED_CLIENT_CTL_WATCH_TEXT_H_

#include <optional>
#include <string>

#include "client/lib/rates.h"
#include "client/lib/watcher.h"
#include "layered/v1/stats_service.pb.h"

namespace layered::ctl {

// The wall clock, local: "23:59:59".
std::string TimeOfDay();

// A header line and one line per layer; CPUs and share are "-" where there is no rate.
std::string SampleText(const v1::WatchResponse& sample, const std::optional<client::Rates>& rates);

// "--- connection lost: ...; trying again ---" and {"event": {"state": "lost", "reason": ...}}. A
// sample has no "event", so that one look tells the two kinds of lines apart.
std::string LostText(const client::Lost& lost);
std::string LostJson(const client::Lost& lost);

// "--- back after 3.2 s, the daemon was restarted ---" and
// {"event": {"state": "back", "away_ns": ..., "restarted": ...}}.
std::string BackText(const client::Back& back);
std::string BackJson(const client::Back& back);

}  // namespace layered::ctl

#endif  // LAYERED_CLIENT_CTL_WATCH_TEXT_H_
