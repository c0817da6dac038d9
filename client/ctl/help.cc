// SPDX-License-Identifier: Apache-2.0
//
// layeredctl help [VERB].

#include <memory>
#include <string>

#include "client/ctl/print.h"
#include "client/ctl/verbs.h"

namespace layered::ctl {

std::string HelpText(const CLI::App& app, const CLI::App* verb) {
  // Not app.help(): once a verb is parsed that is the verb's.
  const std::string name = app.get_name() + (verb == nullptr ? "" : " " + verb->get_name());
  return app.get_formatter()->make_help(verb == nullptr ? &app : verb, name,
                                        CLI::AppFormatMode::Normal);
}

void AddHelp(CLI::App& app, Context& context) {
  CLI::App* const verb = app.add_subcommand("help", "Explain layeredctl, or one of its verbs");
  const auto name = std::make_shared<std::string>();
  verb->add_option("VERB", *name, "The verb");
  verb->callback([&app, &context, name] {
    const CLI::App* target = nullptr;
    if (!name->empty()) {
      const auto found = app.get_subcommands(
          [&name](const CLI::App* candidate) { return candidate->get_name() == *name; });
      if (found.empty()) throw CLI::ValidationError("help", "there is no verb '" + *name + "'");
      target = found.front();
    }
    context.run = [text = HelpText(app, target)] { return Print(text); };
  });
}

}  // namespace layered::ctl
