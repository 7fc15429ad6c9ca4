// The record beside the output, for formats without metadata of their own and for audits without the asset.
#include "core/lower/provenance.hpp"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <fstream>

namespace sixrung::lower {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string withoutTrailingSlash(std::string_view path) {
  while (path.size() > 1 && path.back() == '/')
    path.remove_suffix(1);
  return std::string(path);
}

// A file beside the sidecar that vanishes unless it takes its place.
class Aside {
public:
  explicit Aside(std::string target) : target_(std::move(target)) {
    int descriptor = -1;
    if (std::error_code error = llvm::sys::fs::createUniqueFile(target_ + ".%%%%%%%%", descriptor, path_))
      fail(error);
    llvm::sys::fs::closeFile(descriptor);
  }
  ~Aside() {
    if (!path_.empty())
      llvm::sys::fs::remove(path_);
  }
  Aside(const Aside &) = delete;

  void write(const std::string &text) {
    std::error_code error;
    llvm::raw_fd_ostream out(path_.str(), error);
    if (!error) {
      out << text;
      out.close();
      error = out.error();
      out.clear_error(); // told below; otherwise its destructor ends the process
    }
    if (error)
      fail(error);
  }
  void commit() {
    llvm::sys::fs::setPermissions(path_, llvm::sys::fs::perms(0666 & ~llvm::sys::fs::getUmask()));
    if (std::error_code error = llvm::sys::fs::rename(path_, target_))
      fail(error);
    path_.clear();
  }

private:
  [[noreturn]] void fail(std::error_code error) const {
    throw Error(ErrorKind::kIo, fmt::format("cannot write {}: {}", target_, error.message()));
  }

  std::string target_;
  llvm::SmallString<128> path_;
};

std::string text(const Converted &program, const std::string &output, const std::string &sha256) {
  Json record = {{"output", {{"file", fs::path(output).filename().string()}, {"sha256", sha256}}},
                 {"sixrung", provenanceRecord(program)}};
  return record.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace

std::string sidecarPath(std::string_view output) { return withoutTrailingSlash(output) + ".provenance.json"; }

std::string outputSha256(const std::string &path) {
  std::error_code ignored;
  fs::path file = withoutTrailingSlash(path);
  if (fs::is_directory(file, ignored))
    file /= "main.mlirb";
  std::ifstream in(file, std::ios::binary);
  if (!in)
    return {};
  llvm::SHA256 hash;
  std::vector<char> block(size_t{1} << 20);
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())), in.gcount() > 0)
    hash.update(
        llvm::ArrayRef(reinterpret_cast<const uint8_t *>(block.data()), static_cast<size_t>(in.gcount())));
  if (in.bad())
    return {};
  std::string out;
  for (uint8_t byte : hash.final())
    out += fmt::format("{:02x}", byte);
  return out;
}

void emitWithSidecar(Session &session, Converted &program, const std::string &given,
                     const std::string &emitter, const std::map<std::string, std::string> &options) {
  std::string path = withoutTrailingSlash(given);
  Aside aside(sidecarPath(path));
  // Once in full before the output changes: a full disk is told while there is nothing to undo.
  aside.write(text(program, path, std::string(64, '0')));
  session.emit(program, path, emitter, options);
  aside.write(text(program, path, outputSha256(path)));
  aside.commit();
}

} // namespace sixrung::lower
