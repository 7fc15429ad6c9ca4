/* What ABI 1.1 added to the structs of sixrung/plugin.h, which includes this where it stands. */
#ifndef SIXRUNG_SINCE_1_1_H
#define SIXRUNG_SINCE_1_1_H

/*--- since 1.1: private graphs and composites -----------------------------*/

typedef struct sixrung_graph {
  uint64_t id;
} sixrung_graph; /* until its entrypoint is finished */

#define SIXRUNG_GRAPH_NAMED 1u    /* the symbol is `name` itself where that is free */
#define SIXRUNG_GRAPH_TEMPLATE 2u /* template_op names the composite too */

/* A private graph that is never inlined. Its symbol is `name`, and a suffix made of its
 * content, so equal graphs are one. */
typedef struct sixrung_graph_desc {
  uint32_t struct_size;
  uint32_t flags; /* SIXRUNG_GRAPH_... */
  uint32_t input_count;
  uint32_t attribute_count;
  uint32_t output_count; /* names of outputs; 0 leaves them without */
  uint32_t version;      /* of the composite */
  sixrung_str name;
  const sixrung_str *input_names; /* input_count entries */
  const sixrung_type *input_types;
  /* The known operation the graph spells out, or empty; then its attributes: a 64-bit
   * integer, a 32-bit float, a bool, a string, or lists of them. None is left out. */
  sixrung_str composite;
  const sixrung_named_arg *attributes;
  const sixrung_str *output_names;
} sixrung_graph_desc;

#define SIXRUNG_ATTRIBUTE_OPTIONAL 1u /* may be left out, and is then None */

/* One attribute of a composite's schema. */
typedef struct sixrung_composite_attribute {
  uint32_t struct_size;
  uint32_t tag;      /* SIXRUNG_ARG_BOOL to _STRING, _DTYPE, or a list of BOOL to STRING */
  uint32_t flags;    /* SIXRUNG_ATTRIBUTE_... */
  uint32_t reserved; /* 0 */
  sixrung_str name;
  sixrung_arg fallback; /* for a request without it; tag NONE: it must be given, unless optional */
} sixrung_composite_attribute;

/* A known operation and its meaning spelled out in ops. `body` runs in a graph of its own:
 * its call has the inputs by name, None for one left out, then the attributes by name. */
typedef struct sixrung_composite {
  uint32_t struct_size;
  uint32_t flags;   /* SIXRUNG_ENTRY_OVERRIDE */
  uint32_t version; /* of the operation; 1 or more */
  uint32_t input_count;
  uint32_t attribute_count;
  uint32_t output_count;
  sixrung_str name; /* "hard_sigmoid" */
  const sixrung_str *input_names;
  const sixrung_str *output_names;
  const sixrung_composite_attribute *attributes;
  sixrung_lower_fn body;
  void *user;
} sixrung_composite;

typedef struct sixrung_composite_request {
  uint32_t struct_size;
  uint32_t operand_count;
  uint32_t attribute_count;
  uint32_t result_count;
  sixrung_str name;
  const sixrung_value *operands; /* in the order of the inputs; id 0 leaves one out */
  const sixrung_named_arg *attributes;
  const sixrung_result_info *results; /* what the call is to give; checked */
} sixrung_composite_request;

/*--- since 1.1: externalization -------------------------------------------*/

/* The nodes of one entrypoint before they are lowered. Until the strategy returns. */
typedef struct sixrung_partition {
  uint64_t id;
} sixrung_partition;

typedef struct sixrung_partition_info {
  uint32_t struct_size;
  uint32_t node_count; /* nodes that will be lowered; each comes after those it reads */
  uint32_t option_count;
  uint32_t reserved;
  sixrung_str entrypoint;
  const sixrung_named_arg *options; /* lists of strings by name: "paths", ... */
} sixrung_partition_info;

/* Frozen: path "layers.0.attn" and class of one frame of nn_module_stack. */
typedef struct sixrung_module_frame {
  sixrung_str path;
  sixrung_str type;
} sixrung_module_frame;

typedef struct sixrung_partition_node {
  uint32_t struct_size;
  uint32_t module_count;
  uint32_t predecessor_count;
  uint32_t taken; /* 1: it is in a cut already */
  sixrung_str name;
  sixrung_str key;
  const sixrung_module_frame *modules; /* outermost first */
  const uint32_t *predecessors;        /* nodes whose results it reads */
} sixrung_partition_node;

/* Nodes that become a private graph @name, invoked where they stood. */
typedef struct sixrung_cut {
  uint32_t struct_size;
  uint32_t node_count;
  uint32_t flags;    /* 0 */
  uint32_t reserved; /* 0 */
  sixrung_str name;
  const uint32_t *nodes;
} sixrung_cut;

/* [session] Looks at an entrypoint and cuts sets of nodes out of it. */
typedef sixrung_status *(*sixrung_strategy_fn)(const struct sixrung_host *host, void *user,
                                               sixrung_partition partition);

typedef struct sixrung_strategy {
  uint32_t struct_size;
  uint32_t flags;   /* SIXRUNG_ENTRY_OVERRIDE */
  sixrung_str name; /* "module_path" */
  sixrung_strategy_fn fn;
  void *user;
} sixrung_strategy;

#endif /* SIXRUNG_SINCE_1_1_H */
