// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/expression.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "daemon/config/expression_lexer.h"
#include "daemon/config/match_term.h"
#include "daemon/config/text.h"

namespace layered {
namespace {

constexpr size_t kMaxText = 65536;

std::string KeysHint() { return "supported keys are " + Joined(MatchKeyNames()); }

bool IsJoiner(const std::string& word) { return word == "and" || word == "or"; }

// What people write who come from another language.
std::string JoinerHint(const std::string& word) {
  const auto starts = [&](std::string_view prefix) { return word.rfind(prefix, 0) == 0; };
  if (starts("&&") || starts(",") || word == "AND" || word == "And") return "write 'and'";
  if (starts("||") || starts("|") || word == "OR" || word == "Or") return "write 'or'";
  if (starts(")")) return "there are no parentheses: 'and' binds tighter than 'or'";
  return "join terms with 'and' or 'or', put a value with spaces in quotes";
}

std::string TermHint(const std::string& rest) {
  if (rest[0] == '!') return "write 'not'";
  if (rest[0] == '(' || rest[0] == ')') {
    return "there are no parentheses: 'and' binds tighter than 'or'";
  }
  return KeysHint();
}

class Parser {
 public:
  Parser(const std::string& text, const std::string& field, const UserResolver& resolve_user,
         Violations* violations)
      : lexer_(text), field_(field), resolve_user_(resolve_user), violations_(violations) {}

  // False after a fault in the grammar; other faults are only collected.
  bool Parse(google::protobuf::RepeatedPtrField<v1::Match>* blocks) {
    v1::Match* block = blocks->Add();
    std::string after;
    while (true) {
      if (!ParseTerm(after, block->add_terms())) return false;
      lexer_.SkipSpace();
      if (lexer_.AtEnd()) return true;
      const size_t start = lexer_.pos();
      after = lexer_.Word();
      if (after == "or") {
        block = blocks->Add();
      } else if (after != "and") {
        const std::string found = lexer_.Chunk(start);
        Fail(start, "expected 'and' or 'or', found " + Quoted(found), JoinerHint(found));
        return false;
      }
    }
  }

 private:
  void Fail(size_t pos, const std::string& description, const std::string& hint = "") {
    violations_->push_back({field_, description, hint, 0, lexer_.Column(pos)});
  }

  // `after`: the joiner before the term, for the message when there is none.
  bool ParseTerm(const std::string& after, v1::MatchTerm* term) {
    lexer_.SkipSpace();
    size_t start = lexer_.pos();
    std::string word = lexer_.Word();
    const bool negated = word == "not";
    if (negated) {
      lexer_.SkipSpace();
      start = lexer_.pos();
      word = lexer_.Word();
    }
    if (negated && word == "not") {
      Fail(start, "'not' twice", "leave both out");
      return false;
    }
    if (word.empty() || IsJoiner(word) || word == "in") {
      const std::string place = negated         ? "after 'not'"
                                : after.empty() ? "at the start"
                                                : "after " + Quoted(after);
      const std::string found = lexer_.Chunk(start);
      const std::string what = found.empty() ? "" : ", found " + Quoted(found);
      Fail(start, "a term is missing " + place + what, found.empty() ? "" : TermHint(found));
      return false;
    }
    const MatchKey* key = FindMatchKey(word);
    if (key == nullptr) FailKey(start, word);

    lexer_.SkipSpace();
    const size_t op_start = lexer_.pos();
    const Op op = lexer_.ReadOp();
    term->set_negate(negated != (op == Op::kNe));
    if (op == Op::kNone) {
      if (key == nullptr) return true;
      if (key->operand != MatchOperand::kNone) {
        Fail(op_start, key->name + " needs an operator and a value",
             key->operand == MatchOperand::kNumber ? "such as " + key->name + "=0"
             : key->operand == MatchOperand::kPath ? "such as cgroup=/system.slice/*"
                                                   : "such as " + key->name + "=nginx*");
        return false;
      }
      SetBareKey(*key, term);
      return true;
    }
    return ParseValue(key, op, op_start, term);
  }

  void FailKey(size_t start, const std::string& word) {
    if (IsFutureMatchKey(word)) {
      return Fail(start, Quoted(word) + " is not supported yet", KeysHint());
    }
    const std::string guess = DidYouMean(word, MatchKeyNames());
    Fail(start, "unknown key " + Quoted(word), guess.empty() ? KeysHint() : guess);
  }

  bool ParseValue(const MatchKey* key, Op op, size_t op_start, v1::MatchTerm* term) {
    Value value;
    LexFault fault;
    if (!lexer_.ReadValue(&value, &fault)) {
      Fail(fault.pos, fault.description, fault.hint);
      return false;
    }
    if (key == nullptr) return true;  // told already
    if (op == Op::kRegex) {
      Fail(op_start, "regular expressions (~) are not supported yet",
           "use '=' with a glob, such as " + key->name + "=x*");
      return true;
    }
    const size_t before = violations_->size();
    switch (key->operand) {
      case MatchOperand::kNone:
        Fail(op_start, key->name + " takes no value",
             "write '" + key->name + "' or 'not " + key->name + "'");
        return true;
      case MatchOperand::kNumber:
        ParseNumber(*key, op, value, MutableIntOperand(*key, term));
        break;
      case MatchOperand::kPath:
      case MatchOperand::kComm:
        if (op != Op::kEq && op != Op::kNe) {
          Fail(op_start, key->name + " is text: it can be compared with '=' and '!=' only");
          return true;
        }
        ParseText(*key, value, MutableStringOperand(*key, term));
        break;
    }
    if (violations_->size() == before) {
      CheckTerm(*term, field_, lexer_.Column(value.start), violations_);
    }
    return true;
  }

