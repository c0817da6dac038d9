// SPDX-License-Identifier: Apache-2.0
//
// The verbs of layeredctl, one file each. Each function adds its verb to the app; when the verb was
// named on the command line, Context::run does it and returns what became of it.
//
// Thread-safety: one thread.
// Ownership: the app keeps references to the context.

#ifndef LAYERED_CLIENT_CTL_VERBS_H_
#define LAYERED_CLIENT_CTL_VERBS_H_

#include <string>

#include "CLI/CLI.hpp"
#include "client/ctl/context.h"

namespace layered::ctl {

void AddDeleteLayer(CLI::App& app, Context& context);
void AddGet(CLI::App& app, Context& context);
void AddHelp(CLI::App& app, Context& context);
void AddList(CLI::App& app, Context& context);
void AddSetLayer(CLI::App& app, Context& context);
void AddStatus(CLI::App& app, Context& context);
void AddVersion(CLI::App& app, Context& context);
void AddWatch(CLI::App& app, Context& context);

// The help of a verb, or of the whole program if `verb` is null.
std::string HelpText(const CLI::App& app, const CLI::App* verb);

}  // namespace layered::ctl

#endif  // LAYERED_CLIENT_CTL_VERBS_H_
