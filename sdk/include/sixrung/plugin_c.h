/*===- sixrung/plugin_c.h - a plugin in plain C -----------------------------===
 *
 * One X-macro list gives the registrations of `init` and the manifest section
 * both, so that neither can miss a key (ABI-3, ABI-11):
 *
 *   #include "sixrung/plugin_c.h"
 *
 *   static sixrung_status *lower_fused(const sixrung_host *host, void *user, sixrung_call call);
 *
 *   #define LOWERINGS(X) X("acme::fused.default", lower_fused)
 *   SIXRUNG_C_PLUGIN("com.acme.c", "1.0.0", LOWERINGS, SIXRUNG_NO_ENTRIES)
 *
 * The second list is of emitters: X("name", ".suffix;.other", emit_fn).
 *
 * With composites or strategies (ABI 1.1) a plugin asks for a host that has them:
 *
 *   #define COMPOSITES(X) X("hard_sigmoid", composite) - a static const sixrung_composite
 *   #define STRATEGIES(X) X("every_layer", strategy_fn)
 *   SIXRUNG_C_PLUGIN_1_1(id, version, LOWERINGS, EMITTERS, COMPOSITES, STRATEGIES)
 *===----------------------------------------------------------------------===*/
#ifndef SIXRUNG_PLUGIN_C_H
#define SIXRUNG_PLUGIN_C_H

#include "sixrung/plugin.h"

#define SIXRUNG_NO_ENTRIES(X)

/* A string literal as sixrung_str. */
#define SIXRUNG_STR(literal) {(literal), sizeof(literal) - 1}

/* Returns a status from the enclosing function unless `expression` succeeds. */
#define SIXRUNG_TRY(expression)                                                                              \
  do {                                                                                                       \
    sixrung_status *sixrung_status_ = (expression);                                                          \
    if (sixrung_status_ != 0)                                                                                \
      return sixrung_status_;                                                                                \
  } while (0)

/* An error with a literal message. */
#define SIXRUNG_FAIL(host, code, literal) ((host)->status_create((code), (literal), sizeof(literal) - 1))

#if SIXRUNG_TARGET_MINOR == 0
#define SIXRUNG_MANIFEST_ABI "1.0"
#elif SIXRUNG_TARGET_MINOR == 1
#define SIXRUNG_MANIFEST_ABI "1.1"
#else
#error "spell out the target minor for the manifest"
#endif

#if defined(__has_attribute)
#if __has_attribute(retain)
#define SIXRUNG_C_MANIFEST __attribute__((used, retain, section(SIXRUNG_MANIFEST_SECTION)))
#endif
#endif
#ifndef SIXRUNG_C_MANIFEST
#define SIXRUNG_C_MANIFEST __attribute__((used, section(SIXRUNG_MANIFEST_SECTION)))
#endif

#define SIXRUNG_C_LOWERING_LINE(key, fn) "lowering " key "\n"
#define SIXRUNG_C_EMITTER_LINE(name, suffixes, fn) "emitter " name "\n"
#define SIXRUNG_C_LOWERING_ROW(key, fn) {sizeof(sixrung_lowering), 0u, SIXRUNG_STR(key), (fn), 0},
#define SIXRUNG_C_EMITTER_ROW(name, suffixes, fn)                                                            \
  {sizeof(sixrung_emitter), 0u, SIXRUNG_STR(name), SIXRUNG_STR(suffixes), (fn), 0},

#define SIXRUNG_C_PLUGIN(ID, VERSION, LOWERINGS, EMITTERS)                                                   \
  SIXRUNG_C_TABLES(LOWERINGS, EMITTERS)                                                                      \
  static sixrung_status *sixrung_c_init(const sixrung_host *host, sixrung_transaction transaction,           \
                                        void **state) {                                                      \
    (void)state;                                                                                             \
    return sixrung_c_add_tables(host, transaction);                                                          \
  }                                                                                                          \
  SIXRUNG_C_DESCRIPTOR(ID, VERSION, "0", 0u,                                                                 \
                       LOWERINGS(SIXRUNG_C_LOWERING_LINE) EMITTERS(SIXRUNG_C_EMITTER_LINE))

#if SIXRUNG_TARGET_MINOR >= 1
#define SIXRUNG_C_COMPOSITE_LINE(name, composite) "composite " name "\n"
#define SIXRUNG_C_STRATEGY_LINE(name, fn) "strategy " name "\n"
#define SIXRUNG_C_COMPOSITE_ROW(name, composite) &(composite),
#define SIXRUNG_C_STRATEGY_ROW(name, fn) {sizeof(sixrung_strategy), 0u, SIXRUNG_STR(name), (fn), 0},

