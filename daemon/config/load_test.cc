// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/load.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "daemon/config/json_tree.h"
#include "daemon/config/layer_json.h"
#include "daemon/config/validate.h"
#include "daemon/config/violation.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"

namespace layered {
namespace {

constexpr char kGood[] = R"({"layers":[
 {"name":"web","match":["cgroup=/web/* and not kthread","comm=nginx*"],"weight":300,"slice":"5ms"},
 {"name":"default","kind":"open","match":["all"]}]})";

Violations Faults(const std::string& text) {
  const auto set = ParseLayerSet(text);
  EXPECT_FALSE(set.ok()) << text;
  if (set.ok()) return {};
  EXPECT_EQ(set.status().code(), absl::StatusCode::kInvalidArgument);
  return FromStatus(set.status());
}

// A set of which everything but the first layer's members is right.
std::string WithFirst(const std::string& members) {
  return "{\"layers\":[\n{" + members + "},\n{\"name\":\"default\",\"match\":[\"all\"]}]}";
}

TEST(ParseLayerSetTest, TheExampleOfTheManual) {
  const auto set = ParseLayerSet(kGood);
  ASSERT_TRUE(set.ok()) << set.status();
  ASSERT_EQ(set->layers_size(), 2);
  EXPECT_EQ(set->layers(0).match_size(), 2);
  EXPECT_EQ(set->layers(0).weight(), 300u);
  EXPECT_FALSE(set->layers(1).has_weight());
}

// Each mistake alone gives one message with its path, line and column.
TEST(ParseLayerSetTest, OneMistakeOneMessage) {
  struct Case {
    std::string text, field, description, hint;
    int line, column;
  };
  const std::string all = R"({"name":"default","match":["all"]})";
  const Case cases[] = {
      {WithFirst(R"("name":"a","match":["uid=0"],"wieght":5)"), "layers[0].wieght", "unknown key",
       "did you mean 'weight'?", 2, 31},
      {WithFirst(R"("nmae":"a","match":["uid=0"])"), "layers[0].nmae", "unknown key",
       "did you mean 'name'?", 2, 2},
      {WithFirst(R"("name":"a","mtach":["uid=0"])"), "layers[0].mtach", "unknown key",
       "did you mean 'match'?", 2, 13},
      {"{\"layres\":[" + all + "]}", "layres", "unknown key", "did you mean 'layers'?", 1, 2},
      {WithFirst(R"("name":"a","match":["uid in 9..5"])"), "layers[0].match[0]", "9..5 is reversed",
       "smaller", 2, 30},
      {WithFirst(R"("name":"a","match":[{"terms":[{"uid":{"min":9,"max":5}}]}])"),
       "layers[0].match[0].terms[0]", "9..5 is reversed", "smaller", 2, 32},
      {WithFirst(R"("name":"default","match":["uid=0"])"), "layers[1].name",
       "already the name of layers[0]", "unique", 3, 9},
      {WithFirst(R"("name":"a","name":"b","match":["uid=0"])"), "layers[0].name", "given twice", "",
       2, 13},
      {WithFirst("\"name\":\"" + std::string(64, 'x') + "\",\"match\":[\"uid=0\"]"),
       "layers[0].name", "has 64 bytes, the limit is 63", "", 2, 9},
      {R"({"layers":[{"name":"a","match":["uid=0"]}]})", "layers", "no catch-all", "last layer", 1,
       11},
      {WithFirst(R"("name":"a","match":["all"])"), "layers[0].match", "only one catch-all", "", 2,
       21},
      {"{\"layers\":[" + all + ",\n{\"name\":\"a\",\"match\":[\"uid=0\"]}]}", "layers[0].match",
       "must be the last", "move it", 1, 38},
      {WithFirst(R"("name":"a","match":[])"), "layers[0].match", "there is no match", "such as", 2,
       21},
      {WithFirst(R"("name":"a")"), "layers[0].match", "there is no match", "such as", 2, 1},
      {WithFirst(R"("match":["uid=0"])"), "layers[0].name", "missing", "", 2, 1},
      {WithFirst(R"("name":"a","match":["uid=0"],"weight":NaN)"), "", "expected a value", "finite",
       2, 40},
      {WithFirst(R"("name":"a","match":["uid=0"],"weight":1e999)"), "", "number is too large", "",
       2, 40},
      {WithFirst(R"("name":"a","match":["comm=sixteen-bytes-xx"])"), "layers[0].match[0]",
       "has 16 bytes, the kernel keeps only 15", "'sixteen-bytes-x'", 2, 28},
      {WithFirst(R"("name":"a","match":["uid=0"],"weight":0)"), "layers[0].weight",
       "0 is out of range 1..10000", "", 2, 40},
      {WithFirst(R"("name":"a","match":["uid=0"],"weight":10001)"), "layers[0].weight",
       "10001 is out of range 1..10000", "", 2, 40},
      {WithFirst(R"("name":"a","match":["uid=0"],"weight":-1)"), "layers[0].weight",
       "'-1' is out of range", "", 2, 40},
      {WithFirst(R"("name":"a","match":["uid=0"],"weight":"5")"), "layers[0].weight",
       "expected a whole number", "without quotes", 2, 40},
      {WithFirst(R"("name":"a","match":["uid=0"],"slice":"1s")"), "layers[0].slice",
       "1s is out of range 500us..100ms", "", 2, 39},
      {WithFirst(R"("name":"a","match":["uid=0"],"slice":5)"), "layers[0].slice",
       "expected a duration", "5ms", 2, 39},
      {WithFirst(R"("name":"a","kind":"confined","match":["uid=0"])"), "layers[0].kind",
       "'confined' is not one of open", "", 2, 20},
      {"", "", "the text is empty", "the form is", 0, 0},
      {" \n", "", "the text is empty", "the form is", 0, 0},
      {"[]", "", "expected an object, found an array", "{\"layers\": [", 1, 1},
      {"[" + all + "]", "", "expected an object, found an array", "{\"layers\": [", 1, 1},
      {"\"web\"", "", "expected an object, found a string", "the form is", 1, 1},
      {"{}", "layers", "there are no layers", "catch-all", 1, 1},
      {"{\"layers\":[]}", "layers", "there are no layers", "catch-all", 1, 11},
      {"{\"layers\":{}}", "layers", "expected an array, found an object", "", 1, 11},
      {"{\"layers\":null}", "layers", "expected an array, found null", "leave the key out", 1, 11},
      {"{\"layers\":[5," + all + "]}", "layers[0]", "expected an object, found a number", "", 1,
       12},
      {"{\"layers\":[" + all, "", "ends too early", "", 1, 46},
      {WithFirst("\"name\":\"a\\u0000b\",\"match\":[\"uid=0\"]"), "", "NUL", "", 2, 9},
      {WithFirst("\"name\":\"a\xff\",\"match\":[\"uid=0\"]"), "", "not valid UTF-8", "", 2, 11},
      {std::string(10 << 20, ' '), "", "has 10485760 bytes, the limit is 1048576", "", 0, 0},
  };
  for (const Case& c : cases) {
    const std::string shown = c.text.substr(0, 200);
    const Violations faults = Faults(c.text);
    ASSERT_FALSE(faults.empty()) << shown;
    // A NUL in a name is also a control character in it: two tellings of one fault are allowed
    // there.
    if (c.description != "NUL") {
      EXPECT_EQ(faults.size(), 1u) << shown << "\n" << ToString(faults[1 % faults.size()]);
    }
    EXPECT_EQ(faults[0].field, c.field) << shown << "\n" << ToString(faults[0]);
    EXPECT_NE(faults[0].description.find(c.description), std::string::npos) << ToString(faults[0]);
    EXPECT_NE(faults[0].hint.find(c.hint), std::string::npos) << ToString(faults[0]);
    EXPECT_EQ(faults[0].line, c.line) << shown << "\n" << ToString(faults[0]);
    EXPECT_EQ(faults[0].column, c.column) << shown << "\n" << ToString(faults[0]);
  }
}

