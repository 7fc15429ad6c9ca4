#include "core/graph/error.hpp"
#include "core/load/json.hpp"
#include "core/load/text.hpp"

#include <cmath>
#include <gtest/gtest.h>

using namespace sixrung;
using namespace sixrung::load;

TEST(Json, ReadsValues) {
  JsonDocument document("doc",
                        R"( {"a": [1, -2, 0.5, 1e3, true, false, null, "x"], "b": {"c": {}}, "d": []} )");
  Json root = document.root();
  auto elements = root.at("a").elements();
  ASSERT_EQ(elements.size(), 8u);
  EXPECT_EQ(elements[0].integer(), 1);
  EXPECT_EQ(elements[1].integer(), -2);
  EXPECT_EQ(elements[2].real(), 0.5);
  EXPECT_EQ(elements[3].real(), 1000);
  EXPECT_TRUE(elements[4].boolean());
  EXPECT_FALSE(elements[5].boolean());
  EXPECT_TRUE(elements[6].isNull());
  EXPECT_EQ(elements[7].string(), "x");
  EXPECT_EQ(root.members().size(), 3u);
  EXPECT_TRUE(root.at("b").at("c").members().empty());
  EXPECT_TRUE(root.at("d").elements().empty());
  EXPECT_FALSE(root.find("e"));
  EXPECT_EQ(root.at("b").alternative().first, "c");
}

TEST(Json, NumbersKeepTheirKind) {
  JsonDocument document(
      "doc", R"([9223372036854775807, -9223372036854775808, 9223372036854775808, NaN, -Infinity])");
  auto elements = document.root().elements();
  EXPECT_EQ(elements[0].integer(), INT64_MAX);
  EXPECT_EQ(elements[1].integer(), INT64_MIN);
  EXPECT_THROW(elements[2].integer(), Error);
  EXPECT_EQ(elements[2].real(), 9223372036854775808.0);
  EXPECT_TRUE(std::isnan(elements[3].real()));
  EXPECT_EQ(elements[4].real(), -INFINITY);
}

TEST(Json, Escapes) {
  JsonDocument document(
      "doc", R"(["\"\\\/\b\f\n\r\t", "\u0041\u00e9\u20ac\ud83d\ude00", "\x", "\u12", "\udc00", "\ud83dx"])");
  auto elements = document.root().elements();
  EXPECT_EQ(elements[0].string(), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(elements[1].string(), "A\u00e9\u20ac\U0001f600");
  for (size_t i = 2; i < elements.size(); ++i)
    EXPECT_THROW(elements[i].string(), Error) << i;
}

TEST(Json, PathsLeadToTheValue) {
  JsonDocument document("doc", R"({"a": [{"b": 1}, {"b": [2, {"c": 3}]}]})");
  Json c = document.root().at("a").elements()[1].at("b").elements()[1].at("c");
  EXPECT_EQ(c.path(), "doc: a[1].b[1].c");
  EXPECT_EQ(document.root().path(), "doc");
}

TEST(Json, RefusesWhatIsNone) {
  for (const char *text :
       {"",         " ",          "{",     "}",     "[",   "[1",    "[1,", "[1,]",  "{\"a\"}",
        "{\"a\":}", "{\"a\":1,}", "{1:2}", "{a:1}", "1 2", "[1 2]", "\"",  "\"a",   "\"\\",
        "\"\\\"",   "tru",        "nul",   "+1",    ".5",  "-",     "1e",  "1e999", "1-2",
        "--1",      "0x1",        "'a'",   "inf",   "nan", "[}",    "{]"})
    EXPECT_THROW(JsonDocument("doc", text), Error) << text;
}

TEST(Json, DepthIsBounded) {
  for (const char *open : {"[", "{\"a\":"}) {
    std::string deep;
    for (int i = 0; i < 1000000; ++i)
      deep += open;
    EXPECT_THROW(JsonDocument("doc", deep), Error);
  }
}

TEST(Text, Utf8) {
  EXPECT_TRUE(isUtf8("a\u00e9\u20ac\U0001f600"));
  for (const char *bad : {"\x80", "\xc0\x80", "\xc3", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80",
                          "\xf4\x90\x80\x80", "\xff", "a\xe2\x82"})
    EXPECT_FALSE(isUtf8(bad)) << printable(bad);
  EXPECT_TRUE(isUtf8(printable(std::string("a\0b\xff\n\u00e9", 7))));
  EXPECT_EQ(printable("a\xff\n"), "a\\xff\\x0a");
  EXPECT_LT(printable(std::string(100000, 'x')).size(), 200u);
}
