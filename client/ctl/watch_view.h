// SPDX-License-Identifier: Apache-2.0
//
// What `watch` shows, event by event: turns samples, and the connection's coming and going, into
// text. Rates are always taken over all layers of a sample, so that a share is one of the whole;
// the layers that were named are picked when printing.
//
// Thread-safety: one thread.
// Failure: Show of the first sample says NOT_FOUND if none of the named layers is there.

#ifndef LAYERED_CLIENT_CTL_WATCH_VIEW_H_
#define LAYERED_CLIENT_CTL_WATCH_VIEW_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/lib/watcher.h"
#include "layered/v1/stats_service.pb.h"

namespace layered::ctl {

// Whether tables may be drawn over each other: on a terminal that understands the cursor, of which
// `term` ($TERM, may be null) tells.
bool CanRedraw(bool is_terminal, const char* term);

// One event as text.
struct Frame {
  std::string text;                 // for stdout
  std::vector<absl::Status> notes;  // for stderr; the watch goes on
};

class WatchView {
 public:
  struct Options {
    bool json = false;
    bool redraw = false;                   // each table over the one before; not with json
    uint64_t count = 0;                    // done after so many samples with rates; 0: never
    std::vector<std::string> layers = {};  // only these; empty: all
  };

  explicit WatchView(Options options);

  // A note tells once of each named layer that is not there, again if it came and went. Where
  // tables are redrawn the notes, like the last thing that happened to the connection, stand below
  // every table instead: anything else would be drawn over.
  absl::StatusOr<Frame> Show(const v1::WatchResponse& sample);
  absl::StatusOr<Frame> Show(const client::Lost& lost);
  absl::StatusOr<Frame> Show(const client::Back& back);

  // Enough was seen.
  bool done() const { return done_; }

 private:
  // Named layers that `sample` does not hold.
  std::vector<std::string> MissingFrom(const v1::WatchResponse& sample) const;
  Frame Event(const std::string& text, const std::string& json);

  const Options options_;
  uint64_t left_;  // samples with rates still to show
  bool done_ = false;
  bool began_ = false;                     // a sample was seen, maybe of an earlier connection
  std::optional<v1::WatchResponse> last_;  // of this connection, whole
  std::vector<std::string> missing_;       // of the last sample
  std::string last_event_;                 // of the connection, with its time; to redraw
};

}  // namespace layered::ctl

#endif  // LAYERED_CLIENT_CTL_WATCH_VIEW_H_
