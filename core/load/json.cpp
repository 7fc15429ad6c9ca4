#include "core/load/json.hpp"

#include "core/graph/error.hpp"
#include "core/load/text.hpp"

#include <fmt/format.h>
#include <limits>
#include <unordered_set>

namespace sixrung::load {

std::string_view JsonDocument::raw(const Token &token) const {
  return std::string_view(text_).substr(token.offset, token.size);
}

// torch writes its own field names without escapes.
bool JsonDocument::keyIs(const Token &token, std::string_view key) const {
  return token.kind == Kind::kString && raw(token) == key;
}

namespace {

int hexDigit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

// The four digits after "\u"; -1 when they are none.
int codeUnit(std::string_view text) {
  if (text.size() < 4)
    return -1;
  int value = 0;
  for (int i = 0; i < 4; ++i) {
    int digit = hexDigit(text[i]);
    if (digit < 0)
      return -1;
    value = value * 16 + digit;
  }
  return value;
}

void appendUtf8(uint32_t code, std::string &out) {
  auto put = [&](uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | code >> 6);
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3f));
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

// Replaces escapes; false when one is malformed, or half of a surrogate pair.
bool unescape(std::string_view raw, std::string &out) {
  out.reserve(raw.size());
  for (size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\') {
      out += raw[i];
      continue;
    }
    if (++i == raw.size())
      return false;
    constexpr std::string_view kFrom = "\"\\/bfnrt", kTo = "\"\\/\b\f\n\r\t";
    if (auto simple = kFrom.find(raw[i]); simple != kFrom.npos) {
      out += kTo[simple];
      continue;
    }
    if (raw[i] != 'u')
      return false;
    int code = codeUnit(raw.substr(i + 1));
    if (code < 0)
      return false;
    i += 4;
    if (code >= 0xd800 && code < 0xe000) {
      int low = raw.substr(i + 1, 2) == "\\u" ? codeUnit(raw.substr(i + 3)) : -1;
      if (code >= 0xdc00 || low < 0xdc00 || low >= 0xe000)
        return false;
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      i += 6;
    }
    appendUtf8(static_cast<uint32_t>(code), out);
  }
  return true;
}

} // namespace

bool Json::isNull() const { return document_->tokens_[index_].kind == JsonDocument::Kind::kNull; }
bool Json::isObject() const { return document_->tokens_[index_].kind == JsonDocument::Kind::kObject; }
bool Json::isArray() const { return document_->tokens_[index_].kind == JsonDocument::Kind::kArray; }

bool Json::boolean() const {
  auto kind = document_->tokens_[index_].kind;
  if (kind != JsonDocument::Kind::kTrue && kind != JsonDocument::Kind::kFalse)
    fail("true or false is expected");
  return kind == JsonDocument::Kind::kTrue;
}

int64_t Json::integer() const {
  const auto &token = document_->tokens_[index_];
  if (token.kind != JsonDocument::Kind::kInteger)
    fail("an integer of 64 bits is expected");
  return token.integer;
}

double Json::real() const {
  const auto &token = document_->tokens_[index_];
  if (token.kind == JsonDocument::Kind::kReal)
    return token.real;
  if (token.kind == JsonDocument::Kind::kInteger)
    return static_cast<double>(token.integer);
  if (document_->keyIs(token, "Infinity"))
    return std::numeric_limits<double>::infinity();
  if (document_->keyIs(token, "-Infinity"))
    return -std::numeric_limits<double>::infinity();
  if (document_->keyIs(token, "NaN"))
    return std::numeric_limits<double>::quiet_NaN();
  fail("a number is expected");
}

std::string Json::string() const {
  const auto &token = document_->tokens_[index_];
  std::string out;
  if (token.kind == JsonDocument::Kind::kString)
    out = document_->raw(token);
  else if (token.kind != JsonDocument::Kind::kEscapedString)
    fail("a string is expected");
  else if (!unescape(document_->raw(token), out))
    fail("the string has a malformed escape");
  if (!isUtf8(out) || out.find('\0') != out.npos)
    fail("the string is not UTF-8 text");
  return out;
}

std::optional<Json> Json::find(std::string_view key) const {
  const auto &tokens = document_->tokens_;
  if (!isObject())
    fail("an object is expected");
  for (uint32_t i = index_ + 1; i < tokens[index_].next;) {
    uint32_t value = i + 1;
    if (document_->keyIs(tokens[i], key)) {
      if (tokens[value].kind == JsonDocument::Kind::kNull)
        return std::nullopt;
      return Json(document_, value);
    }
    i = tokens[value].next;
  }
  return std::nullopt;
}

Json Json::at(std::string_view key) const {
  if (auto found = find(key))
    return *found;
  fail(fmt::format("the field '{}' is missing", key));
}

std::vector<Json> Json::elements() const {
  if (!isArray())
    fail("an array is expected");
  const auto &tokens = document_->tokens_;
  std::vector<Json> out;
  for (uint32_t i = index_ + 1; i < tokens[index_].next; i = tokens[i].next)
    out.push_back(Json(document_, i));
  return out;
}

std::vector<std::pair<std::string, Json>> Json::members() const {
  if (!isObject())
    fail("an object is expected");
  const auto &tokens = document_->tokens_;
  std::vector<std::pair<std::string, Json>> out;
  for (uint32_t i = index_ + 1; i < tokens[index_].next; i = tokens[i + 1].next)
    out.emplace_back(Json(document_, i).string(), Json(document_, i + 1));
  std::unordered_set<std::string_view> keys;
  for (const auto &[key, value] : out)
    if (!keys.insert(key).second)
      fail(fmt::format("the key '{}' stands twice", printable(key)));
  return out;
}

std::pair<std::string_view, Json> Json::alternative() const {
  const auto &tokens = document_->tokens_;
  if (!isObject())
    fail("an object with one member is expected");
  uint32_t end = tokens[index_].next;
  if (end == index_ + 1 || tokens[index_ + 2].next != end)
    fail("an object with exactly one member is expected");
  return {document_->raw(tokens[index_ + 1]), Json(document_, index_ + 2)};
}

std::string Json::path() const {
  const auto &tokens = document_->tokens_;
  std::string out = document_->label_;
  std::string separator = ": ";
  for (uint32_t at = 0; at != index_;) { // descend into the child that spans the value
    bool object = tokens[at].kind == JsonDocument::Kind::kObject;
    uint32_t child = at + 1, key = child;
    for (size_t position = 0;; ++position) {
      key = child;
      if (object) {
        if (key == index_) // a key itself
          return out;
        ++child;
      }
      if (index_ < tokens[child].next) {
        out += object ? separator + printable(document_->raw(tokens[key])) : fmt::format("[{}]", position);
        break;
      }
      child = tokens[child].next;
    }
    separator = ".";
    at = child;
  }
  return out;
}

void Json::fail(const std::string &why) const {
  throw Error(ErrorKind::kInvalidInput, fmt::format("{}: {}", path(), why))
      .with("hint", "the archive is damaged or was not written by torch.export.save");
}

} // namespace sixrung::load
