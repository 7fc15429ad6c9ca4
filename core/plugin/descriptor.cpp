// The descriptor, field by field, in the order in which each makes the next readable.
#include "core/plugin/crossing.hpp"
#include "core/plugin/facts.hpp"
#include "core/plugin/library.hpp"

#include <fmt/format.h>

namespace sixrung::plugin {
namespace {

constexpr uint32_t kFirstDescriptor = offsetof(sixrung_plugin_descriptor, get_extension) + sizeof(void *);

[[noreturn]] void fail(const std::string &what) { throw Error(ErrorKind::kPlugin, what); }

void checkVersions(uint32_t major, uint32_t minHostMinor, uint32_t tier, uint32_t hostMinor,
                   const char *where) {
  if (major != SIXRUNG_ABI_MAJOR)
    fail(fmt::format("{} says ABI major {}; this host serves {}. Build the plugin with the sixrung/plugin.h "
                     "of this host",
                     where, major, SIXRUNG_ABI_MAJOR));
  if (minHostMinor > hostMinor)
    fail(fmt::format("{} says that it needs host ABI {}.{}, this is {}.{}. Use a newer sixrung, or build the "
                     "plugin with SIXRUNG_TARGET_MINOR={}",
                     where, SIXRUNG_ABI_MAJOR, minHostMinor, SIXRUNG_ABI_MAJOR, hostMinor, hostMinor));
  if (tier != SIXRUNG_TIER_C)
    fail(fmt::format("{} says tier {}; this host serves tier {} (the C header alone)", where, tier,
                     SIXRUNG_TIER_C));
}

template <typename T> void same(const T &inDescriptor, const T &inManifest, const char *field) {
  if (inDescriptor != inManifest)
    fail(fmt::format("its descriptor says {} '{}', its manifest '{}'", field, inDescriptor, inManifest));
}

std::string_view text(sixrung_str given, const char *what) {
  try {
    return checkedString(given, what, 1024);
  } catch (const Error &error) {
    fail(fmt::format("its descriptor is malformed: {}", error.what()));
  }
}

const sixrung_plugin_descriptor *call(sixrung_entry_fn entry) {
  try {
    return entry();
  } catch (const std::exception &error) {
    fail(fmt::format(SIXRUNG_ENTRY_NAME_STRING " threw: {}", error.what()));
  } catch (...) {
    fail(SIXRUNG_ENTRY_NAME_STRING " threw");
  }
}

} // namespace

void checkServable(const Manifest &manifest, bool native, uint32_t hostMinor) {
  if (!native)
    fail(fmt::format("is {}, which this host ({}) cannot open: use the plugin built for this machine",
                     manifest.format, hostMachine()));
  checkVersions(manifest.abiMajor, manifest.minHostMinor, manifest.tier, hostMinor, "its manifest");
}

sixrung_plugin_descriptor checkedDescriptor(sixrung_entry_fn entry, const Manifest &manifest,
                                            uint32_t hostMinor) {
  const sixrung_plugin_descriptor *given = call(entry);
  if (!given)
    fail(SIXRUNG_ENTRY_NAME_STRING " returned NULL");
  if (reinterpret_cast<uintptr_t>(given) % alignof(sixrung_plugin_descriptor) != 0)
    fail(SIXRUNG_ENTRY_NAME_STRING " returned a pointer that is no descriptor's: it is not aligned");
  if (given->magic != SIXRUNG_MAGIC)
    fail(fmt::format("its descriptor begins with {:#x}, not with the magic {:#x}", given->magic,
                     SIXRUNG_MAGIC));
  if (given->struct_size < kFirstDescriptor)
    fail(fmt::format("its descriptor has {} bytes, less than the {} of ABI 1.0", given->struct_size,
                     kFirstDescriptor));
  sixrung_plugin_descriptor d{};
  std::memcpy(&d, given, std::min<size_t>(given->struct_size, sizeof d));

  checkVersions(d.abi_major, d.min_host_minor, d.tier, hostMinor, "its descriptor");
  if (d.reserved != 0)
    fail(fmt::format("its descriptor has {} in a reserved field", d.reserved));
  same(d.abi_major, manifest.abiMajor, "ABI major");
  same(d.abi_minor, manifest.abiMinor, "ABI minor");
  same(d.min_host_minor, manifest.minHostMinor, "minimum host minor");
  same(d.tier, manifest.tier, "tier");
  same(text(d.id, "id"), std::string_view(manifest.id), "id");
  same(text(d.version, "version"), std::string_view(manifest.version), "version");
  text(d.fingerprint, "fingerprint");
  if (!d.init)
    fail("its descriptor has no init");
  return d;
}

} // namespace sixrung::plugin
