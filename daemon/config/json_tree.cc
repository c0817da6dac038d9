// SPDX-License-Identifier: Apache-2.0
#include "daemon/config/json_tree.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "daemon/config/text.h"
#include "rapidjson/error/en.h"
#include "rapidjson/memorystream.h"
#include "rapidjson/reader.h"

namespace layered {
namespace {

constexpr unsigned kParseFlags = rapidjson::kParseIterativeFlag |
                                 rapidjson::kParseFullPrecisionFlag |
                                 rapidjson::kParseValidateEncodingFlag;

// Offsets to lines and columns; asked with rising offsets it walks the text once.
class PositionFinder {
 public:
  explicit PositionFinder(std::string_view text) : text_(text) {}

  TextPosition At(size_t offset) {
    for (; offset_ < offset && offset_ < text_.size(); ++offset_) {
      const auto byte = static_cast<unsigned char>(text_[offset_]);
      if (byte == '\n') {
        ++position_.line;
        position_.column = 1;
      } else if ((byte & 0xc0) != 0x80) {
        ++position_.column;
      }
    }
    return position_;
  }

 private:
  const std::string_view text_;
  size_t offset_ = 0;
  TextPosition position_{1, 1};
};

// Receives the reader's events and builds the tree. Returning false ends the reading.
class TreeBuilder {
 public:
  // `stream` is where the reader stands; it must not be one that the reader copies.
  TreeBuilder(const std::string& text, const rapidjson::MemoryStream& stream,
              Violations* violations)
      : text_(text), stream_(stream), finder_(text_), violations_(violations) {}

  bool Null() { return Add(JsonKind::kNull) != nullptr; }
  bool Bool(bool value) {
    JsonNode* node = Add(JsonKind::kBool);
    if (node != nullptr) node->boolean = value;
    return node != nullptr;
  }
  bool Int(int value) { return Int64(value); }
  bool Uint(unsigned value) { return Uint64(value); }
  bool Int64(int64_t value) {
    if (value >= 0) return Uint64(static_cast<uint64_t>(value));
    JsonNode* node = Add(JsonKind::kInt);
    if (node != nullptr) node->integer = value;
    return node != nullptr;
  }
  bool Uint64(uint64_t value) {
    JsonNode* node = Add(JsonKind::kUint);
    if (node != nullptr) node->unsigned_integer = value;
    return node != nullptr;
  }
  bool Double(double value) {
    JsonNode* node = Add(JsonKind::kDouble);
    if (node != nullptr) node->number = value;
    return node != nullptr;
  }
  bool RawNumber(const char*, rapidjson::SizeType, bool) { return false; }  // flag not used
  bool String(const char* data, rapidjson::SizeType size, bool) {
    JsonNode* node = Add(JsonKind::kString);
    if (node == nullptr) return false;
    node->string.assign(data, size);
    CheckNul(node->string, node->position);
    return true;
  }
  bool Key(const char* data, rapidjson::SizeType size, bool) {
    const size_t start = NextToken();
    next_ = stream_.Tell();
    JsonMember member{std::string(data, size), finder_.At(start), {}};
    CheckNul(member.key, member.position);
    stack_.back()->members.push_back(std::move(member));
    return true;
  }
  bool StartObject() { return Open(JsonKind::kObject); }
  bool StartArray() { return Open(JsonKind::kArray); }
  bool EndObject(rapidjson::SizeType) { return Close(); }
  bool EndArray(rapidjson::SizeType) { return Close(); }

  // Where the next token begins: the reader does not say where one began, but between two of its
  // events there is nothing but space, commas and colons.
  size_t NextToken() const {
    size_t start = next_;
    while (start < text_.size() && std::strchr(" \t\r\n,:", text_[start]) != nullptr) ++start;
    return start;
  }

  JsonNode TakeRoot() { return std::move(root_); }

  // A limit was passed (and told); the reader's own error is a consequence.
  bool limited() const { return limited_; }

