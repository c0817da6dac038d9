// SPDX-License-Identifier: Apache-2.0

#include "client/ctl/layer_text.h"

#include "client/ctl/table.h"
#include "daemon/config/duration.h"
#include "daemon/config/expression.h"
#include "daemon/config/validate.h"

namespace layered::ctl {
namespace {

std::string MatchText(const v1::Layer& layer) { return FormatMatches(layer.match()); }

void Describe(const std::string& what, const std::string& before, const std::string& after,
              std::string* text) {
  if (before == after) return;
  if (!text->empty()) *text += ", ";
  *text += what + " " + before + " -> " + after;
}

}  // namespace

std::string SliceText(const v1::Layer& layer) { return FormatDuration(EffectiveSliceNs(layer)); }

std::string KindText(v1::LayerKind kind) {
  switch (kind) {
    case v1::LAYER_KIND_UNSPECIFIED:
    case v1::LAYER_KIND_OPEN:
      return "open";
    default:
      // A newer daemon.
      return "kind " + std::to_string(static_cast<int>(kind));
  }
}

std::vector<std::string> BlockTexts(const v1::Layer& layer) {
  std::vector<std::string> texts;
  for (const v1::Match& block : layer.match()) texts.push_back(FormatMatch(block));
  return texts;
}

std::string DescribeLayer(const v1::Layer& layer) {
  std::string text = "name    " + Printable(layer.name()) + "\n";
  text += "kind    " + KindText(layer.kind()) + "\n";
  text += "weight  " + std::to_string(EffectiveWeight(layer)) + "\n";
  text += "slice   " + SliceText(layer) + "\n";
  const char* label = "match   ";
  for (const std::string& block : BlockTexts(layer)) {
    text += label + Printable(block) + "\n";
    label = "     or ";
  }
  return text;
}

std::string DescribeChange(const v1::Layer& before, const v1::Layer& after) {
  std::string text;
  Describe("kind", KindText(before.kind()), KindText(after.kind()), &text);
  Describe("weight", std::to_string(EffectiveWeight(before)),
           std::to_string(EffectiveWeight(after)), &text);
  Describe("slice", SliceText(before), SliceText(after), &text);
  Describe("match", MatchText(before), MatchText(after), &text);
  return text;
}

}  // namespace layered::ctl
