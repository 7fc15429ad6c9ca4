#include "core/conformance/static_checks.hpp"

#include "core/conformance/image.hpp"
#include "core/plugin/library.hpp"
#include "sixrung/plugin.h"

#include "llvm/Demangle/Demangle.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>

namespace sixrung::conformance {
namespace {

using Texts = std::vector<std::string>;

Check pass(std::string name, std::string detail) {
  return {std::move(name), Outcome::kPass, std::move(detail), {}};
}
Check fail(std::string name, std::string detail, std::string remedy) {
  return {std::move(name), Outcome::kFail, std::move(detail), std::move(remedy)};
}

// "a, b, c and 4 more"
std::string someOf(const Texts &texts) {
  constexpr size_t kShown = 5;
  Texts shown(texts.begin(), texts.begin() + static_cast<ptrdiff_t>(std::min(kShown, texts.size())));
  std::string text = fmt::format("{}", fmt::join(shown, ", "));
  return texts.size() > kShown ? fmt::format("{} and {} more", text, texts.size() - kShown) : text;
}

std::string readable(const std::string &symbol) {
  std::string text = llvm::demangle(symbol);
  return text.size() > 160 ? text.substr(0, 160) + "..." : text;
}

std::string baseName(const std::string &path) { return path.substr(path.find_last_of('/') + 1); }

bool startsWithAny(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.starts_with(word); });
}

// Whose symbol it is, when a plugin may not need it: its ABI changes with every release (ABI-1).
std::optional<std::string_view> forbiddenOwner(const std::string &symbol) {
  struct Namespace {
    std::string_view word, owner;
  };
  constexpr std::array<Namespace, 8> kNamespaces = {{{"mlir::", "MLIR"},
                                                     {"llvm::", "LLVM"},
                                                     {"torch::", "LibTorch"},
                                                     {"at::", "LibTorch"},
                                                     {"c10::", "LibTorch"},
                                                     {"caffe2::", "LibTorch"},
                                                     {"pybind11::", "Python"},
                                                     {"_object*", "Python"}}};
  if (startsWithAny(symbol, {"Py", "_Py"}))
    return "Python";
  if (symbol.starts_with("LLVM"))
    return "LLVM";
  if (symbol.size() > 4 && symbol.starts_with("mlir") && std::isupper(static_cast<unsigned char>(symbol[4])))
    return "MLIR";
  if (startsWithAny(symbol, {"aoti_torch_", "torch_"}))
    return "LibTorch";
  if (symbol.starts_with("sixrung"))
    return "sixrung";
  std::string text = llvm::demangle(symbol);
  for (const auto &[word, owner] : kNamespaces)
    for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
      char before = at == 0 ? ' ' : text[at - 1];
      if (!std::isalnum(static_cast<unsigned char>(before)) && before != '_' && before != ':')
        return owner;
    }
  return std::nullopt;
}

bool isForbiddenLibrary(const std::string &name) {
  return startsWithAny(name,
                       {"libMLIR", "libLLVM", "libtorch", "libc10", "libpython", "libsixrung", "Python"});
}

bool isSystemLibrary(const std::string &path) {
  std::string name = baseName(path);
  return startsWithAny(name, {"libc.so", "libm.so", "libdl.so", "librt.so", "libpthread.so", "libstdc++.so",
                              "libgcc_s.so", "libc++.so", "libc++abi.so", "libunwind.so", "ld-linux",
                              "libSystem.", "libc++.1.dylib", "libc++abi.dylib", "libobjc."});
}

bool isSystemSymbol(const Undefined &symbol, bool machO) {
  if (symbol.weak)
    return true;
  if (machO)
    return startsWithAny(symbol.from, {"libSystem", "libc++", "libobjc"});
  return startsWithAny(symbol.from, {"GLIBC", "CXXABI", "GCC_", "libc++"});
}

Check object(const std::string &suffix, const Image &image) {
  return pass("object" + suffix, fmt::format("{}, built for {}", image.format, image.built));
}