 private:
  // Pointers on the stack stay valid: a container grows only while its last element is no container
  // on the stack.
  JsonNode* Add(JsonKind kind) {
    const size_t start = NextToken();
    // The reader is behind a scalar, but still before the bracket that opens a container.
    const bool container = kind == JsonKind::kArray || kind == JsonKind::kObject;
    next_ = container ? start + 1 : stream_.Tell();
    if (++nodes_ > kMaxJsonNodes) {
      return Limit("more than " + std::to_string(kMaxJsonNodes) + " values");
    }
    JsonNode* node = &root_;
    if (!stack_.empty()) {
      JsonNode* parent = stack_.back();
      node = parent->kind == JsonKind::kArray ? &parent->items.emplace_back()
                                              : &parent->members.back().value;
    }
    node->kind = kind;
    node->offset = start;
    node->position = finder_.At(start);
    return node;
  }

  bool Open(JsonKind kind) {
    if (stack_.size() >= kMaxJsonDepth) {
      Limit("nested more than " + std::to_string(kMaxJsonDepth) + " deep");
      return false;
    }
    JsonNode* node = Add(kind);
    if (node == nullptr) return false;
    stack_.push_back(node);
    return true;
  }

  bool Close() {
    stack_.pop_back();
    next_ = NextToken() + 1;
    return true;
  }

  JsonNode* Limit(const std::string& description) {
    limited_ = true;
    const TextPosition at = finder_.At(NextToken());
    violations_->push_back({"", description, "", at.line, at.column});
    return nullptr;
  }

  void CheckNul(const std::string& string, TextPosition at) {
    if (string.find('\0') == std::string::npos) return;
    violations_->push_back(
        {"", "the string " + Quoted(string) + " holds a NUL character", "", at.line, at.column});
  }

