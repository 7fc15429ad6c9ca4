/* A plugin for hosts of 1.0 and later alike: it asks before it uses what 1.1 brought (ABI-5). */
#include "sixrung/plugin_c.h"

static sixrung_status *lower(const sixrung_host *host, void *user, sixrung_call call) {
  sixrung_named_arg argument;
  sixrung_value x = {0}, out = {0};
  (void)user;
  SIXRUNG_TRY(host->call_arg(call, 0, &argument));
  x.id = argument.value.payload;
  if (SIXRUNG_HAS(host, composite)) {
    sixrung_composite_request request = {sizeof request, 1, 0, 1, SIXRUNG_STR("plain_relu"), &x, 0, 0};
    sixrung_result_info expected = {0};
    expected.struct_size = sizeof expected;
    SIXRUNG_TRY(host->call_result(call, 0, &expected));
    request.results = &expected;
    SIXRUNG_TRY(host->composite(call, &request, &out));
  } else {
    sixrung_op op = {sizeof op, 1, 0, 1, 0, 0, SIXRUNG_STR("coreai.relu"), &x, 0, 0, 0};
    SIXRUNG_TRY(host->build_op(call, &op, &out));
  }
  return host->call_set_result(call, 0, out);
}

#define LOWERINGS(X) X("probe::careful.default", lower)
SIXRUNG_C_PLUGIN("org.sixrung.test.careful", "1.0.0", LOWERINGS, SIXRUNG_NO_ENTRIES);
