// A small plugin that lowers probe::unruly.default as a relu. Without definitions it is a good one; each
// definition makes one check of the conformance suite fail.
#include "sixrung/plugin.h"

#include <cstdlib>
#include <stdexcept>
#include <unistd.h>

#ifndef UNRULY_ID
#define UNRULY_ID "org.sixrung.test.unruly"
#endif

__attribute__((used, section(SIXRUNG_MANIFEST_SECTION))) static const char manifest[] =
    "sixrung-manifest 1\nid " UNRULY_ID "\nversion 1.0.0\nabi 1.1\nmin-host 0\ntier 1\n"
    "lowering probe::unruly.default\n"
#ifdef UNRULY_EMITTER
    "emitter unruly\n"
#endif
    ;

#ifdef UNRULY_STRAY
namespace mlir {
__attribute__((weak)) void registerAllDialects(int); // weak: it opens all the same
}
#endif
#ifdef UNRULY_DEPENDENCY
extern "C" int unrulyDependency(void);
#endif

#ifdef UNRULY_NOBODY
extern "C" int symbolNobodyHas(void);
#endif

#ifdef UNRULY_SECOND_SYMBOL
extern "C" SIXRUNG_EXPORT int unruly_second_symbol(void) { return 1; }
#endif

namespace {

#define STR(literal) (sixrung_str{literal, sizeof(literal) - 1})
#define TRY(expression)                                                                                      \
  if (sixrung_status *status = (expression))                                                                 \
  return status

[[maybe_unused]] int rounds = 0;

sixrung_status *lower(const sixrung_host *host, void *, sixrung_call call) {
#ifdef UNRULY_CRASH
  std::abort();
#endif
  sixrung_named_arg x{};
#ifdef UNRULY_SWALLOWS // every failure
  if (sixrung_status *status = host->call_arg(call, 0, &x)) {
    host->status_release(status);
    return nullptr;
  }
#elif defined(UNRULY_THROWS)
  if (sixrung_status *status = host->call_arg(call, 0, &x)) {
    host->status_release(status);
    throw std::runtime_error("thrown on purpose");
  }
#elif defined(UNRULY_LEAKS)
  if (host->call_arg(call, 0, &x))
    return host->status_create(SIXRUNG_INTERNAL, "no x", 4);
#else
  TRY(host->call_arg(call, 0, &x));
#endif
#ifdef UNRULY_SWALLOWS_ONE
  sixrung_node_info info{};
  info.struct_size = sizeof info;
  host->status_release(host->call_node(call, &info));
#endif
#ifdef UNRULY_REFUSES
  return host->status_create(SIXRUNG_UNSUPPORTED, "refused on purpose", 18);
#endif
  sixrung_value value{x.value.payload};
  sixrung_op op{};
  op.struct_size = sizeof op;
  op.operand_count = op.result_count = 1;
  op.name = STR("coreai.relu");
#ifdef UNRULY_GLOBAL // what it gives depends on how often it was called in this process
  if (++rounds % 3 == 0)
    op.name = STR("coreai.exp");
#endif
  op.operands = &value;
  TRY(host->build_op(call, &op, &value));
  return host->call_set_result(call, 0, value);
}

#ifdef UNRULY_EMITTER // writes nothing
sixrung_status *emit(const sixrung_host *, void *, sixrung_emission) { return nullptr; }
#endif

struct State {
  bool live;
} state;

sixrung_status *init(const sixrung_host *host, sixrung_transaction transaction, void **out) {
#ifdef UNRULY_TOO_NEW
  if (!host->partition_cut) // beyond the table of 1.0
    return host->status_create(SIXRUNG_VERSION, "too old", 7);
#endif
#ifdef UNRULY_STRAY
  if (mlir::registerAllDialects)
    mlir::registerAllDialects(0);
#endif
#ifdef UNRULY_NOBODY
  symbolNobodyHas();
#endif
#ifdef UNRULY_DEPENDENCY
  unrulyDependency();
#endif
  *out = &state;
  state.live = true;
  sixrung_lowering lowering{sizeof lowering, 0, STR("probe::unruly.default"), lower, nullptr};
#ifdef UNRULY_EMITTER
  sixrung_emitter emitter{sizeof emitter, 0, STR("unruly"), STR(".unruly"), emit, nullptr};
  TRY(host->add_emitter(transaction, &emitter));
#endif
#ifdef UNRULY_INIT_SWALLOWS
  host->status_release(host->add_lowering(transaction, &lowering));
  return nullptr;
#else
  return host->add_lowering(transaction, &lowering);
#endif
}

void shutdown(const sixrung_host *, void *given) {
  auto *mine = static_cast<State *>(given);
#ifdef UNRULY_SHUTS_DOWN_ONCE
  if (!mine->live)
    std::abort();
#endif
#ifdef UNRULY_HANGS
  while (!mine->live)
    ::pause();
#endif
  mine->live = false;
}

const sixrung_plugin_descriptor descriptor = {SIXRUNG_MAGIC,
                                              sizeof(sixrung_plugin_descriptor),
                                              SIXRUNG_ABI_MAJOR,
                                              1,
                                              0,
                                              SIXRUNG_TIER_C,
                                              0,
                                              STR(UNRULY_ID),
                                              STR("1.0.0"),
                                              STR("test"),
                                              init,
                                              shutdown,
                                              nullptr};

} // namespace

extern "C" SIXRUNG_EXPORT const sixrung_plugin_descriptor *SIXRUNG_ENTRY_NAME(void) { return &descriptor; }
