// SPDX-License-Identifier: Apache-2.0

#include "daemon/base/arguments.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

namespace layered {
namespace {

// Without a description: that would be shown in the help, as the type of the option.
CLI::Validator Check(std::string (*fault_of)(const std::string&)) {
  return CLI::Validator([fault_of](std::string& value) { return fault_of(value); }, "");
}

std::string FaultIfEmpty(const std::string& value) {
  return value.empty() ? "the value is empty; leave the option out if none is meant" : "";
}

std::string FaultOfCount(const std::string& value) {
  uint64_t number = 0;
  const char* const end = value.data() + value.size();
  const auto [rest, error] = std::from_chars(value.data(), end, number);
  const bool good = error == std::errc() && rest == end && number > 0;
  return good ? "" : "give a whole number from 1";
}

}  // namespace

CLI::Validator NotEmpty() { return Check(FaultIfEmpty); }

CLI::Validator WholeNumberFromOne() { return Check(FaultOfCount); }

std::vector<std::string> ReversedArguments(int argc, const char* const* argv) {
  std::vector<std::string> arguments;
  bool options = true;  // until "--"
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    options = options && argument != "--";
    if (options && argument.compare(0, 2, "--") == 0 && argument.find('=') == argument.size() - 1) {
      argument.pop_back();
      arguments.push_back(std::move(argument));
      arguments.emplace_back();
    } else {
      arguments.push_back(std::move(argument));
    }
  }
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

}  // namespace layered
