// SPDX-License-Identifier: Apache-2.0
//
// The printing half of expression.h.
#include <cstdio>

#include "daemon/config/expression.h"
#include "daemon/config/match_term.h"

namespace layered {
namespace {

bool IsPlain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte > 0x20 && byte != 0x7f && c != '"' && c != '\'' && c != '*';
}

bool NeedsQuotes(const std::string& value, bool leading_star) {
  if (value.empty()) return true;
  for (const char c : value) {
    if (!IsPlain(c)) return true;
  }
  // Would read as part of the operator.
  const char first = value[0];
  return !leading_star &&
         (first == '=' || first == '!' || first == '<' || first == '>' || first == '~');
}

std::string Escaped(const std::string& value) {
  std::string out;
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\' || c == '"' || c == '*') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      char buffer[8];
      std::snprintf(buffer, sizeof buffer, "\\x%02x", byte);
      out += buffer;
    } else {
      out += c;
    }
  }
  return out;
}

std::string FormatText(const v1::StringMatch& match, bool is_path) {
  const v1::StringForm form = match.form();
  const bool lead = form == v1::STRING_FORM_SUFFIX || form == v1::STRING_FORM_CONTAINS;
  std::string tail;
  if (form == v1::STRING_FORM_PREFIX || form == v1::STRING_FORM_CONTAINS) tail = "*";
  if (form == v1::STRING_FORM_SUBTREE) tail = "/*";
  const std::string head = lead ? "*" : "";
  const std::string& value = match.value();
  // The strings that begin with "/a/" are not the subtree of /a: the escaped slash tells them
  // apart.
  const bool slash_prefix =
      is_path && form == v1::STRING_FORM_PREFIX && !value.empty() && value.back() == '/';
  if (slash_prefix) {
    return "\"" + Escaped(value.substr(0, value.size() - 1)) + "\\/*\"";
  }
  const bool root = form == v1::STRING_FORM_SUBTREE && value.empty();
  if (!root && NeedsQuotes(value, lead)) return "\"" + head + Escaped(value) + tail + "\"";
  return head + value + tail;
}

// The test of a number without the key: "=5", "<=5", ">=5" or " in 1..5".
std::string FormatNumber(const v1::IntMatch& match) {
  const std::string min = std::to_string(match.min()), max = std::to_string(match.max());
  if (!match.has_min()) return "<=" + max;
  if (!match.has_max()) return ">=" + min;
  if (match.min() == match.max()) return "=" + min;
  return " in " + min + ".." + max;
}

}  // namespace

std::string FormatTerm(const v1::MatchTerm& term) {
  const MatchKey* key = FindMatchKey(term.key_case());
  if (key == nullptr) return "?";
  std::string test;
  if (const v1::StringMatch* text = StringOperand(term)) {
    test = "=" + FormatText(*text, key->operand == MatchOperand::kPath);
  }
  if (const v1::IntMatch* number = IntOperand(term)) test = FormatNumber(*number);
  if (!term.negate()) return key->name + test;
  if (!test.empty() && test[0] == '=') return key->name + "!" + test;
  return "not " + key->name + test;
}

std::string FormatMatch(const v1::Match& match) {
  std::string out;
  for (const v1::MatchTerm& term : match.terms()) {
    out += (out.empty() ? "" : " and ") + FormatTerm(term);
  }
  return out;
}

std::string FormatMatches(const google::protobuf::RepeatedPtrField<v1::Match>& blocks) {
  std::string out;
  for (const v1::Match& block : blocks) out += (out.empty() ? "" : " or ") + FormatMatch(block);
  return out;
}

}  // namespace layered
