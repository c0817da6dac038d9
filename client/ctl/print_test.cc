// SPDX-License-Identifier: Apache-2.0

#include "client/ctl/print.h"

#include <gtest/gtest.h>

#include "daemon/config/violation.h"
#include "rapidjson/document.h"

namespace layered::ctl {
namespace {

const Violations kTwo = {
    {.field = "layers[2].weight",
     .description = "0 is out of range 1..10000",
     .hint = "leave it out"},
    {.field = "match[0]", .description = "unknown key 'com'", .hint = "", .line = 0, .column = 5}};

TEST(PrintTest, OneLinePerViolation) {
  EXPECT_EQ(ErrorText(ToStatus(kTwo)),
            "layeredctl: layers[2].weight: 0 is out of range 1..10000 (leave it out)\n"
            "layeredctl: match[0]: unknown key 'com' (column 5)\n");
}

TEST(PrintTest, OtherErrorsAreOneLine) {
  EXPECT_EQ(ErrorText(absl::NotFoundError("no layer 'a\nb'")), "layeredctl: no layer 'a?b'\n");
}

TEST(PrintTest, TimesHaveThreeDigitsAndTheirUnit) {
  EXPECT_EQ(TimeText(0), "0 ns");
  EXPECT_EQ(TimeText(999), "999 ns");
  EXPECT_EQ(TimeText(12'340), "12.3 us");
  EXPECT_EQ(TimeText(335'544'319), "336 ms");
  EXPECT_EQ(TimeText(999'700'000), "1 s");
  EXPECT_EQ(TimeText(2'630'000'000), "2.63 s");
  EXPECT_EQ(TimeText(123'456'000'000'000), "123456 s");
}

TEST(PrintTest, ErrorsAsJson) {
  rapidjson::Document json;
  const std::string text = ErrorJson(ToStatus(kTwo));
  ASSERT_FALSE(json.Parse(text.c_str()).HasParseError()) << text;
  EXPECT_STREQ(json["code"].GetString(), "INVALID_ARGUMENT");
  EXPECT_TRUE(json["message"].IsString());
  ASSERT_EQ(json["violations"].Size(), 2u);
  EXPECT_STREQ(json["violations"][0]["field"].GetString(), "layers[2].weight");
  EXPECT_STREQ(json["violations"][0]["hint"].GetString(), "leave it out");
  EXPECT_EQ(json["violations"][1]["column"].GetInt(), 5);
  EXPECT_EQ(text.find('\n'), text.size() - 1);  // one line

  json.Parse(ErrorJson(absl::AbortedError("etag")).c_str());
  EXPECT_STREQ(json["code"].GetString(), "ABORTED");
  EXPECT_EQ(json["violations"].Size(), 0u);
}

}  // namespace
}  // namespace layered::ctl
