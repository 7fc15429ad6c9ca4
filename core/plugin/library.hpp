// Opening a judged plugin file, once per process and for ever (ABI-15).
#pragma once

#include "core/plugin/file.hpp"
#include "sixrung/plugin.h"

#include <mutex>

namespace sixrung::plugin {

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
