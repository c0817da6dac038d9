// SPDX-License-Identifier: Apache-2.0
//
// The words of a match expression: keys, operators and values. What they mean is the parser's
// (expression.h). An implementation detail of that library.
//
// Thread-safety: one thread. Ownership: the text must outlive the lexer.

#ifndef LAYERED_DAEMON_CONFIG_EXPRESSION_LEXER_H_
#define LAYERED_DAEMON_CONFIG_EXPRESSION_LEXER_H_

#include <cstddef>
#include <string>
#include <vector>

namespace layered {

enum class Op { kNone, kEq, kNe, kLt, kLe, kGt, kGe, kIn, kRegex };

// A value with its escapes resolved.
struct Value {
  std::string text;
  std::vector<bool> literal;   // by byte of text: it was escaped, so it is no glob
  std::vector<size_t> offset;  // by byte of text: where it came from
  size_t start = 0;            // of the whole value, with its quote
};

// A fault in the writing of a value.
struct LexFault {
  size_t pos = 0;
  std::string description;
  std::string hint;
};

class Lexer {
 public:
  // `text` is valid UTF-8.
  explicit Lexer(const std::string& text) : text_(text) {}

  size_t pos() const { return pos_; }
  bool AtEnd() const { return pos_ >= text_.size(); }

  // Column of a byte, in characters from 1. Asked with rising positions it walks the text once.
  int Column(size_t pos);

  void SkipSpace();

  // The longest run of letters, digits and '_', '-', '.', maybe empty.
  std::string Word();

  // The text from `start` to the next space, to show what was found; does not move.
  std::string Chunk(size_t start) const;

  // The operator that stands here, kNone (nothing taken) if there is none.
  Op ReadOp();

  // The value after an operator, spaces before it skipped. False with *fault if it is missing or
  // wrongly quoted.
  bool ReadValue(Value* value, LexFault* fault);

 private:
  bool ReadBare(Value* value, LexFault* fault);
  bool ReadQuoted(Value* value, LexFault* fault);
  bool ReadEscape(Value* value, LexFault* fault);

  const std::string& text_;
  size_t pos_ = 0;
  size_t counted_ = 0;  // bytes that Column has walked
  size_t counted_characters_ = 0;
};

}  // namespace layered

#endif  // LAYERED_DAEMON_CONFIG_EXPRESSION_LEXER_H_
