/* The same op in plain C. */
#include "sixrung/plugin_c.h"

static sixrung_status *lower_plain(const sixrung_host *host, void *user, sixrung_call call) {
  sixrung_named_arg self;
  sixrung_value operands[2], sum;
  sixrung_op op = {0};
  (void)user;
  SIXRUNG_TRY(host->call_arg(call, 0, &self));
  if (self.value.tag != SIXRUNG_ARG_VALUE)
    return SIXRUNG_FAIL(host, SIXRUNG_INVALID_ARGUMENT, "self must be a tensor");
  operands[0].id = operands[1].id = self.value.payload;
  op.struct_size = sizeof op;
  op.operand_count = 2;
  op.result_count = 1;
  op.name.data = "coreai.add";
  op.name.size = 10;
  op.operands = operands;
  SIXRUNG_TRY(host->build_op(call, &op, &sum));
  return host->call_set_result(call, 0, sum);
}

#define LOWERINGS(X) X("acme::plain.default", lower_plain)
SIXRUNG_C_PLUGIN("com.acme.plain", "1.0.0", LOWERINGS, SIXRUNG_NO_ENTRIES);