TEST(ParseLayerSetTest, FiveMistakesFiveMessages) {
  const Violations faults = Faults(R"({"layers":[
    {"name":"a","match":["uid in 9..5"],"wieght":5},
    {"name":"b","match":["comm=sixteen-bytes-xx"]},
    {"name":"b","match":["uid=0"],"weight":10001},
    {"name":"c","match":["uid=1"]}]})");
  std::vector<std::string> fields;
  std::vector<int> lines;
  for (const Violation& fault : faults) {
    fields.push_back(fault.field);
    lines.push_back(fault.line);
  }
  // The sixth, a missing catch-all, may be one of the matches that could not be read.
  EXPECT_EQ(fields,
            (std::vector<std::string>{"layers[0].match[0]", "layers[0].wieght",
                                      "layers[1].match[0]", "layers[2].name", "layers[2].weight"}));
  EXPECT_EQ(lines, (std::vector<int>{2, 2, 3, 4, 4}));
}

TEST(ParseLayerSetTest, NoCatchAllIsToldBesideOtherMistakes) {
  const Violations faults = Faults(R"({"layers":[{"name":"a","match":["uid=0"],"weight":"5"}]})");
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_EQ(faults[0].field, "layers");
  EXPECT_EQ(faults[1].field, "layers[0].weight");
}

TEST(ParseLayerSetTest, NothingButFaultsIsBounded) {
  std::string text = "{\"layers\":[";
  for (int i = 0; i < 20000; ++i) text += "{\"x\":1},";
  const Violations faults = Faults(text + "{}]}");
  ASSERT_EQ(faults.size(), 1001u);
  EXPECT_NE(faults.back().description.find("too many faults"), std::string::npos);
}