Check manifestCheck(const plugin::PluginFile &file, std::optional<plugin::Manifest> &manifest) {
  try {
    manifest = plugin::manifestOf(file);
    plugin::checkServable(*manifest, true, SIXRUNG_ABI_MINOR);
  } catch (const Error &error) {
    manifest.reset();
    std::string text = error.what(), prefix = fmt::format("plugin {}: ", file.path);
    return fail("manifest", text.starts_with(prefix) ? text.substr(prefix.size()) : text,
                "build it with sixrung_add_plugin, and SIXRUNG_PLUGIN or SIXRUNG_C_PLUGIN (ABI-3)");
  }
  const plugin::Manifest &m = *manifest;
  std::string entries;
  auto count = [&](size_t n, const char *one, const char *many) {
    if (n)
      entries += fmt::format(", {} {}", n, n == 1 ? one : many);
  };
  count(m.lowerings.size(), "lowering", "lowerings");
  count(m.emitters.size(), "emitter", "emitters");
  count(m.composites.size(), "composite", "composites");
  count(m.strategies.size(), "strategy", "strategies");
  return pass("manifest", fmt::format("{} {}, ABI {}.{}, for hosts from {}.{}{}", m.id, m.version, m.abiMajor,
                                      m.abiMinor, m.abiMajor, m.minHostMinor, entries));
}

Check layout(const std::string &suffix, const Image &image, const std::optional<plugin::Manifest> &manifest) {
  constexpr uint32_t kFirst = offsetof(sixrung_plugin_descriptor, get_extension) + sizeof(void *);
  const std::string name = "layout" + suffix,
                    remedy = "SIXRUNG_PLUGIN and SIXRUNG_C_PLUGIN write the descriptor (ABI-2, ABI-3)";
  if (image.descriptors.empty())
    return fail(name,
                "no data of it begins with the magic: its descriptor is no static constant, or is damaged",
                remedy);
  std::string wrong;
  for (const FoundDescriptor &d : image.descriptors) {
    std::string fault;
    if (d.structSize < kFirst)
      fault = fmt::format("its descriptor has {} bytes, less than the {} of ABI 1.0", d.structSize, kFirst);
    else if (d.abiMajor != SIXRUNG_ABI_MAJOR)
      fault =
          fmt::format("its descriptor says ABI major {}; this host serves {}", d.abiMajor, SIXRUNG_ABI_MAJOR);
    else if (d.tier != SIXRUNG_TIER_C)
      fault = fmt::format("its descriptor says tier {}; this host serves tier {}", d.tier, SIXRUNG_TIER_C);
    else if (d.reserved != 0)
      fault = fmt::format("its descriptor has {} in a reserved field", d.reserved);
    else if (manifest && (d.abiMinor != manifest->abiMinor || d.minHostMinor != manifest->minHostMinor))
      fault = fmt::format("its descriptor says ABI 1.{} and minimum host 1.{}, its manifest 1.{} and 1.{}",
                          d.abiMinor, d.minHostMinor, manifest->abiMinor, manifest->minHostMinor);
    if (fault.empty())
      return pass(name, fmt::format("a descriptor of {} bytes in {}", d.structSize, d.section));
    wrong = wrong.empty() ? fault : wrong;
  }
  return fail(name, wrong, remedy);
}

Check exports(const std::string &suffix, const Image &image) {
  Texts others;
  bool entry = false;
  for (const std::string &symbol : image.exported)
    if (symbol == SIXRUNG_ENTRY_NAME_STRING)
      entry = true;
    else
      others.push_back(readable(symbol));
  const std::string name = "exports" + suffix;
  if (!entry)
    return fail(name,
                others.empty()
                    ? "it exports nothing"
                    : fmt::format("it exports {}, and no " SIXRUNG_ENTRY_NAME_STRING, someOf(others)),
                "export " SIXRUNG_ENTRY_NAME_STRING " with SIXRUNG_PLUGIN or SIXRUNG_C_PLUGIN (ABI-2)");
  if (!others.empty())
    return fail(name, fmt::format("besides " SIXRUNG_ENTRY_NAME_STRING " it exports {}", someOf(others)),
                image.machO ? "link with -exported_symbol,_" SIXRUNG_ENTRY_NAME_STRING
                              ", as sixrung_add_plugin does (ABI-2)"
                            : "link with the version script of sixrung_add_plugin; hidden visibility alone "
                              "is not enough (ABI-2)");
  return pass(name, SIXRUNG_ENTRY_NAME_STRING " alone");
}

