// SPDX-License-Identifier: Apache-2.0

#include "client/ctl/watch_view.h"

#include <algorithm>
#include <utility>

#include "client/ctl/print.h"
#include "client/ctl/watch_text.h"
#include "client/lib/rates.h"

namespace layered::ctl {
namespace {

constexpr char kHomeAndClear[] = "\x1b[H\x1b[J";

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// `names` is empty for all.
void Pick(const std::vector<std::string>& names, v1::WatchResponse* sample,
          std::optional<client::Rates>* rates) {
  if (names.empty()) return;
  auto& layers = *sample->mutable_layers();
  layers.erase(std::remove_if(layers.begin(), layers.end(),
                              [&](const auto& layer) { return !Contains(names, layer.name()); }),
               layers.end());
  if (!*rates) return;
  auto& rows = (*rates)->layers;
  rows.erase(std::remove_if(rows.begin(), rows.end(),
                            [&](const auto& row) { return !Contains(names, row.now.name()); }),
             rows.end());
}

// `names` has at least one.
absl::Status NoLayers(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "'" : ", '") + name + "'";
  return absl::NotFoundError("no layer " + list);
}

}  // namespace

bool CanRedraw(bool is_terminal, const char* term) {
  const std::string type = term == nullptr ? "" : term;
  return is_terminal && !type.empty() && type != "dumb";
}

WatchView::WatchView(Options options) : options_(std::move(options)), left_(options_.count) {}

std::vector<std::string> WatchView::MissingFrom(const v1::WatchResponse& sample) const {
  std::vector<std::string> missing;
  for (const std::string& name : options_.layers) {
    const bool there = std::any_of(sample.layers().begin(), sample.layers().end(),
                                   [&name](const auto& layer) { return layer.name() == name; });
    if (!there && !Contains(missing, name)) missing.push_back(name);
  }
  return missing;
}

absl::StatusOr<Frame> WatchView::Show(const v1::WatchResponse& sample) {
  const std::vector<std::string> known = std::exchange(missing_, MissingFrom(sample));
  v1::WatchResponse shown = sample;
  std::optional<client::Rates> rates = last_ ? client::RatesBetween(*last_, sample) : std::nullopt;
  last_ = sample;
  Pick(options_.layers, &shown, &rates);
  const bool none = !options_.layers.empty() && shown.layers().empty();
  if (!std::exchange(began_, true) && none) return NoLayers(missing_);
  if (rates && left_ > 0 && --left_ == 0) done_ = true;

  if (options_.redraw) {
    std::string text = kHomeAndClear + SampleText(shown, rates) + last_event_;
    for (const std::string& name : missing_) text += ErrorText(NoLayers({name}));
    return Frame{.text = text, .notes = {}};
  }
  Frame frame{.text = options_.json ? ToJsonLine(shown) : SampleText(shown, rates) + "\n",
              .notes = {}};
  for (const std::string& name : missing_) {
    if (!Contains(known, name)) frame.notes.push_back(NoLayers({name}));
  }
  return frame;
}

absl::StatusOr<Frame> WatchView::Show(const client::Lost& lost) {
  return Event(LostText(lost), LostJson(lost));
}

absl::StatusOr<Frame> WatchView::Show(const client::Back& back) {
  last_.reset();
  return Event(BackText(back), BackJson(back));
}

Frame WatchView::Event(const std::string& text, const std::string& json) {
  // It may stand there for hours, so it needs its time.
  last_event_ = TimeOfDay() + "  " + text;
  if (options_.redraw) return {.text = last_event_, .notes = {}};
  return {.text = options_.json ? json : text, .notes = {}};
}

}  // namespace layered::ctl
