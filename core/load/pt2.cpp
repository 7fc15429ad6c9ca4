// Archive to program: the first door.
#include "core/graph/error.hpp"
#include "core/load/constants_reader.hpp"
#include "core/load/load.hpp"
#include "core/load/schema_reader.hpp"
#include "core/load/text.hpp"

#include <fmt/format.h>

namespace sixrung::load {
namespace {

constexpr std::string_view kArchiveVersion = "0";

std::string word(const Archive &archive, const char *record) {
  std::string text = archive.read(record);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\0'))
    text.pop_back();
  return text;
}

void checkFormat(const Archive &archive) {
  if (std::string format = word(archive, "archive_format"); format != "pt2")
    throw Error(ErrorKind::kInvalidInput,
                fmt::format("the archive format is '{}'; sixrung reads 'pt2'", printable(format)));
  if (std::string version = word(archive, "archive_version"); version != kArchiveVersion)
    throw Error(ErrorKind::kInvalidInput,
                fmt::format("the archive version is '{}'; sixrung reads version '{}'", printable(version),
                            kArchiveVersion))
        .with("hint", "save the program with a torch this sixrung knows");
  if (archive.has("byteorder"))
    if (std::string order = word(archive, "byteorder"); order != "little")
      throw Error(
          ErrorKind::kInvalidInput,
          fmt::format("the weights are stored '{}' endian; sixrung reads 'little'", printable(order)));
}

// torch.export.save names its one program "model"; package_pt2 may store several under other names.
std::string modelName(const Archive &archive) {
  constexpr std::string_view folder = "models/", suffix = ".json";
  std::vector<std::string> names;
  for (const std::string &record : archive.list(folder, suffix))
    names.push_back(record.substr(folder.size(), record.size() - folder.size() - suffix.size()));
  if (names.empty())
    throw Error(ErrorKind::kInvalidInput, "the archive holds no exported program (no models/*.json)")
        .with("hint", "save one with torch.export.save; compiled AOTInductor packages cannot be converted");
  if (names.size() > 1) {
    std::string all;
    for (size_t i = 0; i < names.size() && i < 8; ++i)
      all += (i ? ", " : "") + printable(names[i]);
    throw Error(ErrorKind::kInvalidInput, fmt::format("the archive holds {} programs ({}{})", names.size(),
                                                      all, names.size() > 8 ? ", ..." : ""))
        .with("hint", "save the one to convert alone, with torch.export.save");
  }
  return names.front();
}

} // namespace

graph::Program readArchive(const Archive &archive) {
  checkFormat(archive);
  std::string model = modelName(archive);
  std::string record = "models/" + model + ".json";
  graph::Program program = [&] {
    JsonDocument document(record, archive.read(record));
    return readProgram(document.root());
  }();
  readConstants(archive, model, program);
  graph::check(program);
  fillSchemaDefaults(program.graph);
  return program;
}

graph::Program loadPt2(const std::string &path) {
  try {
    graph::Program program = readArchive(Archive(path));
    program.archive = path;
    return program;
  } catch (Error &error) {
    throw error.with("file", printable(path));
  } catch (const std::bad_alloc &) {
    throw Error(ErrorKind::kIo, "there is not enough memory to read the archive")
        .with("file", printable(path));
  }
}

} // namespace sixrung::load
