// Thousands of damaged archives, the same ones every run: each loads or gives a sixrung::Error.
#include "pt2_builder.hpp"

#include <gtest/gtest.h>
#include <random>

using namespace sixrung;
using sixrung::test::Pt2;

namespace {

const char *const kFixtures[] = {"constants.pt2", "control.pt2", "control_decomposed.pt2", "arguments.pt2"};

struct Dice {
  std::mt19937 engine;
  size_t below(size_t end) { return std::uniform_int_distribution<size_t>(0, end - 1)(engine); }
};

// Values that overflow, are of another kind, or point elsewhere.
const char *const kReplacements[] = {"0",
                                     "-1",
                                     "9223372036854775807",
                                     "-9223372036854775808",
                                     "1e400",
                                     "99999999999999999999",
                                     "null",
                                     "true",
                                     "\"x\"",
                                     "\"\"",
                                     "[]",
                                     "{}",
                                     "4294967296",
                                     "0.5",
                                     "\"as_int\"",
                                     "[[[[[[[["};

// Replaces one random value or string of a JSON text.
void spoil(std::string &json, Dice &dice) {
  size_t at = dice.below(json.size());
  size_t begin = json.find_first_of("0123456789\"", at);
  if (begin == json.npos)
    return;
  size_t end = json[begin] == '"' ? json.find('"', begin + 1) : json.find_first_not_of("0123456789.-", begin);
  if (end == json.npos)
    return;
  end += json[end] == '"';
  json.replace(begin, end - begin, kReplacements[dice.below(std::size(kReplacements))]);
}

} // namespace

TEST(Mutation, FlippedBytes) {
  Dice dice{std::mt19937(1)};
  size_t refused = 0, all = 0;
  for (const char *name : kFixtures) {
    const std::string bytes = test::readFile(test::fixturePath(name));
    for (int i = 0; i < 250; ++i) {
      std::string damaged = bytes;
      for (size_t n = 1 + dice.below(4); n-- > 0;)
        damaged[dice.below(damaged.size())] = static_cast<char>(dice.below(256));
      refused += !test::failure(damaged).empty();
      ++all;
    }
  }
  EXPECT_GT(refused, all / 4); // bytes of weights and padding may change without harm
}

TEST(Mutation, FlippedBytesOfTheDirectory) {
  Dice dice{std::mt19937(2)};
  for (const char *name : kFixtures) {
    const std::string bytes = test::readFile(test::fixturePath(name));
    for (int i = 0; i < 250; ++i) {
      std::string damaged = bytes;
      for (size_t n = 1 + dice.below(3); n-- > 0;)
        damaged[damaged.size() - 1 - dice.below(2000)] = static_cast<char>(dice.below(256));
      test::failure(damaged);
    }
  }
}

TEST(Mutation, Truncation) {
  for (const char *name : kFixtures) {
    const std::string bytes = test::readFile(test::fixturePath(name));
    for (size_t size = 0; size < bytes.size(); size += size < 100 || bytes.size() - size < 200 ? 1 : 211)
      EXPECT_NE(test::failure(bytes.substr(0, size)), "") << name << " cut to " << size;
  }
}

TEST(Mutation, ValuesOfJson) {
  Dice dice{std::mt19937(3)};
  for (const char *name : kFixtures) {
    const Pt2 whole = Pt2::fixture(name);
    for (int i = 0; i < 400; ++i) {
      Pt2 damaged = whole;
      const char *record = i % 4   ? "models/model.json"
                           : i % 8 ? "weights_config.json"
                                   : "constants_config.json";
      for (size_t n = 1 + dice.below(3); n-- > 0;)
        spoil(damaged.entry(record).content, dice);
      test::failure(damaged.bytes());
    }
  }
}

TEST(Mutation, SwappedPiecesOfJson) {
  Dice dice{std::mt19937(4)};
  for (const char *name : kFixtures) {
    const Pt2 whole = Pt2::fixture(name);
    for (int i = 0; i < 150; ++i) {
      Pt2 damaged = whole;
      std::string &json = damaged.entry("models/model.json").content;
      size_t from = dice.below(json.size()), length = 1 + dice.below(200), to = dice.below(json.size());
      std::string piece = json.substr(from, length);
      if (i % 2)
        json.erase(from, length);
      json.insert(std::min(to, json.size()), piece);
      test::failure(damaged.bytes());
    }
  }
}
