// SPDX-License-Identifier: Apache-2.0
//
// layeredctl help [VERB].

#include <memory>
#include <string>

#include "client/ctl/print.h"
#include "client/ctl/verbs.h"

namespace layered::ctl {
namespace {

// Null if there is none of that name.
const CLI::App* FindVerb(const CLI::App& app, const std::string& name) {
  const auto found = app.get_subcommands(
      [&name](const CLI::App* candidate) { return candidate->get_name() == name; });
  return found.empty() ? nullptr : found.front();
}

}  // namespace

std::string HelpText(const CLI::App& app, const CLI::App* verb) {
  // Not app.help(): once a verb is parsed that is the verb's.
  const std::string name = app.get_name() + (verb == nullptr ? "" : " " + verb->get_name());
  return app.get_formatter()->make_help(verb == nullptr ? &app : verb, name,
                                        CLI::AppFormatMode::Normal);
}

void AddHelp(CLI::App& app, Context& context) {
  CLI::App* const verb = app.add_subcommand("help", "Explain layeredctl, or one of its verbs");
  const auto name = std::make_shared<std::string>();
  verb->add_option("VERB", *name, "The verb")
      ->check(CLI::Validator(
          [&app](std::string& value) {
            return FindVerb(app, value) ? "" : "there is no verb '" + value + "'";
          },
          ""));
  verb->callback([&app, &context, name] {
    context.run = [text = HelpText(app, FindVerb(app, *name))] { return Print(text); };
  });
}

}  // namespace layered::ctl
