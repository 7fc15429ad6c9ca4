// The descriptor and manifest of a plugin that brings one emitter and keeps no state.
#pragma once

#include "sixrung/plugin.h"

// Both emitters come with the product and share its version.
#define SIXRUNG_EMITTER_VERSION "0.1.0"
#define SIXRUNG_EMITTER_SECTION __attribute__((used, section(SIXRUNG_MANIFEST_SECTION)))
#define SIXRUNG_EMITTER_STR(text) {text, sizeof(text) - 1}

// The manifest repeats the descriptor's facts and what init registers (ABI-3).
#define SIXRUNG_EMITTER_PLUGIN(ID, NAME, SUFFIXES, FN)                                                       \
  SIXRUNG_EMITTER_SECTION static const char sixrung_manifest[] =                                             \
      "sixrung-manifest 1\nid " ID "\nversion " SIXRUNG_EMITTER_VERSION                                      \
      "\nabi 1.0\nmin-host 0\ntier 1\nemitter " NAME "\n";                                                   \
  static sixrung_status *sixrung_emitter_init(const sixrung_host *host, sixrung_transaction transaction,     \
                                              void **) {                                                     \
    sixrung_emitter emitter = {};                                                                            \
    emitter.struct_size = sizeof emitter;                                                                    \
    emitter.name = SIXRUNG_EMITTER_STR(NAME);                                                                \
    emitter.suffixes = SIXRUNG_EMITTER_STR(SUFFIXES);                                                        \
    emitter.fn = FN;                                                                                         \
    return host->add_emitter(transaction, &emitter);                                                         \
  }                                                                                                          \
  extern "C" SIXRUNG_EXPORT const sixrung_plugin_descriptor *SIXRUNG_ENTRY_NAME(void) {                      \
    static const sixrung_plugin_descriptor descriptor = {SIXRUNG_MAGIC,                                      \
                                                         sizeof(sixrung_plugin_descriptor),                  \
                                                         SIXRUNG_ABI_MAJOR,                                  \
                                                         SIXRUNG_TARGET_MINOR,                               \
                                                         0,                                                  \
                                                         SIXRUNG_TIER_C,                                     \
                                                         0,                                                  \
                                                         SIXRUNG_EMITTER_STR(ID),                            \
                                                         SIXRUNG_EMITTER_STR(SIXRUNG_EMITTER_VERSION),       \
                                                         SIXRUNG_EMITTER_STR(__VERSION__),                   \
                                                         sixrung_emitter_init,                               \
                                                         nullptr,                                            \
                                                         nullptr};                                           \
    return &descriptor;                                                                                      \
  }
