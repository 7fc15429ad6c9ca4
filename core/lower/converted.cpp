#include "core/lower/converted.hpp"

#include "core/graph/error.hpp"

#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

namespace sixrung::lower {

Converted::Converted(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Converted::Converted(Converted &&) noexcept = default;
Converted::~Converted() = default;

std::string Converted::text(bool generic, std::optional<size_t> largest) const {
  std::string out;
  llvm::raw_string_ostream stream(out);
  ir::serialize(*impl_->module, generic ? ir::Format::kTextGeneric : ir::Format::kText, stream, largest);
  stream.flush();
  return out;
}

std::string Converted::bytecode() const {
  std::string out;
  llvm::raw_string_ostream stream(out);
  ir::serialize(*impl_->module, ir::Format::kBytecode, stream);
  stream.flush();
  return out;
}

// Beside the target, then renamed: a reader never sees half a file, and a failure leaves the old one.
void Converted::writeBytecode(const std::string &path) const {
  int descriptor = -1;
  llvm::SmallString<128> aside;
  if (std::error_code error = llvm::sys::fs::createUniqueFile(path + ".%%%%%%%%", descriptor, aside))
    throw Error(ErrorKind::kIo, fmt::format("cannot write {}: {}", path, error.message()));
  std::error_code error;
  try {
    llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
    ir::serialize(*impl_->module, ir::Format::kBytecode, stream);
    stream.close();
    error = stream.error();
    stream.clear_error(); // told below; otherwise its destructor ends the process
  } catch (...) {
    llvm::sys::fs::remove(aside);
    throw;
  }
  if (!error)
    error = llvm::sys::fs::rename(aside, path);
  if (error) {
    llvm::sys::fs::remove(aside);
    throw Error(ErrorKind::kIo, fmt::format("cannot write {}: {}", path, error.message()));
  }
}

size_t Converted::opCount() const { return ir::opCount(*impl_->module); }
const std::vector<NodeRecord> &Converted::nodes() const { return impl_->records; }
const std::vector<StateInfo> &Converted::states() const { return impl_->states; }
const std::vector<EntryInfo> &Converted::entries() const { return impl_->entries; }
const Provenance &Converted::provenance() const { return impl_->provenance; }

} // namespace sixrung::lower