  // Takes the glob off the ends; what is left must be literal.
  void ParseText(const MatchKey& key, const Value& value, v1::StringMatch* out) {
    const size_t size = value.text.size();
    const auto glob = [&](size_t i) { return value.text[i] == '*' && !value.literal[i]; };
    size_t begin = 0, end = size;
    const bool leading = size > 0 && glob(0);
    if (leading) ++begin;
    const bool trailing = end > begin && glob(end - 1);
    if (trailing) --end;
    for (size_t i = begin; i < end; ++i) {
      if (!glob(i)) continue;
      return Fail(value.offset[i], "'*' can only be at the start and at the end of a value",
                  "for a literal star write \\* in quotes");
    }
    v1::StringForm form = leading && trailing ? v1::STRING_FORM_CONTAINS
                          : leading           ? v1::STRING_FORM_SUFFIX
                          : trailing          ? v1::STRING_FORM_PREFIX
                                              : v1::STRING_FORM_EXACT;
    if (form == v1::STRING_FORM_PREFIX && key.operand == MatchOperand::kPath && end > 0 &&
        value.text[end - 1] == '/' && !value.literal[end - 1]) {
      form = v1::STRING_FORM_SUBTREE;
      --end;
    }
    out->set_form(form);
    out->set_value(value.text.substr(begin, end - begin));
  }

  bool ReadInteger(const MatchKey& key, const std::string& text, size_t pos, int64_t* out) {
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, *out);
    if (error == std::errc() && stop == end) return true;
    if (error == std::errc::result_out_of_range && stop == end) {
      Fail(pos, key.name + " " + Quoted(text) + " is out of range " + std::to_string(key.min) +
                    ".." + std::to_string(key.max));
      return false;
    }
    if (key.key == v1::MatchTerm::kUid && resolve_user_ && !text.empty()) {
      if (const auto uid = resolve_user_(text)) {
        *out = *uid;
        return true;
      }
      Fail(pos, "there is no user " + Quoted(text));
      return false;
    }
    Fail(pos, key.name + " is a number, not " + Quoted(text),
         key.key == v1::MatchTerm::kUid ? "write the user's id, see `id -u NAME`" : "");
    return false;
  }

  void ParseNumber(const MatchKey& key, Op op, const Value& value, v1::IntMatch* out) {
    const size_t dots = value.text.find("..");
    if (op == Op::kIn) {
      if (dots == std::string::npos) {
        return Fail(value.start, "expected LO..HI after 'in', found " + Quoted(value.text),
                    "such as " + key.name + " in " + std::to_string(std::max<int64_t>(key.min, 0)) +
                        ".." + std::to_string(std::min<int64_t>(key.max, 999)));
      }
      int64_t lo = 0, hi = 0;
      const bool lo_ok = ReadInteger(key, value.text.substr(0, dots), value.start, &lo);
      const size_t hi_pos = value.offset.size() > dots + 2 ? value.offset[dots + 2] : lexer_.pos();
      const bool hi_ok = ReadInteger(key, value.text.substr(dots + 2), hi_pos, &hi);
      if (!lo_ok || !hi_ok) return;
      out->set_min(lo);
      out->set_max(hi);
      return;
    }
    if (dots != std::string::npos) {
      return Fail(value.start, "a range needs 'in'", "write " + key.name + " in " + value.text);
    }
    int64_t number = 0;
    if (!ReadInteger(key, value.text, value.start, &number)) return;
    if (number < key.min || number > key.max) {
      // Before + 1 and - 1 below, which could leave int64 or the range of the message.
      return Fail(value.start, key.name + " " + std::to_string(number) + " is out of range " +
                                   std::to_string(key.min) + ".." + std::to_string(key.max));
    }
    if ((op == Op::kLt && number == key.min) || (op == Op::kGt && number == key.max)) {
      return Fail(value.start,
                  "no " + key.name + " is " + (op == Op::kLt ? "below " : "above ") +
                      std::to_string(number),
                  key.name + " is " + std::to_string(key.min) + ".." + std::to_string(key.max));
    }
    if (op == Op::kEq || op == Op::kNe || op == Op::kGe) out->set_min(number);
    if (op == Op::kEq || op == Op::kNe || op == Op::kLe) out->set_max(number);
    if (op == Op::kGt) out->set_min(number + 1);
    if (op == Op::kLt) out->set_max(number - 1);
  }

  Lexer lexer_;
  const std::string& field_;
  const UserResolver& resolve_user_;
  Violations* const violations_;
};

}  // namespace

bool ParseExpression(const std::string& text, const std::string& field,
                     google::protobuf::RepeatedPtrField<v1::Match>* out, Violations* violations,
                     const UserResolver& resolve_user) {
  const size_t before = violations->size();
  if (text.size() > kMaxText) {
    violations->push_back({field,
                           "the expression has " + std::to_string(text.size()) +
                               " bytes, the limit is " + std::to_string(kMaxText),
                           "use several expressions, they are joined by 'or'", 0, 0});
    return false;
  }
  size_t valid = 0;
  while (NextCodePoint(text, &valid).has_value()) {
  }
  if (valid != text.size()) {
    const int column = static_cast<int>(CountCodePoints(text, valid)) + 1;
    violations->push_back({field, "the expression is not valid UTF-8", "", 0, column});
    return false;
  }
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    violations->push_back(
        {field, "the expression is empty", "write 'all' to take every task", 0, 1});
    return false;
  }
  google::protobuf::RepeatedPtrField<v1::Match> blocks;
  Parser(text, field, resolve_user, violations).Parse(&blocks);
  if (violations->size() != before) return false;
  for (v1::Match& block : blocks) out->Add()->Swap(&block);
  return true;
}

}  // namespace layered
