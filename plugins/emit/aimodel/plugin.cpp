// The program as an .aimodel folder. Its main.mlirb is a versioned serialization that only coreai-core
// writes, and bad input aborts that library, so a worker process does it: the host's bytecode goes to
// a scratch file beside the target, the worker saves an asset there, and the asset takes the target's
// place in one step.
#include "../common/emission.hpp"
#include "../common/plugin_entry.hpp"
#include "../common/staged.hpp"
#include "process.hpp"
#include "python.hpp"

#include <fstream>

namespace {

using namespace sixrung::emit;
namespace fs = std::filesystem;

// Replacing a folder destroys what is in it; only an asset may go.
void refuseForeignFolder(const std::string &target) {
  std::error_code error;
  if (!fs::is_directory(target, error) || fs::is_symlink(target, error) || fs::is_empty(target, error))
    return;
  if (!fs::exists(fs::path(target) / "main.mlirb", error) &&
      !fs::exists(fs::path(target) / "metadata.json", error))
    throw Failure(SIXRUNG_IO, "'" + target + "' is a folder that holds something else than an asset",
                  "remove it, or choose another output path");
}

void writeBytecode(const sixrung_host *host, sixrung_emission handle, const fs::path &file) {
  int descriptor = open(file.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (descriptor < 0)
    throw ioFailure("cannot write", file.string(), errno);
  try {
    serializeTo(host, handle, SIXRUNG_FORMAT_BYTECODE, descriptor, file.string());
  } catch (...) {
    close(descriptor);
    throw;
  }
  if (close(descriptor) != 0)
    throw ioFailure("cannot write", file.string(), errno);
}

void writeText(const std::string &text, const fs::path &file) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out)
    throw ioFailure("cannot write", file.string(), errno);
}

void save(const sixrung_host *host, sixrung_emission handle, const Emission &emission) {
  refuseForeignFolder(emission.path);
  Staged staged(emission.path, Kind::kFolder);
  // Before the weights are written: a missing coreai-core should be told at once.
  std::string python = findPython(emission, staged.path() / "probe.log");
  fs::path bytecode = staged.path() / "program.mlirb", asset = staged.path() / "asset.aimodel",
           log = staged.path() / "worker.log";
  writeBytecode(host, handle, bytecode);

  std::vector<std::string> command = {python};
  for (std::string &argument : workerArguments(emission))
    command.push_back(std::move(argument));
  command.insert(command.end(), {"save", "--bytecode", bytecode.string(), "--out", asset.string()});
  if (emission.flag("optimize"))
    command.push_back("--optimize");
  if (std::string provenance = emission.option("provenance"); !provenance.empty()) {
    fs::path metadata = staged.path() / "metadata.json";
    writeText(provenance, metadata);
    command.insert(command.end(), {"--metadata", metadata.string()});
  }
  Outcome outcome = run(command, log);
  if (InterruptGuard::interrupted())
    throw Failure(SIXRUNG_IO, "interrupted while saving '" + emission.path + "'");
  if (!outcome.ok()) {
    Failure failure(SIXRUNG_IO,
                    "cannot save '" + emission.path + "': the worker (" + python + ") " + outcome.describe(),
                    "the program itself can be kept with -o FILE.mlirb, which needs no worker");
    failure.cause = tail(log);
    throw failure;
  }
  std::error_code error;
  if (!fs::is_regular_file(asset / "main.mlirb", error)) {
    Failure failure(SIXRUNG_IO, "cannot save '" + emission.path + "': the worker (" + python +
                                    ") reported success and wrote no asset");
    failure.cause = tail(log);
    throw failure;
  }
  staged.commit(asset);
}

sixrung_status *emit(const sixrung_host *host, void *, sixrung_emission handle) noexcept {
  return guarded(host, [&] {
    Emission emission = readEmission(host, handle);
    InterruptGuard interrupts; // outlives what must be cleaned up
    save(host, handle, emission);
  });
}

} // namespace

SIXRUNG_EMITTER_PLUGIN("org.sixrung.emit.aimodel", "aimodel", ".aimodel", emit)
