// The program as an .aimodel folder. Its main.mlirb is a versioned serialization that only coreai-core
// writes, and bad input aborts that library, so a worker process does it: the host's bytecode goes to
// a scratch file beside the target, the worker saves an asset there, and the asset takes the target's
// place in one step.
#include "../common/staged.hpp"
#include "../common/write.hpp"
#include "process.hpp"
#include "python.hpp"

#include "sixrung/sdk.hpp"

namespace {

using namespace sixrung;
using namespace sixrung::emit;
namespace fs = std::filesystem;

// Replacing a folder destroys what is in it; only an asset may go.
void refuseForeignFolder(const std::string &target) {
  std::error_code error;
  if (!fs::is_directory(target, error) || fs::is_symlink(target, error) || fs::is_empty(target, error))
    return;
  if (!fs::exists(fs::path(target) / "main.mlirb", error) &&
      !fs::exists(fs::path(target) / "metadata.json", error))
    failIo("'" + target + "' is a folder that holds something else than an asset",
           "remove it, or choose another output path");
}

// Writes a scratch file for `target` by `body`, which is given its descriptor.
template <typename Body> void writeFile(const fs::path &file, const std::string &target, Body body) {
  int descriptor = open(file.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (descriptor < 0)
    failIo("cannot write", target, errno);
  try {
    body(descriptor);
  } catch (...) {
    close(descriptor);
    throw;
  }
  if (close(descriptor) != 0)
    failIo("cannot write", target, errno);
}

// Whether the worker's words say that there was no room.
bool isFull(const std::string &words) {
  for (int error : {ENOSPC, EDQUOT})
    if (words.find(std::strerror(error)) != words.npos)
      return true;
  return words.find("enough space") != words.npos; // as Foundation has it
}

bool flag(const Emission &emission, std::string_view name) {
  std::string value = emission.option(name);
  return !value.empty() && value != "0" && value != "false";
}

void save(Emission &emission) {
  std::string path = emission.path();
  InterruptGuard interrupts; // outlives what must be cleaned up
  refuseForeignFolder(path);
  Staged staged(path, Kind::kFolder);
  // Before the weights are written: a missing coreai-core should be told at once.
  std::string python = findPython(emission, Log(staged.path() / "probe.log"));
  fs::path bytecode = staged.path() / "program.mlirb", asset = staged.path() / "asset.aimodel";
  Log log(staged.path() / "worker.log");
  writeFile(bytecode, path,
            [&](int descriptor) { serializeTo(emission, SIXRUNG_FORMAT_BYTECODE, descriptor, path); });

  std::vector<std::string> command = {python};
  for (std::string &argument : workerArguments(emission))
    command.push_back(std::move(argument));
  command.insert(command.end(), {"save", "--bytecode", bytecode.string(), "--out", asset.string()});
  if (flag(emission, "optimize"))
    command.push_back("--optimize");
  if (std::string provenance = emission.option("provenance"); !provenance.empty()) {
    fs::path metadata = staged.path() / "metadata.json";
    writeFile(metadata, path, [&](int descriptor) { writeAll(provenance, descriptor, path); });
    command.insert(command.end(), {"--metadata", metadata.string()});
  }
  Outcome outcome = run(command, log);
  if (InterruptGuard::interrupted())
    failIo("interrupted while saving '" + path + "'");
  if (!outcome.ok())
    failIo("cannot save '" + path + "': the worker (" + python + ") " + outcome.describe() +
               quoted(log.tail()),
           isFull(log.tail()) ? kFullHint
                              : "the program itself can be kept with -o FILE.mlirb, which needs no worker");
  std::error_code error;
  if (!fs::is_regular_file(asset / "main.mlirb", error))
    failIo("cannot save '" + path + "': the worker (" + python + ") reported success and wrote no asset" +
           quoted(log.tail()));
  staged.commit(asset);
}

constexpr EmitterRow kEmitters[] = {{"aimodel", ".aimodel", save}};

} // namespace

SIXRUNG_PLUGIN("org.sixrung.emit.aimodel", "0.1.0", kEmitters);
