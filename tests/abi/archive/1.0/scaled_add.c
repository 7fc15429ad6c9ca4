/* Lowers acme::scaled_add(x, y, *, scale=1.0, relu=False) = x + scale * y, in C11 against one header. */
#include "sixrung/plugin_c.h"

#include <string.h>

#define KEY "acme::scaled_add.default"

static sixrung_str str(const char *text) {
  sixrung_str s = {text, strlen(text)};
  return s;
}

static sixrung_status *fail(const sixrung_host *host, uint32_t code, const char *message, const char *hint) {
  sixrung_status *status = host->status_create(code, message, strlen(message));
  host->status_add(status, str("hint"), str(hint));
  return status;
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

/* Schemas of custom ops are not known to the host, so an argument left at its default is not there. */
static sixrung_status *optional_arg(const sixrung_host *host, sixrung_call call, const char *name,
                                    sixrung_arg *out) {
  sixrung_status *status = host->call_arg_named(call, str(name), out);
  if (status && host->status_code(status) == SIXRUNG_NOT_FOUND) {
    host->status_release(status);
    out->tag = SIXRUNG_ARG_NONE;
    return NULL;
  }
  return status;
}

static sixrung_status *lower(const sixrung_host *host, void *user, sixrung_call call) {
  (void)user;
  sixrung_named_arg arguments[2];
  sixrung_value operands[2], scaled, sum;
  for (uint32_t i = 0; i < 2; ++i) {
    sixrung_type type = {sizeof type};
    SIXRUNG_TRY(host->call_arg(call, i, &arguments[i]));
    if (arguments[i].value.tag != SIXRUNG_ARG_VALUE)
      return fail(host, SIXRUNG_INVALID_ARGUMENT, KEY " takes two tensors", "check the op's schema");
    operands[i].id = arguments[i].value.payload;
    SIXRUNG_TRY(host->value_type(call, operands[i], &type));
    if (type.dtype != SIXRUNG_F32)
      return fail(host, SIXRUNG_UNSUPPORTED, KEY " is lowered for float32 only", "convert the model to float32");
  }

  float scale = 1.0f;
  sixrung_arg argument;
  SIXRUNG_TRY(optional_arg(host, call, "scale", &argument));
  if (argument.tag == SIXRUNG_ARG_FLOAT) {
    double value;
    memcpy(&value, &argument.payload, sizeof value);
    scale = (float)value;
  }
  sixrung_type scalar = {sizeof scalar, SIXRUNG_TYPE_TENSOR, SIXRUNG_F32, 0, NULL};
  sixrung_value factors[2] = {operands[1], {0}}, terms[2] = {operands[0], {0}};
  SIXRUNG_TRY(host->constant(call, &scalar, &scale, sizeof scale, &factors[1]));
  SIXRUNG_TRY(build(host, call, "coreai.decomposable.broadcasting_mul", factors, 2, &scaled));
  terms[1] = scaled;
  SIXRUNG_TRY(build(host, call, "coreai.decomposable.broadcasting_add", terms, 2, &sum));

  SIXRUNG_TRY(optional_arg(host, call, "relu", &argument));
  if (argument.tag == SIXRUNG_ARG_BOOL && argument.payload)
    SIXRUNG_TRY(build(host, call, "coreai.relu", &sum, 1, &sum));
  return host->call_set_result(call, 0, sum);
}

/* The table gives the registration and the manifest both. The second list is of emitters. */
#define LOWERINGS(X) X(KEY, lower)
SIXRUNG_C_PLUGIN("com.acme.scaled_add", "1.0.0", LOWERINGS, SIXRUNG_NO_ENTRIES);
