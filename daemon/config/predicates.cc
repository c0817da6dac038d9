// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/predicates.h"

#include "daemon/config/match_term.h"

namespace layered {

std::string PredicateKey(const v1::MatchTerm& term) {
  const MatchKey* key = FindMatchKey(term.key_case());
  if (key == nullptr || key->key == v1::MatchTerm::kAll) return "";
  // The value comes last and takes the rest, so that no value can imitate another key.
  std::string out = key->name + "|";
  if (const v1::StringMatch* text = StringOperand(term)) {
    out += std::to_string(text->form()) + "|" + text->value();
  }
  if (const v1::IntMatch* number = IntOperand(term)) {
    const IntBounds bounds = BoundsOf(*number, *key);
    out += std::to_string(bounds.lo) + "|" + std::to_string(bounds.hi);
  }
  return out;
}

size_t PredicatePoolBytes(const v1::MatchTerm& term) {
  return term.key_case() == v1::MatchTerm::kCgroup ? term.cgroup().value().size() : 0;
}

}  // namespace layered
