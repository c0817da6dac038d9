// SPDX-License-Identifier: Apache-2.0
//
// The completion of layeredctl in a real bash, against a live API.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "tests/api/api_fixture.h"

namespace layered::tests {
namespace {

constexpr char kScript[] = "client/ctl/completion/layeredctl.bash";

// Arguments: the script, the folder to be in (where a command that a name holds would leave its
// traces), and the words of the command line.
constexpr char kComplete[] = R"sh(
source "$1"; cd "$2"; shift 2
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(stale)
_layeredctl
for reply in "${COMPREPLY[@]}"; do
  eval "read_back=($reply)"; printf '%s|%s\n' "$reply" "${read_back[*]}"
done
)sh";

class CtlCompletionTest : public ApiTest {
 protected:
  // Puts a layeredctl that knows the socket where the script will find it.
  void SetUp() override {
    ApiTest::SetUp();
    const std::string bin = folder_ + "/bin", home = folder_ + "/home";
    std::filesystem::create_directory(bin);
    std::filesystem::create_directory(home);
    const std::string ctl = bin + "/layeredctl";
    std::ofstream(ctl) << "#!/bin/sh\nexec '" << std::filesystem::absolute(kCtl).string()
                       << "' --socket '" << socket_ << "' \"$@\"\n";
    std::filesystem::permissions(ctl, std::filesystem::perms::owner_all);
  }

  // What is offered for the last of `words`, one per line: as it would be put on the command line,
  // and then as the shell would read that.
  Result Complete(const std::vector<std::string>& words) const {
    std::vector<std::string> argv = {
        "/bin/bash",      "-c", kComplete, "bash", std::filesystem::absolute(kScript).string(),
        folder_ + "/home"};
    argv.insert(argv.end(), words.begin(), words.end());
    return RunToEnd(argv, std::nullopt, {"PATH=" + folder_ + "/bin:/usr/bin:/bin"});
  }
};

TEST_F(CtlCompletionTest, OffersVerbsOptionsAndNames) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  ASSERT_EQ(Ctl({"set-layer", "web", "--match", "comm=a"}).exit_code, 0);
  EXPECT_EQ(Complete({"layeredctl", "sta"}).out, "status|status\n");
  EXPECT_EQ(Complete({"layeredctl", "--vers"}).out, "--version|--version\n");
  EXPECT_EQ(Complete({"layeredctl", "list", "-o", "j"}).out, "json|json\n");
  EXPECT_EQ(Complete({"layeredctl", "get", "w"}).out, "web|web\n");
  EXPECT_EQ(Complete({"layeredctl", "get", "--a"}).out, "--all|--all\n");
  EXPECT_EQ(Complete({"layeredctl", "set-layer", "x", "--before", ""}).out,
            "web|web\ndefault|default\n");
  EXPECT_EQ(Complete({"layeredctl", "get", "nothing-like-it"}).out, "");
  EXPECT_EQ(Complete({"layeredctl", "set-layer", "x", "--etag", ""}).out, "");
}

TEST_F(CtlCompletionTest, NamesAreNeverExecuted) {
  ASSERT_NO_FATAL_FAILURE(StartDaemon());
  const std::vector<std::string> names = {"$(touch${IFS}PWNED)", "`touch PWNED`",
                                          "a b; touch PWNED",    "it's \"so\"",
                                          "back\\slash",         "*"};
  for (const std::string& name : names) {
    ASSERT_EQ(Ctl({"set-layer", "--match", "comm=a", "--", name}).exit_code, 0) << name;
  }
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"layeredctl", "get", ""},
        std::vector<std::string>{"layeredctl", "set-layer", "x", "--after", ""}}) {
    const Result r = Complete(words);
    EXPECT_EQ(r.err, "");
    for (const std::string& name : names) {
      EXPECT_NE(r.out.find("|" + name + "\n"), std::string::npos) << name << "\n" << r.out;
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder_ + "/home")) << "a name was executed";
  }
  EXPECT_EQ(Complete({"layeredctl", "get", "a\\ b"}).out,
            "a\\ b\\;\\ touch\\ PWNED|a b; touch PWNED\n");
}

// The script is written by hand: it must know every verb and option that there is.
TEST_F(CtlCompletionTest, TheScriptIsComplete) {
  std::ifstream file(kScript);
  const std::string script((std::istreambuf_iterator<char>(file)), {});
  ASSERT_FALSE(script.empty());
  const std::string help = Ctl({"help"}).out;
  ASSERT_NE(help.find("Subcommands:"), std::string::npos) << help;
  std::istringstream lines(help.substr(help.find("Subcommands:") + 12));
  std::vector<std::string> helps = {help};
  for (std::string line, verb; std::getline(lines, line);) {
    if (!(std::istringstream(line) >> verb)) continue;
    EXPECT_NE(script.find(verb), std::string::npos) << verb;
    helps.push_back(Ctl({"help", verb}).out);
  }
  EXPECT_GE(helps.size(), 9u);
  for (const std::string& text : helps) {
    std::istringstream options(text);
    for (std::string row; std::getline(options, row);) {
      if (row.compare(0, 3, "  -") != 0) continue;  // not an option's first line
      const std::size_t at = row.find("--");
      const std::string option = row.substr(at, row.find_first_of(" ,", at) - at);
      EXPECT_NE(script.find(option), std::string::npos) << option << "\n" << text;
    }
  }
}

}  // namespace
}  // namespace layered::tests
