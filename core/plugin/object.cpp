// The manifest section of ELF and Mach-O images through llvm::object (ABI-3). The bytes may be hostile:
// everything LLVM hands back as Expected is looked at, and loops are bounded by the file's size.
#include "core/plugin/file.hpp"

#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/MachO.h"
#include "llvm/Object/MachOUniversal.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <fmt/format.h>

#include <optional>

namespace sixrung::plugin {
namespace {

using llvm::object::MachOObjectFile;
using llvm::object::ObjectFile;

constexpr llvm::StringLiteral kElfSection = ".sixrung.manifest";
constexpr llvm::StringLiteral kMachSegment = "__TEXT", kMachSection = "__sixrung";
constexpr size_t kLongestManifest = size_t{4} << 20;

[[noreturn]] void fail(const std::string &what) { throw Error(ErrorKind::kPlugin, what); }

template <typename T> T take(llvm::Expected<T> value, const char *what) {
  if (!value)
    fail(fmt::format("{}: {}", what, llvm::toString(value.takeError())));
  return std::move(*value);
}

class Found {
public:
  void add(llvm::StringRef contents) {
    if (text_)
      fail("has two manifest sections");
    if (contents.size() > kLongestManifest)
      fail(fmt::format("has a manifest of {} bytes, more than the {} allowed", contents.size(),
                       kLongestManifest));
    text_ = contents.str();
  }
  std::string take() {
    if (!text_)
      fail("has no manifest: it is no sixrung plugin, or was linked without its manifest section");
    return std::move(*text_);
  }

private:
  std::optional<std::string> text_;
};

// Names are compared in place: asking LLVM for each would measure every one to its end, which a file of
// many sections over one long string table turns into hours.
template <typename ELFT> void findInElf(const llvm::object::ELFObjectFile<ELFT> &object, Found &found) {
  const llvm::object::ELFFile<ELFT> &elf = object.getELFFile();
  auto sections = take(elf.sections(), "has damaged section headers");
  llvm::StringRef names = take(elf.getSectionStringTable(sections), "has damaged section names");
  for (const auto &section : sections) {
    uint32_t at = section.sh_name;
    if (at >= names.size() || names.size() - at <= kElfSection.size())
      continue;
    if (names.substr(at, kElfSection.size()) != kElfSection || names[at + kElfSection.size()] != '\0')
      continue;
    auto bytes = take(elf.getSectionContents(section), "has a damaged manifest section");
    found.add({reinterpret_cast<const char *>(bytes.data()), bytes.size()});
  }
}

void findInMachO(const MachOObjectFile &object, Found &found) {
  for (const auto &section : object.sections()) {
    auto ref = section.getRawDataRefImpl();
    if (object.getSectionFinalSegmentName(ref) == kMachSegment &&
        take(section.getName(), "has damaged section names") == kMachSection)
      found.add(take(section.getContents(), "has a damaged manifest section"));
  }
}

Embedded read(const ObjectFile &object) {
  Found found;
  llvm::Triple host(llvm::sys::getProcessTriple());
  Embedded result;
  if (const auto *elf = llvm::dyn_cast<llvm::object::ELF64LEObjectFile>(&object))
    findInElf(*elf, found);
  else if (const auto *elf = llvm::dyn_cast<llvm::object::ELF64BEObjectFile>(&object))
    findInElf(*elf, found);
  else if (const auto *elf = llvm::dyn_cast<llvm::object::ELF32LEObjectFile>(&object))
    findInElf(*elf, found);
  else if (const auto *elf = llvm::dyn_cast<llvm::object::ELF32BEObjectFile>(&object))
    findInElf(*elf, found);
  else if (const auto *mach = llvm::dyn_cast<MachOObjectFile>(&object))
    findInMachO(*mach, found);
  result.text = found.take();
  result.format = object.getFileFormatName().str();
  result.native = object.getArch() == host.getArch() &&
                  (object.isELF() ? host.isOSBinFormatELF() : host.isOSBinFormatMachO());
  return result;
}

} // namespace

Embedded readEmbedded(std::string_view bytes) {
  llvm::StringRef data(bytes.data(), bytes.size());
  llvm::MemoryBufferRef buffer(data, "plugin");
  switch (llvm::identify_magic(data)) {
  case llvm::file_magic::elf_shared_object:
  case llvm::file_magic::macho_dynamically_linked_shared_lib:
  case llvm::file_magic::macho_bundle:
    return read(*take(ObjectFile::createObjectFile(buffer), "is damaged"));
  case llvm::file_magic::macho_universal_binary: {
    auto fat = take(llvm::object::MachOUniversalBinary::create(buffer), "is damaged");
    // The slice this host would open, else the first: listing works everywhere.
    std::optional<Embedded> chosen;
    std::string architectures;
    for (const auto &slice : fat->objects()) {
      auto object = take(slice.getAsObjectFile(), "holds a damaged slice");
      architectures += (architectures.empty() ? "" : " ") + slice.getArchFlagName();
      Embedded embedded = read(*object);
      if (!chosen || (embedded.native && !chosen->native))
        chosen = std::move(embedded);
    }
    if (!chosen)
      fail("holds no slice");
    if (!chosen->native)
      chosen->format = "Mach-O universal (" + architectures + ")";
    return std::move(*chosen);
  }
  default:
    throw Error(ErrorKind::kPlugin, "is no ELF or Mach-O shared library")
        .with(
            "hint",
            "give the .so or .dylib that building the plugin wrote; a deployment file goes with --deployment "
            "or converter.use()");
  }
}

std::string hostMachine() {
  llvm::Triple host(llvm::sys::getProcessTriple());
  return fmt::format("{} {}", host.getArchName().str(), llvm::Triple::getOSTypeName(host.getOS()).str());
}

Manifest manifestOf(const PluginFile &file, bool *native) {
  try {
    Embedded embedded = readEmbedded(file.bytes);
    Manifest manifest = parseManifest(embedded.text);
    manifest.format = embedded.format;
    if (native)
      *native = embedded.native;
    return manifest;
  } catch (const Error &error) {
    Error named(ErrorKind::kPlugin, fmt::format("plugin {}: {}", file.path, error.what()));
    for (const auto &[key, value] : error.payload())
      named.with(key, value);
    throw named.with("file", file.path);
  }
}

Manifest readManifest(const std::string &file) { return manifestOf(readPluginFile(file)); }

} // namespace sixrung::plugin
