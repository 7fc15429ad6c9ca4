/* Lowers @IDENTIFIER@::gate(x, g, *, scale=1.0) = x * sigmoid(scale * g). */
#include "sixrung/plugin_c.h"

#include <string.h>

static sixrung_str str(const char *text) {
  sixrung_str s = {text, strlen(text)};
  return s;
}

/* An op of one result, whose type the host infers. */
static sixrung_status *build(const sixrung_host *host, sixrung_call call, const char *name,
                             const sixrung_value *operands, uint32_t count, sixrung_value *out) {
  sixrung_op op = {sizeof op};
  op.name = str(name);
  op.operands = operands;
  op.operand_count = count;
  op.result_count = 1;
  return host->build_op(call, &op, out);
}

/* An argument left at its default is not in the node. */
static sixrung_status *number(const sixrung_host *host, sixrung_call call, const char *name, float *value) {
  sixrung_arg argument;
  sixrung_status *status = host->call_arg_named(call, str(name), &argument);
  if (status && host->status_code(status) == SIXRUNG_NOT_FOUND) {
    host->status_release(status);
    return NULL;
  }
  if (!status && argument.tag == SIXRUNG_ARG_FLOAT) {
    double given;
    memcpy(&given, &argument.payload, sizeof given);
    *value = (float)given;
  }
  return status;
}

/* Every call of the host may fail; SIXRUNG_TRY returns its status from here. */
static sixrung_status *gate(const sixrung_host *host, void *user, sixrung_call call) {
  sixrung_value x, factors[2], terms[2];
  sixrung_arg argument;
  sixrung_type type = {sizeof type}, scalar = {sizeof scalar, SIXRUNG_TYPE_TENSOR, SIXRUNG_F32};
  float scale = 1.0f;
  (void)user;
  SIXRUNG_TRY(host->call_arg_named(call, str("x"), &argument));
  x.id = argument.payload;
  SIXRUNG_TRY(host->call_arg_named(call, str("g"), &argument));
  factors[0].id = argument.payload;
  SIXRUNG_TRY(host->value_type(call, x, &type));
  if (type.dtype != SIXRUNG_F32)
    return SIXRUNG_FAIL(host, SIXRUNG_UNSUPPORTED, "gate takes float32 tensors");
  SIXRUNG_TRY(number(host, call, "scale", &scale));
  SIXRUNG_TRY(host->constant(call, &scalar, &scale, sizeof scale, &factors[1]));
  SIXRUNG_TRY(build(host, call, "coreai.decomposable.broadcasting_mul", factors, 2, &terms[1]));
  SIXRUNG_TRY(build(host, call, "coreai.sigmoid", &terms[1], 1, &terms[1]));
  terms[0] = x;
  SIXRUNG_TRY(build(host, call, "coreai.decomposable.broadcasting_mul", terms, 2, &x));
  return host->call_set_result(call, 0, x);
}

/* One row a key. The registration and the manifest both come from this list. */
#define LOWERINGS(X) X("@IDENTIFIER@::gate.default", gate)
SIXRUNG_C_PLUGIN("com.example.@NAME@", "0.1.0", LOWERINGS, SIXRUNG_NO_ENTRIES);
