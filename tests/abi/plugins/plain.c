/* A good plugin in plain C: nothing but the header. */
#include "sixrung/plugin.h"

__attribute__((used, section(SIXRUNG_MANIFEST_SECTION))) static const char manifest[] =
    "sixrung-manifest 1\n"
    "id org.sixrung.test.plain\n"
    "version 1.0.0\n"
    "abi 1.0\n"
    "min-host 0\n"
    "tier 1\n"
    "lowering plain::op.default\n";

#define STR(literal) {literal, sizeof(literal) - 1}

static sixrung_status *lower(const sixrung_host *host, void *user, sixrung_call call) {
  (void)host;
  (void)user;
  (void)call;
  return 0;
}

static sixrung_status *init(const sixrung_host *host, sixrung_transaction transaction, void **state) {
  sixrung_lowering lowering = {sizeof lowering, 0, STR("plain::op.default"), lower, 0};
  (void)state;
  return host->add_lowering(transaction, &lowering);
}

static const sixrung_plugin_descriptor descriptor = {SIXRUNG_MAGIC,
                                                     sizeof(sixrung_plugin_descriptor),
                                                     SIXRUNG_ABI_MAJOR,
                                                     SIXRUNG_TARGET_MINOR,
                                                     0,
                                                     SIXRUNG_TIER_C,
                                                     0,
                                                     STR("org.sixrung.test.plain"),
                                                     STR("1.0.0"),
                                                     STR("test"),
                                                     init,
                                                     0,
                                                     0};

SIXRUNG_EXPORT const sixrung_plugin_descriptor *SIXRUNG_ENTRY_NAME(void);
const sixrung_plugin_descriptor *SIXRUNG_ENTRY_NAME(void) { return &descriptor; }
