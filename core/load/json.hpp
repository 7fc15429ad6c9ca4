// JSON of untrusted archives: one linear pass into a flat tape, bounded in depth and size, strings left
// in place until they are read. A model's JSON is mostly metadata nobody reads, so this is several times
// faster than building a tree of it, and every error knows its place ("graph.nodes[3].target").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sixrung::load {

class JsonDocument;

// A value of a document that outlives it. Readers throw Error(kInvalidInput) naming the place.
class Json {
public:
  Json() = default;

  bool isNull() const;
  bool isObject() const;
  bool isArray() const;

  bool boolean() const;
  int64_t integer() const;
  double real() const;        // also "Infinity", "-Infinity" and "NaN", as torch writes them
  std::string string() const; // valid UTF-8 without NUL

  Json at(std::string_view key) const;                  // the member, which must be there
  std::optional<Json> find(std::string_view key) const; // none when absent or null

  std::vector<Json> elements() const;                        // of an array
  std::vector<std::pair<std::string, Json>> members() const; // of an object, keys unique
  // The tag and value of a union, which torch writes as an object of one member.
  std::pair<std::string_view, Json> alternative() const;

  std::string path() const;
  [[noreturn]] void fail(const std::string &why) const;

private:
  friend class JsonDocument;
  Json(const JsonDocument *document, uint32_t index) : document_(document), index_(index) {}
  const JsonDocument *document_ = nullptr;
  uint32_t index_ = 0;
};

class JsonDocument {
public:
  // `label` names the document in errors, as "models/model.json".
  JsonDocument(std::string label, std::string text);
  JsonDocument(const JsonDocument &) = delete;
  JsonDocument &operator=(const JsonDocument &) = delete;

  Json root() const { return Json(this, 0); }

private:
  friend class Json;
  friend class JsonScanner;
  enum class Kind : uint8_t {
    kNull,
    kFalse,
    kTrue,
    kInteger,
    kReal,
    kString,
    kEscapedString,
    kArray,
    kObject
  };
  struct Token {
    Kind kind = Kind::kNull;
    uint32_t next = 0; // the token after this value
    uint32_t size = 0; // bytes of a string as written
    union {
      int64_t integer = 0;
      double real;
      uint64_t offset; // of a string in the text
    };
  };

  std::string_view raw(const Token &token) const;
  bool keyIs(const Token &token, std::string_view key) const;

  std::string label_;
  std::string text_;
  std::vector<Token> tokens_; // an object's members are its key and value tokens in turn
};

} // namespace sixrung::load