  const std::string& text_;
  const rapidjson::MemoryStream& stream_;
  PositionFinder finder_;
  Violations* const violations_;
  JsonNode root_;
  std::vector<JsonNode*> stack_;
  size_t nodes_ = 0;
  size_t next_ = 0;  // behind the last token
  bool limited_ = false;
};

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

// What people write who take JSON for another language.
std::string SyntaxHint(std::string_view rest, rapidjson::ParseErrorCode code) {
  using namespace rapidjson;  // NOLINT: the names of the error codes
  if (StartsWith(rest, "//") || StartsWith(rest, "/*") || StartsWith(rest, "#")) {
    return "JSON has no comments";
  }
  if (StartsWith(rest, "NaN") || StartsWith(rest, "nan") || StartsWith(rest, "Inf") ||
      StartsWith(rest, "-Inf") || StartsWith(rest, "-inf") || StartsWith(rest, "-NaN")) {
    return "a number must be finite";
  }
  if (StartsWith(rest, "'")) return "strings are in double quotes";
  if (code == kParseErrorObjectMissName && StartsWith(rest, "}")) {
    return "remove the comma before it";
  }
  if (code == kParseErrorObjectMissName) return "keys are strings in double quotes";
  if (code == kParseErrorValueInvalid && (StartsWith(rest, "]") || StartsWith(rest, "}"))) {
    return "remove the comma before it";
  }
  return "";
}

std::string SyntaxDescription(rapidjson::ParseErrorCode code, bool at_end) {
  using namespace rapidjson;  // NOLINT: the names of the error codes
  switch (code) {
    case kParseErrorStringInvalidEncoding:
      return "the string is not valid UTF-8";
    case kParseErrorNumberTooBig:
      return "the number is too large";
    case kParseErrorStringMissQuotationMark:
      return "the string has no closing quote";
    case kParseErrorStringEscapeInvalid:
      return "unknown escape in a string";
    case kParseErrorStringUnicodeEscapeInvalidHex:
      return "\\u needs four hexadecimal digits";
    case kParseErrorStringUnicodeSurrogateInvalid:
      return "half of a \\u surrogate pair";
    default:
      break;
  }
  if (at_end) return "the text ends too early";
  switch (code) {
    case kParseErrorObjectMissName:
      return "expected a key";
    case kParseErrorObjectMissColon:
      return "expected ':' after the key";
    case kParseErrorObjectMissCommaOrCurlyBracket:
      return "expected ',' or '}'";
    case kParseErrorArrayMissCommaOrSquareBracket:
      return "expected ',' or ']'";
    case kParseErrorDocumentRootNotSingular:
      return "expected the end of the text";
    case kParseErrorValueInvalid:
      return "expected a value";
    default:
      return std::string("not JSON: ") + GetParseError_En(code);
  }
}

Violation SyntaxFault(const std::string& text, size_t token, const rapidjson::ParseResult& result) {
  // The reader points behind the beginning of a bad word, number or string in some cases; the
  // beginning is what people look for.
  size_t offset = std::min(result.Offset(), text.size());
  const auto code = result.Code();
  if (code == rapidjson::kParseErrorValueInvalid || code == rapidjson::kParseErrorNumberTooBig ||
      code == rapidjson::kParseErrorStringMissQuotationMark) {
    offset = std::min(token, text.size());
  }
  const TextPosition at = PositionAt(text, offset);
  const std::string_view rest = std::string_view(text).substr(offset);
  // The innermost unclosed thing is not what matters once the text is over.
  return {"", SyntaxDescription(code, rest.empty()), SyntaxHint(rest, code), at.line, at.column};
}

}  // namespace

std::string Describe(JsonKind kind) {
  switch (kind) {
    case JsonKind::kNull:
      return "null";
    case JsonKind::kBool:
      return "a boolean";
    case JsonKind::kInt:
    case JsonKind::kUint:
    case JsonKind::kDouble:
      return "a number";
    case JsonKind::kString:
      return "a string";
    case JsonKind::kArray:
      return "an array";
    case JsonKind::kObject:
      return "an object";
  }
  return "nothing";
}

std::optional<JsonTree> ParseJson(const std::string& text, Violations* violations) {
  const auto refuse = [&](const std::string& description, size_t offset, const std::string& hint) {
    const TextPosition at = PositionAt(text, offset);
    violations->push_back({"", description, hint, at.line, at.column});
    return std::nullopt;
  };
  if (text.size() > kMaxJsonBytes) {
    violations->push_back({"",
                           "the text has " + std::to_string(text.size()) + " bytes, the limit is " +
                               std::to_string(kMaxJsonBytes),
                           "", 0, 0});
    return std::nullopt;
  }
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    violations->push_back({"", "the text is empty", "", 0, 0});
    return std::nullopt;
  }
  if (StartsWith(text, "\xef\xbb\xbf")) {
    return refuse("the text begins with a byte order mark", 0, "save it as plain UTF-8");
  }
  // The reader takes a NUL for the end of the text and would not see what follows.
  const size_t nul = text.find('\0');
  if (nul != std::string::npos) return refuse("a NUL byte", nul, "");

  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::Reader reader;
  TreeBuilder builder(text, stream, violations);
  const rapidjson::ParseResult result = reader.Parse<kParseFlags>(stream, builder);
  if (builder.limited()) return std::nullopt;
  if (result.IsError()) {
    violations->push_back(SyntaxFault(text, builder.NextToken(), result));
    return std::nullopt;
  }
  return JsonTree{text, builder.TakeRoot()};
}

TextPosition PositionAt(std::string_view text, size_t offset) {
  return PositionFinder(text).At(offset);
}

TextPosition PositionInString(const JsonTree& tree, const JsonNode& string, size_t index) {
  const std::string_view text = tree.text;
  size_t offset = string.offset + 1;  // after the quote
  for (size_t i = 0; i < index && offset < text.size() && text[offset] != '"'; ++i) {
    if (text[offset] != '\\') {
      size_t next = offset;
      offset = NextCodePoint(text, &next).has_value() ? next : offset + 1;
    } else if (text.substr(offset + 1, 1) == "u") {
      const std::string_view digits = text.substr(offset + 2, 2);
      const bool pair = !digits.empty() && (digits[0] == 'd' || digits[0] == 'D') &&
                        digits.size() == 2 && std::strchr("89abAB", digits[1]) != nullptr;
      offset += pair ? 12 : 6;
    } else {
      offset += 2;
    }
  }
  // A string holds no raw line break, so the place is on the line of its quote.
  const std::string_view before = text.substr(string.offset, offset - string.offset);
  const auto characters = static_cast<int>(CountCodePoints(before, before.size()));
  return {string.position.line, string.position.column + characters};
}

}  // namespace layered
