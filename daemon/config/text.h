// SPDX-License-Identifier: Apache-2.0
//
// Small helpers for text that strangers wrote: is it UTF-8, what is in it, how to show it in a
// message without trusting it, and what it may have been meant to be.
//
// Thread-safety: pure functions.

#ifndef LAYERED_DAEMON_CONFIG_TEXT_H_
#define LAYERED_DAEMON_CONFIG_TEXT_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace layered {

// The code point that begins at *offset, which then stands behind it; nullopt (and *offset as it
// was) at the end and where the bytes are not UTF-8 (overlong forms, surrogates, beyond U+10FFFF).
std::optional<char32_t> NextCodePoint(std::string_view text, size_t* offset);

bool IsValidUtf8(std::string_view text);

// Unicode's category Cc, and the two separators that end a line.
bool IsControl(char32_t c);

// Blanks of any width (not tab or newline: those are control characters).
bool IsBlank(char32_t c);

// Number of code points that begin in text[0, end): the column of text[end], counted from 0.
size_t CountCodePoints(std::string_view text, size_t end);

// The text for a message: in single quotes, control characters and broken UTF-8 as \xNN, cut to
// about 60 bytes. Never holds a newline, so a fault stays one line.
std::string Quoted(std::string_view text);

// The candidate that `word` most likely was meant to be (other case, one or two wrong, missing,
// doubled or swapped letters), or "" if none is near.
std::string Closest(const std::string& word, const std::vector<std::string>& candidates);

// "did you mean 'x'?" for Closest, or "" if none is near.
std::string DidYouMean(const std::string& word, const std::vector<std::string>& candidates);

// "a, b, c".
std::string Joined(const std::vector<std::string>& words);

}  // namespace layered

#endif  // LAYERED_DAEMON_CONFIG_TEXT_H_
