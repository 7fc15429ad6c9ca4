/* Entries of ABI 1.1 in plain C. */
#include "sixrung/plugin_c.h"

static sixrung_status *body(const sixrung_host *host, void *user, sixrung_call call) {
  sixrung_op op = {sizeof(sixrung_op), 1, 0, 1, 0, 0, SIXRUNG_STR("coreai.relu"), 0, 0, 0, 0};
  sixrung_str input = SIXRUNG_STR("input");
  sixrung_arg argument;
  sixrung_value value;
  (void)user;
  SIXRUNG_TRY(host->call_arg_named(call, input, &argument));
  value.id = argument.payload;
  op.operands = &value;
  SIXRUNG_TRY(host->build_op(call, &op, &value));
  return host->call_set_result(call, 0, value);
}

static sixrung_status *cut_all(const sixrung_host *host, void *user, sixrung_partition partition) {
  sixrung_partition_info info = {sizeof(sixrung_partition_info), 0, 0, 0, {0, 0}, 0};
  uint32_t nodes[64], i;
  sixrung_cut cut = {sizeof(sixrung_cut), 0, 0, 0, SIXRUNG_STR("all"), 0};
  (void)user;
  SIXRUNG_TRY(host->partition_info(partition, &info));
  if (info.node_count > 64)
    return SIXRUNG_FAIL(host, SIXRUNG_UNSUPPORTED, "more than 64 nodes");
  for (i = 0; i < info.node_count; ++i)
    nodes[i] = i;
  cut.node_count = info.node_count;
  cut.nodes = nodes;
  return host->partition_cut(partition, &cut);
}

static const sixrung_str inputs[] = {SIXRUNG_STR("input")};
static const sixrung_str outputs[] = {SIXRUNG_STR("output")};
static const sixrung_composite plain_relu = {
    sizeof(sixrung_composite), 0, 1, 1, 0, 1, SIXRUNG_STR("plain_relu"), inputs, outputs, 0, body, 0};

#define COMPOSITES(X) X("plain_relu", plain_relu)
#define STRATEGIES(X) X("plain_all", cut_all)
SIXRUNG_C_PLUGIN_1_1("org.sixrung.test.plain11", "1.0.0", SIXRUNG_NO_ENTRIES, SIXRUNG_NO_ENTRIES, COMPOSITES,
                     STRATEGIES);
