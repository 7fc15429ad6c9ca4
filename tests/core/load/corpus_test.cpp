// What the fuzz targets run on and have found: each input loads or gives a sixrung::Error.
#include "core/graph/symbolic.hpp"
#include "pt2_builder.hpp"

#include <filesystem>
#include <gtest/gtest.h>

using namespace sixrung;

namespace {

template <typename Run> size_t each(const char *folder, Run run) {
  size_t count = 0;
  for (const auto &file :
       std::filesystem::directory_iterator(std::string(SIXRUNG_TEST_DATA) + "/../fuzz/corpus/" + folder)) {
    SCOPED_TRACE(file.path().filename().string());
    EXPECT_NO_THROW(run(test::readFile(file.path().string())));
    ++count;
  }
  return count;
}

} // namespace

TEST(Corpus, Archives) {
  EXPECT_GT(each("archive", [](const std::string &bytes) { test::failure(bytes); }), 0u);
}

TEST(Corpus, Programs) {
  auto run = [](const std::string &text) {
    test::Pt2 pt2 = test::Pt2::minimal();
    size_t cut = text.find('\x1e');
    pt2.entry("models/model.json").content = text.substr(0, cut);
    if (cut != text.npos)
      pt2.entry("weights_config.json").content = text.substr(cut + 1);
    test::failure(pt2.bytes());
  };
  EXPECT_GT(each("program", run), 0u);
}

TEST(Corpus, SymbolicExpressions) {
  auto run = [](const std::string &text) {
    try {
      graph::toString(*graph::parseSrepr(text));
    } catch (const Error &) {
    }
  };
  EXPECT_GT(each("srepr", run), 0u);
}
