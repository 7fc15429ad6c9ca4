// Opening a judged plugin file, once per process and for ever (ABI-15).
#pragma once

#include "core/plugin/file.hpp"
#include "sixrung/plugin.h"

#include <mutex>

namespace sixrung::plugin {

// What the system calls a shared library's file: ".so", ".dylib".
std::string librarySuffix();
// The file a name means: the one of that very name, else, for a name without a suffix, the one the system
// would give it, "build/acme" for "build/libacme.so". One deployment then serves several systems.
std::string libraryFile(const std::string &name);

// [load] calls of every session are serialized by this (ABI-16).
std::mutex &loadMutex();

// Loads the library and gives its entry point. Throws Error(kPlugin). Call with loadMutex held.
sixrung_entry_fn openLibrary(const PluginFile &file);

// A copy of the descriptor behind `entry`, every field checked against the manifest and a host of ABI
// minor `hostMinor`.
sixrung_plugin_descriptor checkedDescriptor(sixrung_entry_fn entry, const Manifest &manifest,
                                            uint32_t hostMinor);
// What of the manifest's facts such a host cannot serve; throws Error(kPlugin).
void checkServable(const Manifest &manifest, bool native, uint32_t hostMinor);

} // namespace sixrung::plugin