TEST(ParseLayerSetTest, ManyFaultyExpressionsAreBounded) {
  std::string one_text = "u";
  while (one_text.size() < 60000) one_text += " or u and u=1";
  std::string text = "{\"layers\":[{\"name\":\"a\",\"match\":[\"" + one_text + "\"";
  while (text.size() < kMaxJsonBytes - 100) text += ",\"x\\u0041=\"";
  EXPECT_EQ(Faults(text + "]}]}").size(), 1001u);
}

TEST(ParseLayerSetTest, AnyChangeOfATextIsAcceptedOrRefusedWithAReason) {
  const std::string seed = kGood;
  std::mt19937 random(5);
  int accepted = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string text = seed;
    for (unsigned n = random() % 3 + 1; n > 0; --n) {
      const size_t at = random() % text.size();
      if (random() % 2 == 0) {
        text[at] = static_cast<char>(random());
      } else {
        text.erase(at, 1);
      }
    }
    const auto set = ParseLayerSet(text);
    if (set.ok()) {
      ++accepted;
      ASSERT_TRUE(ValidateLayerSet(*set).empty()) << text;
      const auto back = ParseLayerSet(LayerSetToJson(*set));
      ASSERT_TRUE(back.ok()) << back.status() << LayerSetToJson(*set);
      ASSERT_TRUE(google::protobuf::util::MessageDifferencer::Equals(*set, *back)) << text;
    } else {
      ASSERT_FALSE(FromStatus(set.status()).empty()) << text;
      for (const Violation& fault : FromStatus(set.status())) {
        ASSERT_EQ(ToString(fault).find('\n'), std::string::npos) << ToString(fault);
      }
    }
  }
  EXPECT_GT(accepted, 50);
}

class LoadFileTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/load.XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    unlink(File().c_str());
    rmdir(folder_.c_str());
  }

  std::string File() const { return folder_ + "/layers.json"; }
  void Write(const std::string& text) { std::ofstream(File(), std::ios::binary) << text; }

  std::string folder_;
};

TEST_F(LoadFileTest, AGoodFile) {
  Write(kGood);
  const auto set = LoadLayerSetFile(File());
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_EQ(set->layers_size(), 2);
}

TEST_F(LoadFileTest, FaultsNameTheFileAndCarryViolations) {
  Write("{\"layers\":[]}");
  const absl::Status status = LoadLayerSetFile(File()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(std::string(status.message()).rfind(File() + ": layers: there are no layers", 0), 0u)
      << status;
  EXPECT_EQ(FromStatus(status).size(), 1u);
}

TEST_F(LoadFileTest, EachKindOfUnusableFileHasItsOwnWords) {
  const auto fault = [](const std::string& path, absl::StatusCode code) {
    const absl::Status status = LoadLayerSetFile(path).status();
    EXPECT_EQ(status.code(), code) << status;
    EXPECT_EQ(FromStatus(status).size(), 1u);
    const std::string message(status.message());
    EXPECT_NE(message.find(path), std::string::npos) << message;
    return message;
  };
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(fault(File(), absl::StatusCode::kNotFound), "no such file"));
  EXPECT_TRUE(has(fault(folder_, kInvalid), "is a directory"));
  EXPECT_TRUE(has(fault("", kInvalid), "path of the file is empty"));
  EXPECT_TRUE(has(fault("/dev/null", kInvalid), "not a regular file"));
  Write("");
  EXPECT_TRUE(has(fault(File(), kInvalid), "the text is empty"));
  EXPECT_TRUE(has(fault(File() + "/x", kInvalid), "cannot be opened"));
  Write(std::string(10 << 20, 'x'));
  EXPECT_TRUE(has(fault(File(), kInvalid), "has 10485760 bytes, the limit is 1048576"));
  Write(std::string(kMaxJsonBytes, ' '));
  EXPECT_TRUE(has(fault(File(), kInvalid), "the text is empty"));
  unlink(File().c_str());
  ASSERT_EQ(mkfifo(File().c_str(), 0600), 0);  // without a writer: must not wait
  EXPECT_TRUE(has(fault(File(), kInvalid), "not a regular file"));
  // A file that may not be read: root may read any, but nobody opens a loop of links.
  unlink(File().c_str());
  ASSERT_EQ(symlink("layers.json", File().c_str()), 0);
  EXPECT_TRUE(has(fault(File(), kInvalid), "cannot be opened"));
}

TEST(DefaultLayerSetTest, OneOpenCatchAll) {
  const v1::LayerSet set = DefaultLayerSet();
  EXPECT_TRUE(ValidateLayerSet(set).empty());
  ASSERT_EQ(set.layers_size(), 1);
  EXPECT_EQ(set.layers(0).name(), "default");
  EXPECT_EQ(set.layers(0).kind(), v1::LAYER_KIND_OPEN);
}

}  // namespace
}  // namespace layered
