// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/expression_lexer.h"

#include <algorithm>
#include <string_view>

#include "daemon/config/text.h"

namespace layered {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool IsWordChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.';
}

bool IsControlByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

bool IsQuote(char c) { return c == '"' || c == '\''; }

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void Push(Value* value, char c, bool literal, size_t offset) {
  value->text += c;
  value->literal.push_back(literal);
  value->offset.push_back(offset);
}

bool Fail(LexFault* fault, size_t pos, const std::string& description,
          const std::string& hint = "") {
  *fault = {pos, description, hint};
  return false;
}

}  // namespace

int Lexer::Column(size_t pos) {
  if (pos < counted_) counted_ = counted_characters_ = 0;
  const std::string_view text = std::string_view(text_).substr(counted_);
  counted_characters_ += CountCodePoints(text, pos - counted_);
  counted_ = std::min(pos, text_.size());
  return static_cast<int>(counted_characters_) + 1;
}

void Lexer::SkipSpace() {
  while (!AtEnd() && IsSpace(text_[pos_])) ++pos_;
}

std::string Lexer::Word() {
  const size_t start = pos_;
  while (!AtEnd() && IsWordChar(text_[pos_])) ++pos_;
  return text_.substr(start, pos_ - start);
}

std::string Lexer::Chunk(size_t start) const {
  size_t end = start;
  while (end < text_.size() && !IsSpace(text_[end])) ++end;
  return text_.substr(start, end - start);
}

Op Lexer::ReadOp() {
  struct Spelling {
    std::string_view text;
    Op op;
  };
  // The longer ones first.
  static constexpr Spelling kSpellings[] = {
      {"!=", Op::kNe}, {"<=", Op::kLe}, {">=", Op::kGe}, {"=~", Op::kRegex}, {"!~", Op::kRegex},
      {"=", Op::kEq},  {"<", Op::kLt},  {">", Op::kGt},  {"~", Op::kRegex},
  };
  const std::string_view rest = std::string_view(text_).substr(pos_);
  for (const Spelling& spelling : kSpellings) {
    if (rest.substr(0, spelling.text.size()) != spelling.text) continue;
    pos_ += spelling.text.size();
    return spelling.op;
  }
  if (rest.substr(0, 2) == "in" && (rest.size() == 2 || !IsWordChar(rest[2]))) {
    pos_ += 2;
    return Op::kIn;
  }
  return Op::kNone;
}

bool Lexer::ReadValue(Value* value, LexFault* fault) {
  const size_t op_end = pos_;
  SkipSpace();
  value->start = pos_;
  if (AtEnd()) return Fail(fault, op_end, "a value is missing after the operator");
  if (pos_ > op_end) {
    const std::string chunk = Chunk(pos_);
    if (chunk == "and" || chunk == "or") {
      return Fail(fault, op_end, "a value is missing before " + Quoted(chunk),
                  "put the value in quotes if it is meant to be " + Quoted(chunk));
    }
  }
  return IsQuote(text_[pos_]) ? ReadQuoted(value, fault) : ReadBare(value, fault);
}

bool Lexer::ReadBare(Value* value, LexFault* fault) {
  const char first = text_[pos_];
  if (first == '=' || first == '!' || first == '<' || first == '>' || first == '~') {
    return Fail(fault, pos_, "a value cannot begin with " + Quoted(std::string(1, first)),
                first == '='
                    ? "'equals' is a single '='; a value that begins with it goes in quotes"
                    : "put the value in quotes");
  }
  for (; !AtEnd() && !IsSpace(text_[pos_]); ++pos_) {
    const char c = text_[pos_];
    if (IsQuote(c)) {
      return Fail(fault, pos_, "a quote inside a value", "put the whole value in quotes");
    }
    if (IsControlByte(c))
      return Fail(fault, pos_, "a control character", "write it as \\xHH in quotes");
    Push(value, c, false, pos_);
  }
  return true;
}

bool Lexer::ReadQuoted(Value* value, LexFault* fault) {
  const size_t start = pos_;
  const char quote = text_[pos_++];
  while (!AtEnd()) {
    const char c = text_[pos_];
    if (c == quote) {
      ++pos_;
      if (AtEnd() || IsSpace(text_[pos_])) return true;
      return Fail(fault, pos_, "text right after a closing quote", "put the whole value in quotes");
    }
    if (c == '\\') {
      if (!ReadEscape(value, fault)) return false;
      continue;
    }
    if (IsControlByte(c)) return Fail(fault, pos_, "a control character", "write it as \\xHH");
    Push(value, c, false, pos_++);
  }
  return Fail(fault, start, "the quote is not closed");
}

bool Lexer::ReadEscape(Value* value, LexFault* fault) {
  static constexpr char kHint[] = "escapes are \\\\ \\\" \\' \\* \\/ \\n \\t \\xHH";
  const size_t start = pos_++;
  if (AtEnd()) return Fail(fault, start, "nothing follows the backslash", kHint);
  const char c = text_[pos_++];
  switch (c) {
    case '\\':
    case '"':
    case '\'':
    case '*':
    case '/':
      Push(value, c, true, start);
      return true;
    case 'n':
      Push(value, '\n', true, start);
      return true;
    case 't':
      Push(value, '\t', true, start);
      return true;
    case 'x':
      break;
    default:
      return Fail(fault, start, "unknown escape", kHint);
  }
  const int high = pos_ < text_.size() ? HexDigit(text_[pos_]) : -1;
  const int low = pos_ + 1 < text_.size() ? HexDigit(text_[pos_ + 1]) : -1;
  // Only ASCII, so that a value stays UTF-8; and no NUL, which no name or path can hold.
  if (high < 0 || low < 0 || high > 7 || high * 16 + low == 0) {
    return Fail(fault, start, "\\x needs two hexadecimal digits, 01 to 7f", kHint);
  }
  Push(value, static_cast<char>(high * 16 + low), true, start);
  pos_ += 2;
  return true;
}

}  // namespace layered
