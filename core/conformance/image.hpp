// What a shared library says of itself to the loader, read from its bytes; ELF and Mach-O of any machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sixrung::conformance {

struct Undefined {
  std::string name;
  std::string from; // the symbol's version or, in Mach-O, its library; empty when it names none
  bool weak = false;
};

// A place that begins with SIXRUNG_MAGIC, and the fixed-width fields behind it.
struct FoundDescriptor {
  std::string section;
  uint32_t structSize = 0, abiMajor = 0, abiMinor = 0, minHostMinor = 0, tier = 0, reserved = 0;
};

struct Image {
  std::string format; // "elf64-x86-64", as LLVM names it
  std::string built;  // "Linux x86_64", "macOS arm64"
  bool native = false, machO = false;
  std::vector<std::string> exported; // without Mach-O's leading '_'
  std::vector<Undefined> undefined;
  std::vector<std::string> needed;   // libraries
  std::vector<std::string> searched; // run paths
  std::vector<FoundDescriptor> descriptors;
};

// Every slice of a universal Mach-O, else the one image. Throws Error(kPlugin).
std::vector<Image> readImages(std::string_view bytes);

} // namespace sixrung::conformance
