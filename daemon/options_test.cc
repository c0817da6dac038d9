// SPDX-License-Identifier: Apache-2.0

#include "daemon/options.h"

#include <string>
#include <variant>
#include <vector>

#include "gtest/gtest.h"

namespace layered {
namespace {

std::variant<Options, EndNow> Parse(std::vector<const char*> args, const char* env = nullptr) {
  args.insert(args.begin(), "layeredd");
  return ParseOptions(static_cast<int>(args.size()), args.data(), env);
}

Options Parsed(const std::vector<const char*>& args, const char* env = nullptr) {
  const auto parsed = Parse(args, env);
  EXPECT_TRUE(std::holds_alternative<Options>(parsed));
  return std::holds_alternative<Options>(parsed) ? std::get<Options>(parsed) : Options();
}

void ExpectUsageError(const std::vector<const char*>& args, const std::string& named) {
  const auto parsed = Parse(args);
  ASSERT_TRUE(std::holds_alternative<EndNow>(parsed));
  EXPECT_EQ(std::get<EndNow>(parsed).code, kExitUsage);
  EXPECT_NE(std::get<EndNow>(parsed).text.find(named), std::string::npos)
      << std::get<EndNow>(parsed).text;
}

TEST(ParseOptions, Defaults) {
  const Options options = Parsed({});
  EXPECT_EQ(options.config, "");
  EXPECT_EQ(options.socket_path, "/run/layered/layered.sock");
  EXPECT_EQ(options.log_level, "info");
  EXPECT_EQ(options.sysfs_root, "/sys");
  EXPECT_FALSE(options.check_config);
}

TEST(ParseOptions, TheFlagBeatsTheEnvironment) {
  EXPECT_EQ(Parsed({}, "/e").socket_path, "/e");
  EXPECT_EQ(Parsed({}, "").socket_path, "/run/layered/layered.sock");
  EXPECT_EQ(Parsed({"--socket", "/f"}, "/e").socket_path, "/f");
}

TEST(ParseOptions, AllFlags) {
  const Options options =
      Parsed({"--config", "c.json", "--log-level=debug", "--sysfs-root", "/s", "--check-config"});
  EXPECT_EQ(options.config, "c.json");
  EXPECT_EQ(options.log_level, "debug");
  EXPECT_EQ(options.sysfs_root, "/s");
  EXPECT_TRUE(options.check_config);
}

TEST(ParseOptions, FaultsAreNamed) {
  ExpectUsageError({"surplus"}, "surplus");
  ExpectUsageError({"--nope"}, "--nope");
  ExpectUsageError({"--config"}, "--config");
  ExpectUsageError({"--log-level", "loud"}, "loud");
}

TEST(ParseOptions, AnEmptyValueIsNotNoValue) {
  for (const char* option : {"--config", "--socket", "--sysfs-root"}) {
    ExpectUsageError({option, ""}, option);
    const std::string with_equals = std::string(option) + "=";
    ExpectUsageError({with_equals.c_str()}, option);
    ExpectUsageError({with_equals.c_str(), "--check-config"}, option);
  }
}

TEST(ParseOptions, HelpAndVersionEndWell) {
  for (const char* flag : {"--help", "--version"}) {
    const auto parsed = Parse({flag});
    ASSERT_TRUE(std::holds_alternative<EndNow>(parsed));
    EXPECT_EQ(std::get<EndNow>(parsed).code, kExitOk);
  }
  EXPECT_EQ(std::get<EndNow>(Parse({"--version"})).text.rfind("layeredd ", 0), 0u);
  const std::string help = std::get<EndNow>(Parse({"--help"})).text;
  for (const char* flag :
       {"--config", "--socket", "--log-level", "--sysfs-root", "--check-config"}) {
    EXPECT_NE(help.find(flag), std::string::npos) << flag;
  }
}

}  // namespace
}  // namespace layered
