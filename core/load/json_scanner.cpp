// The one pass over JSON text.
#include "core/graph/error.hpp"
#include "core/load/json.hpp"
#include "core/load/text.hpp"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace sixrung::load {

namespace {
// torch nests about ten levels a subgraph.
constexpr unsigned kMaxDepth = 512;
// The largest models stay far below; token indices and string sizes are 32 bits.
constexpr size_t kMaxText = size_t{1} << 30;
// A hundred thousand nodes take about 15 million tokens; "[0,0,0..." must not take 12 bytes for each of its.
constexpr size_t kMaxTokens = size_t{64} << 20;
} // namespace

class JsonScanner {
public:
  explicit JsonScanner(JsonDocument &document) : document_(document), text_(document.text_) {}

  void run() {
    if (text_.size() > kMaxText)
      fail(fmt::format("it has {} bytes; at most {} are read", text_.size(), kMaxText));
    document_.tokens_.reserve(text_.size() / 16);
    value(0);
    skipSpace();
    if (at_ != text_.size())
      fail("something follows the value");
  }

private:
  using Kind = JsonDocument::Kind;

  [[noreturn]] void fail(const std::string &why) const {
    throw Error(ErrorKind::kInvalidInput,
                fmt::format("{} is no valid JSON: {}, at byte {}", document_.label_, why, at_))
        .with("hint", "the archive is damaged; save it again with torch.export.save");
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skipSpace() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }
  bool take(char c) {
    skipSpace();
    if (at_ == text_.size() || text_[at_] != c)
      return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c))
      fail(fmt::format("'{}' is expected", c));
  }
  bool takeWord(std::string_view word) {
    if (text_.substr(at_, word.size()) != word)
      return false;
    at_ += word.size();
    return true;
  }

  size_t push(Kind kind) {
    auto &tokens = document_.tokens_;
    if (tokens.size() == kMaxTokens)
      fail(fmt::format("it has more than {} values", kMaxTokens));
    tokens.emplace_back();
    tokens.back().kind = kind;
    tokens.back().next = static_cast<uint32_t>(tokens.size());
    return tokens.size() - 1;
  }
  void close(size_t token) {
    document_.tokens_[token].next = static_cast<uint32_t>(document_.tokens_.size());
  }

  void value(unsigned depth) {
    if (depth > kMaxDepth)
      fail(fmt::format("it nests deeper than {}", kMaxDepth));
    skipSpace();
    switch (peek()) {
    case '{':
      return object(depth);
    case '[':
      return array(depth);
    case '"':
      return string();
    default:
      if (takeWord("null"))
        push(Kind::kNull);
      else if (takeWord("true"))
        push(Kind::kTrue);
      else if (takeWord("false"))
        push(Kind::kFalse);
      else if (takeWord("NaN")) // Python writes these three though JSON has none of them
        real(std::numeric_limits<double>::quiet_NaN());
      else if (takeWord("Infinity"))
        real(std::numeric_limits<double>::infinity());
      else if (takeWord("-Infinity"))
        real(-std::numeric_limits<double>::infinity());
      else
        number();
    }
  }

  void object(unsigned depth) {
    size_t token = push(Kind::kObject);
    ++at_;
    if (!take('}')) {
      do {
        skipSpace();
        if (peek() != '"')
          fail("a key is expected");
        string();
        expect(':');
        value(depth + 1);
      } while (take(','));
      expect('}');
    }
    close(token);
  }

  void array(unsigned depth) {
    size_t token = push(Kind::kArray);
    ++at_;
    if (!take(']')) {
      do
        value(depth + 1);
      while (take(','));
      expect(']');
    }
    close(token);
  }

  void string() {
    size_t begin = ++at_;
    bool escaped = false;
    for (;; ++at_) {
      if (at_ >= text_.size())
        fail("a string is not closed");
      char c = text_[at_];
      if (c == '"')
        break;
      if (c == '\\') {
        escaped = true;
        ++at_;
      }
    }
    size_t token = push(escaped ? Kind::kEscapedString : Kind::kString);
    document_.tokens_[token].size = static_cast<uint32_t>(at_ - begin);
    document_.tokens_[token].offset = begin;
    ++at_;
  }

  void real(double value) {
    size_t token = push(Kind::kReal);
    document_.tokens_[token].real = value;
  }

  void number() {
    size_t begin = at_;
    bool whole = true;
    if (peek() == '-')
      ++at_;
    if (peek() < '0' || peek() > '9') // from_chars would also take "inf" and ".5"
      fail("a value is expected");
    while (at_ < text_.size()) {
      char c = text_[at_];
      if (c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-')
        whole = false;
      else if (c < '0' || c > '9')
        break;
      ++at_;
    }
    const char *first = text_.data() + begin, *last = text_.data() + at_;
    if (whole) {
      int64_t value = 0;
      auto [end, error] = std::from_chars(first, last, value);
      if (error == std::errc() && end == last) {
        size_t token = push(Kind::kInteger);
        document_.tokens_[token].integer = value;
        return;
      }
    }
    double value = 0;
    auto [end, error] = std::from_chars(first, last, value);
    if (error == std::errc::invalid_argument || end != last)
      fail("a number is malformed");
    if (error == std::errc::result_out_of_range) // "1e999"
      fail("a number is out of range");
    real(value);
  }

  JsonDocument &document_;
  std::string_view text_;
  size_t at_ = 0;
};

JsonDocument::JsonDocument(std::string label, std::string text)
    : label_(std::move(label)), text_(std::move(text)) {
  JsonScanner(*this).run();
}

} // namespace sixrung::load
