#include "core/graph/spelling.hpp"

#include <gtest/gtest.h>

using namespace sixrung::graph;

TEST(Printable, ShowsControlCharactersInsteadOfSendingThem) {
  EXPECT_EQ(printable("a\x1b[31mb"), "a\\x1b[31mb");
  EXPECT_EQ(printable(std::string("nul\0 bel\a cr\r del\x7f", 18)), "nul\\x00 bel\\x07 cr\\x0d del\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m \xc2\x85"),
            "\\x9b31m \\x85"); // the controls of 8 bits, as UTF-8
}

TEST(Printable, LeavesTextAsItIs) {
  for (const char *text : {"", "line\n\tindented", "\xc3\xa9t\xc3\xa9 \xe2\x86\x92 \xc2\xa0", "cut \xc2"})
    EXPECT_EQ(printable(text), text);
}
