/*===- sixrung/layout.h - offsets frozen per shipped minor (gate a) ---------===*/
#ifndef SIXRUNG_LAYOUT_H
#define SIXRUNG_LAYOUT_H

#include <stddef.h>

#ifdef __cplusplus
#define SIXRUNG_ASSERT(cond, text) static_assert(cond, text)
#else
#define SIXRUNG_ASSERT(cond, text) _Static_assert(cond, text)
#endif
#define SIXRUNG_AT(type, field, offset)                                                                      \
  SIXRUNG_ASSERT(offsetof(type, field) == (offset), #type "." #field " moved")

#if UINTPTR_MAX == UINT64_MAX
SIXRUNG_ASSERT(sizeof(sixrung_arg) == 16, "sixrung_arg is 16 bytes (ABI-9)");
SIXRUNG_ASSERT(sizeof(sixrung_str) == 16, "sixrung_str is 16 bytes");

/* since 1.0: the descriptor */
SIXRUNG_AT(sixrung_plugin_descriptor, magic, 0);
SIXRUNG_AT(sixrung_plugin_descriptor, struct_size, 8);
SIXRUNG_AT(sixrung_plugin_descriptor, abi_major, 12);
SIXRUNG_AT(sixrung_plugin_descriptor, abi_minor, 16);
SIXRUNG_AT(sixrung_plugin_descriptor, min_host_minor, 20);
SIXRUNG_AT(sixrung_plugin_descriptor, tier, 24);
SIXRUNG_AT(sixrung_plugin_descriptor, id, 32);
SIXRUNG_AT(sixrung_plugin_descriptor, version, 48);
SIXRUNG_AT(sixrung_plugin_descriptor, fingerprint, 64);
SIXRUNG_AT(sixrung_plugin_descriptor, init, 80);
SIXRUNG_AT(sixrung_plugin_descriptor, shutdown, 88);
SIXRUNG_AT(sixrung_plugin_descriptor, get_extension, 96);

/* since 1.0: structs */
SIXRUNG_AT(sixrung_type, kind, 4);
SIXRUNG_AT(sixrung_type, dtype, 8);
SIXRUNG_AT(sixrung_type, rank, 12);
SIXRUNG_AT(sixrung_type, dims, 16);
SIXRUNG_AT(sixrung_named_arg, value, 16);
SIXRUNG_AT(sixrung_node_info, name, 16);
SIXRUNG_AT(sixrung_node_info, key, 32);
SIXRUNG_AT(sixrung_node_info, source_file, 48);
SIXRUNG_AT(sixrung_node_info, module_path, 64);
SIXRUNG_AT(sixrung_result_info, dims, 24);
SIXRUNG_AT(sixrung_op, name, 24);
SIXRUNG_AT(sixrung_op, operands, 40);
SIXRUNG_AT(sixrung_op, attributes, 48);
SIXRUNG_AT(sixrung_op, result_types, 56);
SIXRUNG_AT(sixrung_op, regions, 64);
SIXRUNG_AT(sixrung_constant_view, type, 8);
SIXRUNG_AT(sixrung_constant_view, data, 32);
SIXRUNG_AT(sixrung_constant_view, size, 40);
SIXRUNG_AT(sixrung_constant_view, splat, 48);
SIXRUNG_AT(sixrung_lower_request, key, 16);
SIXRUNG_AT(sixrung_lower_request, args, 32);
SIXRUNG_AT(sixrung_lower_request, results, 40);
SIXRUNG_AT(sixrung_lowering, key, 8);
SIXRUNG_AT(sixrung_lowering, fn, 24);
SIXRUNG_AT(sixrung_lowering, user, 32);
SIXRUNG_AT(sixrung_emitter, name, 8);
SIXRUNG_AT(sixrung_emitter, suffixes, 24);
SIXRUNG_AT(sixrung_emitter, fn, 40);
SIXRUNG_AT(sixrung_emission_info, path, 8);
SIXRUNG_AT(sixrung_emission_info, options, 24);

/* since 1.0: the host table, slot by slot after a 16-byte head */
enum {
#define SIXRUNG_HOST_FN(since, ret, name, params) SIXRUNG_SLOT_##name,
#include "sixrung/host_functions.def"
#undef SIXRUNG_HOST_FN
  SIXRUNG_SLOT_COUNT
};
#define SIXRUNG_HOST_FN(since, ret, name, params)                                                            \
  SIXRUNG_AT(sixrung_host, name, 16 + 8 * SIXRUNG_SLOT_##name);
#include "sixrung/host_functions.def"
#undef SIXRUNG_HOST_FN
SIXRUNG_AT(sixrung_host, status_create, 16);
SIXRUNG_AT(sixrung_host, add_lowering, 64);
SIXRUNG_AT(sixrung_host, build_op, 168);
SIXRUNG_AT(sixrung_host, emission_serialize, 232);

#if SIXRUNG_TARGET_MINOR >= 1
/* since 1.1 */
SIXRUNG_AT(sixrung_graph_desc, flags, 4);
SIXRUNG_AT(sixrung_graph_desc, input_count, 8);
SIXRUNG_AT(sixrung_graph_desc, attribute_count, 12);
SIXRUNG_AT(sixrung_graph_desc, output_count, 16);
SIXRUNG_AT(sixrung_graph_desc, version, 20);
SIXRUNG_AT(sixrung_graph_desc, name, 24);
SIXRUNG_AT(sixrung_graph_desc, input_names, 40);
SIXRUNG_AT(sixrung_graph_desc, input_types, 48);
SIXRUNG_AT(sixrung_graph_desc, composite, 56);
SIXRUNG_AT(sixrung_graph_desc, attributes, 72);
SIXRUNG_AT(sixrung_graph_desc, output_names, 80);
SIXRUNG_AT(sixrung_composite_attribute, tag, 4);
SIXRUNG_AT(sixrung_composite_attribute, flags, 8);
SIXRUNG_AT(sixrung_composite_attribute, name, 16);
SIXRUNG_AT(sixrung_composite_attribute, fallback, 32);
SIXRUNG_AT(sixrung_composite, flags, 4);
SIXRUNG_AT(sixrung_composite, version, 8);
SIXRUNG_AT(sixrung_composite, input_count, 12);
SIXRUNG_AT(sixrung_composite, attribute_count, 16);
SIXRUNG_AT(sixrung_composite, output_count, 20);
SIXRUNG_AT(sixrung_composite, name, 24);
SIXRUNG_AT(sixrung_composite, input_names, 40);
SIXRUNG_AT(sixrung_composite, output_names, 48);
SIXRUNG_AT(sixrung_composite, attributes, 56);
SIXRUNG_AT(sixrung_composite, body, 64);
SIXRUNG_AT(sixrung_composite, user, 72);
SIXRUNG_AT(sixrung_composite_request, operand_count, 4);
SIXRUNG_AT(sixrung_composite_request, attribute_count, 8);
SIXRUNG_AT(sixrung_composite_request, result_count, 12);
SIXRUNG_AT(sixrung_composite_request, name, 16);
SIXRUNG_AT(sixrung_composite_request, operands, 32);
SIXRUNG_AT(sixrung_composite_request, attributes, 40);
SIXRUNG_AT(sixrung_composite_request, results, 48);
SIXRUNG_AT(sixrung_partition_info, node_count, 4);
SIXRUNG_AT(sixrung_partition_info, option_count, 8);
SIXRUNG_AT(sixrung_partition_info, entrypoint, 16);
SIXRUNG_AT(sixrung_partition_info, options, 32);
SIXRUNG_AT(sixrung_module_frame, type, 16);
SIXRUNG_ASSERT(sizeof(sixrung_module_frame) == 32, "sixrung_module_frame is frozen");
SIXRUNG_AT(sixrung_partition_node, module_count, 4);
SIXRUNG_AT(sixrung_partition_node, predecessor_count, 8);
SIXRUNG_AT(sixrung_partition_node, taken, 12);
SIXRUNG_AT(sixrung_partition_node, name, 16);
SIXRUNG_AT(sixrung_partition_node, key, 32);
SIXRUNG_AT(sixrung_partition_node, modules, 48);
SIXRUNG_AT(sixrung_partition_node, predecessors, 56);
SIXRUNG_AT(sixrung_cut, node_count, 4);
SIXRUNG_AT(sixrung_cut, flags, 8);
SIXRUNG_AT(sixrung_cut, name, 16);
SIXRUNG_AT(sixrung_cut, nodes, 32);
SIXRUNG_AT(sixrung_strategy, flags, 4);
SIXRUNG_AT(sixrung_strategy, name, 8);
SIXRUNG_AT(sixrung_strategy, fn, 24);
SIXRUNG_AT(sixrung_strategy, user, 32);
SIXRUNG_AT(sixrung_host, add_composite, 240);
SIXRUNG_AT(sixrung_host, graph_open, 256);
SIXRUNG_AT(sixrung_host, composite, 280);
SIXRUNG_AT(sixrung_host, partition_cut, 304);
#endif
#endif

#endif /* SIXRUNG_LAYOUT_H */
