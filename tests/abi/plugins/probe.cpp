// One small plugin in many variants, each wrong in one way: the refusal matrix (gate e). Which one it is
// is chosen by definitions on the command line; without any it is a good plugin.
#include "sixrung/plugin.h"

#include <stdexcept>

#ifndef PROBE_ID
#define PROBE_ID "org.sixrung.test.probe"
#endif
#ifndef PROBE_VERSION
#define PROBE_VERSION "1.0.0"
#endif
#ifndef PROBE_KEY
#define PROBE_KEY "probe::op.default"
#endif
#ifndef PROBE_MANIFEST_FACTS
#define PROBE_MANIFEST_FACTS "abi 1.0\nmin-host 0\ntier 1\n"
#endif
#ifndef PROBE_MANIFEST_ENTRIES
#define PROBE_MANIFEST_ENTRIES "lowering " PROBE_KEY "\n"
#endif
#ifndef PROBE_MANIFEST_ID
#define PROBE_MANIFEST_ID PROBE_ID
#endif
#ifndef PROBE_MAGIC
#define PROBE_MAGIC SIXRUNG_MAGIC
#endif
#ifndef PROBE_SIZE
#define PROBE_SIZE sizeof(sixrung_plugin_descriptor)
#endif
#ifndef PROBE_MAJOR
#define PROBE_MAJOR SIXRUNG_ABI_MAJOR
#endif
#ifndef PROBE_MIN_HOST
#define PROBE_MIN_HOST 0
#endif
#ifndef PROBE_TIER
#define PROBE_TIER SIXRUNG_TIER_C
#endif
#ifndef PROBE_FLAGS
#define PROBE_FLAGS 0
#endif
#ifndef PROBE_INIT
#define PROBE_INIT init
#endif

#ifndef PROBE_NO_MANIFEST
__attribute__((used, section(SIXRUNG_MANIFEST_SECTION))) static const char manifest[] =
    "sixrung-manifest 1\nid " PROBE_MANIFEST_ID "\nversion " PROBE_VERSION
    "\n" PROBE_MANIFEST_FACTS PROBE_MANIFEST_ENTRIES;
#endif

namespace {

#define STR(literal) (sixrung_str{literal, sizeof(literal) - 1})

// Counts what the host called; tests read it through get_extension("org.sixrung.test.counts/1").
struct Counts {
  int inits, shutdowns;
  sixrung_transaction last;
} counts;

[[maybe_unused]] sixrung_status *lower(const sixrung_host *, void *, sixrung_call) { return nullptr; }
[[maybe_unused]] sixrung_status *emit(const sixrung_host *, void *, sixrung_emission) { return nullptr; }

[[maybe_unused]] sixrung_status *addKey(const sixrung_host *host, sixrung_transaction tx, sixrung_str key,
                                        uint32_t flags) {
  sixrung_lowering lowering{};
  lowering.struct_size = sizeof lowering;
  lowering.flags = flags;
  lowering.key = key;
  lowering.fn = lower;
  return host->add_lowering(tx, &lowering);
}

[[maybe_unused]] sixrung_status *init(const sixrung_host *host, sixrung_transaction tx, void **state) {
  ++counts.inits;
  counts.last = tx;
  *state = &counts;
#ifndef PROBE_ADD_NOTHING
  if (sixrung_status *status = addKey(host, tx, STR(PROBE_KEY), PROBE_FLAGS))
    return status;
#endif
#ifdef PROBE_EXTRA_KEY
  if (sixrung_status *status = addKey(host, tx, STR(PROBE_EXTRA_KEY), 0))
    return status;
#endif
#ifdef PROBE_EMITTER
  sixrung_emitter emitter{};
  emitter.struct_size = sizeof emitter;
  emitter.name = STR(PROBE_EMITTER);
  emitter.suffixes = STR(".probe;.probeb");
  emitter.fn = emit;
  if (sixrung_status *status = host->add_emitter(tx, &emitter))
    return status;
#endif
#ifdef PROBE_FAIL_LATE
  sixrung_status *status = host->status_create(SIXRUNG_UNSUPPORTED, "the license ran out", 19);
  host->status_add(status, STR("hint"), STR("renew it"));
  return status;
#endif
#ifdef PROBE_THROW
  throw std::runtime_error("thrown on purpose");
#endif
#ifdef PROBE_THROW_INT
  throw 42;
#endif
#ifdef PROBE_WILD_STATUS
  static int notAStatus;
  return reinterpret_cast<sixrung_status *>(&notAStatus);
#endif
  return nullptr;
}

void shutdown(const sixrung_host *, void *state) {
  ++static_cast<Counts *>(state)->shutdowns;
#ifdef PROBE_THROW_IN_SHUTDOWN
  throw std::runtime_error("thrown on purpose");
#endif
}

const void *get_extension(sixrung_str name) { return name.size ? &counts : nullptr; }

#ifdef PROBE_LONG
// A descriptor of a later minor: more fields than this host knows.
struct Descriptor {
  sixrung_plugin_descriptor known;
  uint64_t later[4];
};
#else
struct Descriptor {
  sixrung_plugin_descriptor known;
};
#endif

const Descriptor descriptor = {
    {PROBE_MAGIC, PROBE_SIZE, PROBE_MAJOR, SIXRUNG_TARGET_MINOR, PROBE_MIN_HOST, PROBE_TIER, 0, STR(PROBE_ID),
     STR(PROBE_VERSION), STR("test"), PROBE_INIT, shutdown, get_extension}
#ifdef PROBE_LONG
    ,
    {1, 2, 3, 4}
#endif
};

} // namespace

#ifndef PROBE_NO_ENTRY
extern "C" SIXRUNG_EXPORT const sixrung_plugin_descriptor *sixrung_plugin_v1(void);
extern "C" const sixrung_plugin_descriptor *sixrung_plugin_v1(void) {
#ifdef PROBE_NULL_DESCRIPTOR
  return nullptr;
#elif defined(PROBE_ENTRY_THROWS)
  throw std::runtime_error("thrown on purpose");
#else
  return &descriptor.known;
#endif
}
#else
extern "C" SIXRUNG_EXPORT const void *sixrung_plugin_v0(void) { return &descriptor; }
#endif