#define SIXRUNG_C_PLUGIN_1_1(ID, VERSION, LOWERINGS, EMITTERS, COMPOSITES, STRATEGIES)                       \
  SIXRUNG_C_TABLES(LOWERINGS, EMITTERS)                                                                      \
  static const sixrung_composite *const sixrung_c_composites[] = {COMPOSITES(SIXRUNG_C_COMPOSITE_ROW) 0};    \
  static const sixrung_strategy sixrung_c_strategies[] = {                                                   \
      STRATEGIES(SIXRUNG_C_STRATEGY_ROW){0u, 0u, {0, 0}, 0, 0}};                                             \
  static sixrung_status *sixrung_c_init(const sixrung_host *host, sixrung_transaction transaction,           \
                                        void **state) {                                                      \
    const sixrung_composite *const *composite = sixrung_c_composites;                                        \
    const sixrung_strategy *strategy = sixrung_c_strategies;                                                 \
    (void)state;                                                                                             \
    if (!SIXRUNG_HAS(host, add_composite) || !SIXRUNG_HAS(host, add_strategy))                               \
      return SIXRUNG_FAIL(host, SIXRUNG_VERSION, "needs host ABI 1.1, this is older");                       \
    for (; *composite != 0; ++composite)                                                                     \
      SIXRUNG_TRY(host->add_composite(transaction, *composite));                                             \
    for (; strategy->struct_size != 0u; ++strategy)                                                          \
      SIXRUNG_TRY(host->add_strategy(transaction, strategy));                                                \
    return sixrung_c_add_tables(host, transaction);                                                          \
  }                                                                                                          \
  SIXRUNG_C_DESCRIPTOR(ID, VERSION, "1", 1u,                                                                 \
                       LOWERINGS(SIXRUNG_C_LOWERING_LINE) EMITTERS(SIXRUNG_C_EMITTER_LINE)                   \
                           COMPOSITES(SIXRUNG_C_COMPOSITE_LINE) STRATEGIES(SIXRUNG_C_STRATEGY_LINE))
#endif

/* A row of zeros ends each table: a list may be empty. */
#define SIXRUNG_C_TABLES(LOWERINGS, EMITTERS)                                                                \
  static const sixrung_lowering sixrung_c_lowerings[] = {                                                    \
      LOWERINGS(SIXRUNG_C_LOWERING_ROW){0u, 0u, {0, 0}, 0, 0}};                                              \
  static const sixrung_emitter sixrung_c_emitters[] = {                                                      \
      EMITTERS(SIXRUNG_C_EMITTER_ROW){0u, 0u, {0, 0}, {0, 0}, 0, 0}};                                        \
  static sixrung_status *sixrung_c_add_tables(const sixrung_host *host, sixrung_transaction transaction) {   \
    const sixrung_lowering *lowering = sixrung_c_lowerings;                                                  \
    const sixrung_emitter *emitter = sixrung_c_emitters;                                                     \
    for (; lowering->struct_size != 0u; ++lowering) {                                                        \
      if (!SIXRUNG_HAS(host, add_lowering))                                                                  \
        return SIXRUNG_FAIL(host, SIXRUNG_VERSION, "this host takes no lowerings");                          \
      SIXRUNG_TRY(host->add_lowering(transaction, lowering));                                                \
    }                                                                                                        \
    for (; emitter->struct_size != 0u; ++emitter) {                                                          \
      if (!SIXRUNG_HAS(host, add_emitter))                                                                   \
        return SIXRUNG_FAIL(host, SIXRUNG_VERSION, "this host takes no emitters");                           \
      SIXRUNG_TRY(host->add_emitter(transaction, emitter));                                                  \
    }                                                                                                        \
    return 0;                                                                                                \
  }

#define SIXRUNG_C_DESCRIPTOR(ID, VERSION, MIN_HOST_TEXT, MIN_HOST, ENTRY_LINES)                              \
  SIXRUNG_C_MANIFEST static const char sixrung_c_manifest[] =                                                \
      "sixrung-manifest 1\nid " ID "\nversion " VERSION "\nabi " SIXRUNG_MANIFEST_ABI                        \
      "\nmin-host " MIN_HOST_TEXT "\ntier 1\n" ENTRY_LINES;                                                  \
  static const sixrung_plugin_descriptor sixrung_c_descriptor = {SIXRUNG_MAGIC,                              \
                                                                 sizeof(sixrung_plugin_descriptor),          \
                                                                 SIXRUNG_ABI_MAJOR,                          \
                                                                 SIXRUNG_TARGET_MINOR,                       \
                                                                 MIN_HOST,                                   \
                                                                 SIXRUNG_TIER_C,                             \
                                                                 0u,                                         \
                                                                 SIXRUNG_STR(ID),                            \
                                                                 SIXRUNG_STR(VERSION),                       \
                                                                 SIXRUNG_STR(__VERSION__),                   \
                                                                 sixrung_c_init,                             \
                                                                 0,                                          \
                                                                 0};                                         \
  SIXRUNG_EXPORT const sixrung_plugin_descriptor *SIXRUNG_ENTRY_NAME(void);                                  \
  SIXRUNG_EXPORT const sixrung_plugin_descriptor *SIXRUNG_ENTRY_NAME(void) { return &sixrung_c_descriptor; } \
  struct sixrung_plugin_descriptor

#endif /* SIXRUNG_PLUGIN_C_H */