Check undefined(const std::string &suffix, const Image &image) {
  const std::string name = "undefined" + suffix;
  Texts strays, unusual;
  std::set<std::string> owners;
  for (const Undefined &symbol : image.undefined) {
    if (auto owner = forbiddenOwner(symbol.name)) {
      strays.push_back(readable(symbol.name));
      owners.emplace(*owner);
    } else if (!isSystemSymbol(symbol, image.machO)) {
      unusual.push_back(readable(symbol.name) + (symbol.from.empty() ? "" : " of " + symbol.from));
    }
  }
  if (!strays.empty())
    return fail(name, fmt::format("it needs symbols of {}: {}", fmt::join(owners, ", "), someOf(strays)),
                "use the SDK alone: the host's functions come through its table (ABI-1)");
  std::string detail =
      fmt::format("{} symbols, none of MLIR, LLVM, LibTorch or Python", image.undefined.size());
  return pass(name, unusual.empty() ? detail : fmt::format("{}; unusual: {}", detail, someOf(unusual)));
}

// "2.34" before "2.4" would be a string's order.
std::vector<int> numbersOf(const std::string &version) {
  std::vector<int> numbers;
  for (size_t at = 0; at < version.size();) {
    if (!std::isdigit(static_cast<unsigned char>(version[at]))) {
      ++at;
      continue;
    }
    int number = 0;
    for (; at < version.size() && std::isdigit(static_cast<unsigned char>(version[at])); ++at)
      number = std::min(number, 100'000) * 10 + (version[at] - '0');
    numbers.push_back(number);
  }
  return numbers;
}

Check dependencies(const std::string &suffix, const Image &image) {
  const std::string name = "dependencies" + suffix;
  Texts bad, others, names, folders;
  for (const std::string &library : image.needed) {
    names.push_back(baseName(library));
    if (isForbiddenLibrary(names.back()))
      bad.push_back(names.back());
    else if (!isSystemLibrary(library))
      others.push_back(names.back());
  }
  if (!bad.empty())
    return fail(name, fmt::format("it needs {}", someOf(bad)),
                "link the SDK alone: find_package(sixrung_sdk) and sixrung_add_plugin (ABI-1)");
  for (const std::string &path : image.searched)
    if (path.starts_with("/"))
      folders.push_back(path);
  std::string detail = names.empty() ? "none" : fmt::format("{}", fmt::join(names, " "));
  // The oldest system it runs on.
  for (std::string_view family : {"GLIBC_", "GLIBCXX_"}) {
    std::string newest;
    for (const Undefined &symbol : image.undefined)
      if (symbol.from.starts_with(family) && (newest.empty() || numbersOf(symbol.from) > numbersOf(newest)))
        newest = symbol.from;
    if (!newest.empty())
      detail += " " + newest;
  }
  if (!others.empty())
    detail += fmt::format("; to be shipped with it: {}", someOf(others));
  if (!folders.empty())
    detail += fmt::format("; searched in {}, which other machines may not have", someOf(folders));
  return pass(name, detail);
}

} // namespace

ChildResult staticChecks(const plugin::PluginFile &file) {
  ChildResult result;
  std::vector<Image> images;
  try {
    images = readImages(file.bytes);
  } catch (const Error &error) {
    result.checks = {fail("object", error.what(), "give the shared library that the linker wrote")};
    return result;
  }
  std::optional<plugin::Manifest> manifest;
  Check judged = manifestCheck(file, manifest);
  bool native = false, first = true;
  std::string built;
  for (const Image &image : images) {
    std::string suffix = images.size() > 1 ? fmt::format(" ({})", image.built) : "";
    result.checks.push_back(object(suffix, image));
    if (first)
      result.checks.push_back(judged);
    first = false;
    result.checks.push_back(layout(suffix, image, manifest));
    result.checks.push_back(exports(suffix, image));
    result.checks.push_back(undefined(suffix, image));
    result.checks.push_back(dependencies(suffix, image));
    native = native || image.native;
    built += (built.empty() ? "" : ", ") + image.built;
  }
  result.words = {built, native ? "native" : "foreign"};
  return result;
}

} // namespace sixrung::conformance
