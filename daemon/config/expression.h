// SPDX-License-Identifier: Apache-2.0
//
// The language in which people write what a layer takes:
//
//   expr  := block { "or" block }      block := term { "and" term }      term := ["not"] test
//   test  := KEY | KEY OP VALUE | KEY "in" LO..HI                        OP   := = != < <= > >=
//
//   comm=nginx* and not kthread or cgroup=/batch.slice/*
//
// Globs in values: `/a/*` is the cgroup /a and all below it, `/a*` a prefix, `*x` a suffix, `*x*`
// contains; a `*` elsewhere is refused. A value ends at a space; in double or single quotes it may
// hold anything, with the escapes \\ \" \' \n \t \xHH, \* for a literal star and \/ for a slash
// that makes no subtree. Outside quotes a backslash is an ordinary character, for systemd puts
// `\x2d` into names. Keywords are case-sensitive.
//
// Thread-safety: pure functions.
// Failure: all faults that can be told apart are collected with their column, counted in characters
// from 1; after a fault in the grammar itself the rest of the text is not looked at.
// Cost: linear in the text, no recursion; texts over 64 KiB are refused.

#ifndef LAYERED_DAEMON_CONFIG_EXPRESSION_H_
#define LAYERED_DAEMON_CONFIG_EXPRESSION_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "daemon/config/violation.h"
#include "google/protobuf/repeated_field.h"
#include "layered/v1/layer.pb.h"

namespace layered {

// The user id of a user's name, nullopt if there is none. Only clients resolve names: the daemon's
// user database need not be the caller's.
using UserResolver = std::function<std::optional<uint32_t>(const std::string&)>;

// Appends the blocks of `text` to `out`; a caller that has several texts gets their OR that way.
// True if there was no fault; otherwise `out` is unchanged and `violations` has grown, with `field`
// as the path. Without `resolve_user` a uid must be a number.
bool ParseExpression(const std::string& text, const std::string& field,
                     google::protobuf::RepeatedPtrField<v1::Match>* out, Violations* violations,
                     const UserResolver& resolve_user = nullptr);

// The canonical text of a block, of blocks joined by "or", of one term. For all that CheckTerm lets
// pass: ParseExpression gives the same messages back. A term without a key prints as "?".
std::string FormatTerm(const v1::MatchTerm& term);
std::string FormatMatch(const v1::Match& match);
std::string FormatMatches(const google::protobuf::RepeatedPtrField<v1::Match>& blocks);

}  // namespace layered

#endif  // LAYERED_DAEMON_CONFIG_EXPRESSION_H_
