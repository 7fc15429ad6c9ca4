#include "core/conformance/image.hpp"

#include "core/graph/error.hpp"
#include "sixrung/plugin.h"

#include "llvm/BinaryFormat/MachO.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/MachO.h"
#include "llvm/Object/MachOUniversal.h"
#include "llvm/Support/Error.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <fmt/format.h>

#include <cstring>

namespace sixrung::conformance {
namespace {

namespace object = llvm::object;

template <typename T> T take(llvm::Expected<T> value, const char *what) {
  if (!value)
    throw Error(ErrorKind::kPlugin, fmt::format("has {}: {}", what, llvm::toString(value.takeError())));
  return std::move(*value);
}

// A NUL-terminated string that may lie about its end.
std::string boundedString(const char *begin, const char *end) {
  return begin < end ? std::string(begin, ::strnlen(begin, static_cast<size_t>(end - begin))) : std::string();
}

// The descriptor is constant data (ABI-2), so its integers stand in the file; its pointers are the loader's.
void findDescriptors(llvm::StringRef bytes, uint64_t address, const std::string &section, Image &image) {
  constexpr size_t kInts = offsetof(sixrung_plugin_descriptor, id);
  for (size_t at = (8 - address % 8) % 8; at + kInts <= bytes.size(); at += 8) {
    uint64_t magic;
    std::memcpy(&magic, bytes.data() + at, sizeof magic);
    if (magic != SIXRUNG_MAGIC)
      continue;
    uint32_t words[6];
    std::memcpy(words, bytes.data() + at + offsetof(sixrung_plugin_descriptor, struct_size), sizeof words);
    image.descriptors.push_back({section, words[0], words[1], words[2], words[3], words[4], words[5]});
  }
}

template <typename ELFT> void readElf(const object::ELFObjectFile<ELFT> &file, Image &image) {
  const object::ELFFile<ELFT> &elf = file.getELFFile();
  const char *end = file.getData().end();

  auto versions = take(file.readDynsymVersions(), "damaged symbol versions");
  size_t index = 0;
  for (const object::ELFSymbolRef symbol : file.getDynamicSymbolIterators()) {
    uint32_t flags = take(symbol.getFlags(), "damaged symbols");
    std::string name = take(symbol.getName(), "damaged symbol names").str();
    std::string version = index < versions.size() ? versions[index].Name : std::string();
    ++index;
    if (name.empty() || symbol.getBinding() == llvm::ELF::STB_LOCAL)
      continue;
    if (flags & object::SymbolRef::SF_Undefined)
      image.undefined.push_back({name, version, symbol.getBinding() == llvm::ELF::STB_WEAK});
    else if (!(flags & object::SymbolRef::SF_Absolute)) // the name of a version
      image.exported.push_back(std::move(name));
  }

  auto entries = take(elf.dynamicEntries(), "a damaged dynamic section");
  const char *strings = nullptr;
  for (const auto &entry : entries)
    if (entry.getTag() == llvm::ELF::DT_STRTAB)
      strings =
          reinterpret_cast<const char *>(take(elf.toMappedAddr(entry.getPtr()), "a damaged string table"));
  auto text = [&](uint64_t offset) {
    bool inside = strings && offset < static_cast<uint64_t>(end - strings);
    return inside ? boundedString(strings + offset, end) : std::string();
  };
  for (const auto &entry : entries)
    if (entry.getTag() == llvm::ELF::DT_NEEDED)
      image.needed.push_back(text(entry.getVal()));
    else if (entry.getTag() == llvm::ELF::DT_RPATH || entry.getTag() == llvm::ELF::DT_RUNPATH)
      image.searched.push_back(text(entry.getVal()));

  for (const object::ELFSectionRef section : file.sections()) {
    uint64_t flags = section.getFlags();
    if (!(flags & llvm::ELF::SHF_ALLOC) || (flags & llvm::ELF::SHF_EXECINSTR) || section.isBSS())
      continue;
    findDescriptors(take(section.getContents(), "a damaged section"), section.getAddress(),
                    take(section.getName(), "a damaged section name").str(), image);
  }
}

std::string withoutUnderscore(llvm::StringRef name) {
  return (name.starts_with("_") ? name.drop_front() : name).str();
}

void readMachO(const object::MachOObjectFile &file, Image &image) {
  llvm::Error error = llvm::Error::success();
  for (const object::ExportEntry &entry : file.exports(error))
    image.exported.push_back(withoutUnderscore(entry.name()));
  if (error)
    throw Error(ErrorKind::kPlugin, "has damaged exports: " + llvm::toString(std::move(error)));
  bool trie = !image.exported.empty();
  for (const object::SymbolRef &symbol : file.symbols()) {
    uint32_t flags = take(symbol.getFlags(), "damaged symbols");
    std::string name = withoutUnderscore(take(symbol.getName(), "damaged symbol names"));
    if (!(flags & object::SymbolRef::SF_Global))
      continue;
    if (!(flags & object::SymbolRef::SF_Undefined)) {
      if (!trie && (flags & object::SymbolRef::SF_Exported))
        image.exported.push_back(std::move(name));
      continue;
    }
    auto entry = symbol.getRawDataRefImpl();
    uint16_t description = file.is64Bit() ? file.getSymbol64TableEntry(entry).n_desc
                                          : static_cast<uint16_t>(file.getSymbolTableEntry(entry).n_desc);
    unsigned ordinal = llvm::MachO::GET_LIBRARY_ORDINAL(description);
    llvm::StringRef library;
    if (ordinal != llvm::MachO::SELF_LIBRARY_ORDINAL && ordinal < llvm::MachO::MAX_LIBRARY_ORDINAL)
      (void)file.getLibraryShortNameByIndex(ordinal - 1, library);
    image.undefined.push_back({std::move(name), library.str(), (description & llvm::MachO::N_WEAK_REF) != 0});
  }
  for (const auto &command : file.load_commands()) {
    const char *end = command.Ptr + command.C.cmdsize;
    switch (command.C.cmd) {
    case llvm::MachO::LC_LOAD_DYLIB:
    case llvm::MachO::LC_LOAD_WEAK_DYLIB:
    case llvm::MachO::LC_REEXPORT_DYLIB:
      image.needed.push_back(
          boundedString(command.Ptr + file.getDylibIDLoadCommand(command).dylib.name, end));
      break;
    case llvm::MachO::LC_RPATH:
      image.searched.push_back(boundedString(command.Ptr + file.getRpathCommand(command).path, end));
      break;
    default:
      break;
    }
  }
  for (const object::SectionRef &section : file.sections())
    if (!section.isText() && !section.isVirtual())
      findDescriptors(take(section.getContents(), "a damaged section"), section.getAddress(),
                      take(section.getName(), "a damaged section name").str(), image);
}

Image readImage(const object::ObjectFile &file) {
  Image image;
  llvm::Triple host(llvm::sys::getProcessTriple());
  image.format = file.getFileFormatName().str();
  image.machO = file.isMachO();
  llvm::StringRef machine = llvm::Triple::getArchTypeName(file.getArch());
  image.built = fmt::format("{} {}", image.machO ? "macOS" : "Linux",
                            image.machO && machine == "aarch64" ? "arm64" : machine.str());
  image.native = file.getArch() == host.getArch() &&
                 (file.isELF() ? host.isOSBinFormatELF() : host.isOSBinFormatMachO());
  if (const auto *elf = llvm::dyn_cast<object::ELF64LEObjectFile>(&file))
    readElf(*elf, image);
  else if (const auto *elf = llvm::dyn_cast<object::ELF64BEObjectFile>(&file))
    readElf(*elf, image);
  else if (const auto *elf = llvm::dyn_cast<object::ELF32LEObjectFile>(&file))
    readElf(*elf, image);
  else if (const auto *elf = llvm::dyn_cast<object::ELF32BEObjectFile>(&file))
    readElf(*elf, image);
  else if (const auto *mach = llvm::dyn_cast<object::MachOObjectFile>(&file))
    readMachO(*mach, image);
  return image;
}

} // namespace

std::vector<Image> readImages(std::string_view bytes) {
  llvm::StringRef data(bytes.data(), bytes.size());
  llvm::MemoryBufferRef buffer(data, "plugin");
  std::vector<Image> images;
  switch (llvm::identify_magic(data)) {
  case llvm::file_magic::elf_shared_object:
  case llvm::file_magic::macho_dynamically_linked_shared_lib:
  case llvm::file_magic::macho_bundle:
    images.push_back(readImage(*take(object::ObjectFile::createObjectFile(buffer), "a damaged header")));
    return images;
  case llvm::file_magic::macho_universal_binary: {
    auto fat = take(object::MachOUniversalBinary::create(buffer), "a damaged header");
    for (const auto &slice : fat->objects())
      images.push_back(readImage(*take(slice.getAsObjectFile(), "a damaged slice")));
    if (images.empty())
      throw Error(ErrorKind::kPlugin, "holds no slice");
    return images;
  }
  default:
    throw Error(ErrorKind::kPlugin, "is no ELF or Mach-O shared library");
  }
}

} // namespace sixrung::conformance
