/*===- sixrung/plugin.h - the sixrung plugin ABI, major 1 -------------------===
 *
 * Everything a plugin needs, in plain C11. No C++, MLIR or LibTorch type stands
 * in any signature (ABI-1). The rules cited as ABI-n are in docs/abi.md.
 *
 * A plugin is a shared library with one exported symbol, SIXRUNG_ENTRY_NAME,
 * returning a pointer to a static const sixrung_plugin_descriptor (ABI-2), and
 * one section, SIXRUNG_MANIFEST_SECTION, holding the same facts as text (ABI-3).
 *
 * Contract tags: [load] calls are serialized by the host. [session] calls come
 * from one thread at a time per session, while sessions run concurrently. [any]
 * may be called from any thread at any time (ABI-16).
 *===----------------------------------------------------------------------===*/
#ifndef SIXRUNG_PLUGIN_H
#define SIXRUNG_PLUGIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*--- versions (ABI-17) ----------------------------------------------------*/

#define SIXRUNG_ABI_MAJOR 1u
/* The newest minor this header describes. */
#define SIXRUNG_ABI_MINOR 1u
/* The newest minor the including plugin wants to use. Types and host functions of a
 * later minor are not declared, so their use does not compile (ABI-5). */
#ifndef SIXRUNG_TARGET_MINOR
#define SIXRUNG_TARGET_MINOR SIXRUNG_ABI_MINOR
#endif
#if SIXRUNG_TARGET_MINOR > SIXRUNG_ABI_MINOR
#error "SIXRUNG_TARGET_MINOR is newer than this header"
#endif

/* First eight bytes of the descriptor: "SIXRUNG" and 0x01, little endian. */
#define SIXRUNG_MAGIC UINT64_C(0x01474e5552584953)

#define SIXRUNG_ENTRY_NAME sixrung_plugin_v1
#define SIXRUNG_ENTRY_NAME_STRING "sixrung_plugin_v1"

#if defined(__APPLE__)
#define SIXRUNG_MANIFEST_SECTION "__TEXT,__sixrung"
#else
#define SIXRUNG_MANIFEST_SECTION ".sixrung.manifest"
#endif

#if defined(_WIN32)
#define SIXRUNG_EXPORT __declspec(dllexport)
#else
#define SIXRUNG_EXPORT __attribute__((visibility("default")))
#endif

/*--- strings and handles (ABI-8) ------------------------------------------*/

/* UTF-8 bytes, not terminated. Copied by the receiver. */
typedef struct sixrung_str {
  const char *data;
  uint64_t size;
} sixrung_str;

/* Handles carry a generation in their upper 32 bits. A stale or forged handle
 * gives SIXRUNG_STALE_HANDLE, never a crash. An id of 0 is "no handle". */
typedef struct sixrung_transaction {
  uint64_t id;
} sixrung_transaction; /* until init returns */
typedef struct sixrung_call {
  uint64_t id;
} sixrung_call; /* until the lowering returns */
typedef struct sixrung_emission {
  uint64_t id;
} sixrung_emission; /* until the emitter returns */
typedef struct sixrung_value {
  uint64_t id;
} sixrung_value; /* until its graph is finished */
typedef struct sixrung_region {
  uint64_t id;
} sixrung_region; /* until used by build_op */
typedef struct sixrung_subgraph {
  uint64_t id;
} sixrung_subgraph; /* until the lowering returns */

/*--- errors (ABI-7) -------------------------------------------------------*/

/* NULL is success. Allocated by the host alone; whoever receives one owns it and
 * passes it on or releases it. On failure out-parameters are untouched. */
typedef struct sixrung_status sixrung_status;

#define SIXRUNG_INVALID_ARGUMENT 1u /* an argument is malformed or out of range */
#define SIXRUNG_UNSUPPORTED 2u      /* well formed, but this lowering cannot express it */
#define SIXRUNG_NOT_FOUND 3u        /* no such argument, key, op or extension */
#define SIXRUNG_STALE_HANDLE 4u     /* the handle's life is over, or it never lived */
#define SIXRUNG_TYPE_MISMATCH 5u    /* operand or result types disagree */
#define SIXRUNG_VERIFY_FAILED 6u    /* the dialect refused the op */
#define SIXRUNG_ALREADY_EXISTS 7u   /* a key or id is taken */
#define SIXRUNG_IO 8u               /* reading or writing failed */
#define SIXRUNG_INTERNAL 9u         /* a bug, or an exception that met the boundary */
#define SIXRUNG_VERSION 10u         /* the other side is too old or too new */

/*--- element types --------------------------------------------------------*/

/* One numbering for PyTorch dtypes (in metadata) and coreai element types (of
 * values). Never renumbered. */
#define SIXRUNG_DTYPE_NONE 0u
#define SIXRUNG_BOOL 1u /* coreai: signless i1 */
#define SIXRUNG_SI8 2u
#define SIXRUNG_SI16 3u
#define SIXRUNG_SI32 4u
#define SIXRUNG_SI64 5u
#define SIXRUNG_UI8 6u
#define SIXRUNG_UI16 7u
#define SIXRUNG_UI32 8u
#define SIXRUNG_UI64 9u
#define SIXRUNG_F16 10u
#define SIXRUNG_BF16 11u
#define SIXRUNG_F32 12u
#define SIXRUNG_F64 13u
#define SIXRUNG_F8E5M2 14u
#define SIXRUNG_F8E4M3FN 15u
#define SIXRUNG_COMPLEX32 16u /* complex of f16 */
#define SIXRUNG_COMPLEX64 17u /* complex of f32 */
#define SIXRUNG_COMPLEX128 18u
#define SIXRUNG_SI2 19u
#define SIXRUNG_SI4 20u
#define SIXRUNG_UI1 21u
#define SIXRUNG_UI2 22u
#define SIXRUNG_UI3 23u
#define SIXRUNG_UI4 24u
#define SIXRUNG_UI6 25u
#define SIXRUNG_F4E2M1FN 26u
#define SIXRUNG_F8E8M0FNU 27u

/* A dimension whose size is known only at run time. */
#define SIXRUNG_DYNAMIC INT64_MIN

#define SIXRUNG_TYPE_TENSOR 1u
#define SIXRUNG_TYPE_TOKEN 2u
#define SIXRUNG_TYPE_HANDLE 3u /* dtype and dims describe the tensor behind it */

typedef struct sixrung_type {
  uint32_t struct_size;
  uint32_t kind;  /* SIXRUNG_TYPE_... */
  uint32_t dtype; /* SIXRUNG_F32, ... */
  uint32_t rank;
  const int64_t *dims; /* rank entries, each >= 0 or SIXRUNG_DYNAMIC; borrowed */
} sixrung_type;

/*--- arguments (ABI-9) ----------------------------------------------------*/

/* 16 bytes. Scalars live in the payload, anything larger is a borrowed pointer
 * that lives until the callback returns. */
typedef struct sixrung_arg {
  uint32_t tag;
  uint32_t count; /* entries of a list, bytes of a string, else 0 */
  uint64_t payload;
} sixrung_arg;

#define SIXRUNG_ARG_NONE 0u
#define SIXRUNG_ARG_BOOL 1u          /* 0 or 1 */
#define SIXRUNG_ARG_INT 2u           /* int64_t bits */
#define SIXRUNG_ARG_FLOAT 3u         /* double bits */
#define SIXRUNG_ARG_COMPLEX 4u       /* const double[2]: real, imaginary */
#define SIXRUNG_ARG_STRING 5u        /* const char[count], UTF-8 */
#define SIXRUNG_ARG_DTYPE 6u         /* SIXRUNG_F32, ... */
#define SIXRUNG_ARG_DEVICE 7u        /* const char[count], "cpu" or "mps:0" */
#define SIXRUNG_ARG_LAYOUT 8u        /* const char[count], "strided", ... */
#define SIXRUNG_ARG_MEMORY_FORMAT 9u /* const char[count], "contiguous_format", ... */
#define SIXRUNG_ARG_VALUE 10u        /* sixrung_value.id of a tensor */
#define SIXRUNG_ARG_SYM_INT 11u      /* sixrung_value.id, tensor<1xsi32> or <1xsi64> */
#define SIXRUNG_ARG_SYM_FLOAT 12u    /* sixrung_value.id, tensor<1xf32> */
#define SIXRUNG_ARG_SYM_BOOL 13u     /* sixrung_value.id, tensor<1xi1> */
#define SIXRUNG_ARG_OPERATOR 14u     /* const char[count], canonical key */
#define SIXRUNG_ARG_SUBGRAPH 15u     /* sixrung_subgraph.id */
#define SIXRUNG_ARG_INT_LIST 32u     /* const int64_t[count] */
#define SIXRUNG_ARG_FLOAT_LIST 33u   /* const double[count] */
#define SIXRUNG_ARG_BOOL_LIST 34u    /* const uint8_t[count], 0 or 1 */
#define SIXRUNG_ARG_STRING_LIST 35u  /* const sixrung_str[count] */
#define SIXRUNG_ARG_VALUE_LIST 36u   /* const sixrung_value[count]; id 0 is a hole (None) */
#define SIXRUNG_ARG_LIST 37u         /* const sixrung_arg[count]: nested or mixed */

typedef struct sixrung_named_arg {
  sixrung_str name; /* the schema's argument name; may be empty */
  sixrung_arg value;
} sixrung_named_arg;

/*--- the node being lowered -----------------------------------------------*/

typedef struct sixrung_node_info {
  uint32_t struct_size;
  uint32_t arg_count;      /* schema order; defaults of the aten schema are filled in */
  uint32_t result_count;   /* list results count one by one */
  uint32_t source_line;    /* 0 when unknown */
  sixrung_str name;        /* FX node name, "add_3" */
  sixrung_str key;         /* canonical key, "aten::add.Tensor" */
  sixrung_str source_file; /* innermost user frame; empty when unknown */
  sixrung_str module_path; /* innermost nn_module_stack path; may be empty */
} sixrung_node_info;

#define SIXRUNG_RESULT_NONE 0u
#define SIXRUNG_RESULT_TENSOR 1u
#define SIXRUNG_RESULT_SYM_INT 2u
#define SIXRUNG_RESULT_SYM_FLOAT 3u
#define SIXRUNG_RESULT_SYM_BOOL 4u

/* What the exported program says of one result. The value set for it must have
 * this rank, these sizes and this dtype, where int64 may be si64 or si32 and
 * float64 may be f64 or f32. */
typedef struct sixrung_result_info {
  uint32_t struct_size;
  uint32_t kind;        /* SIXRUNG_RESULT_... */
  uint32_t dtype;       /* as PyTorch says: SI64 for int64 */
  uint32_t value_dtype; /* the narrowed form a value usually has: SI32 for int64 */
  uint32_t rank;
  uint32_t used;       /* 0 when nothing reads it: it need not be set */
  const int64_t *dims; /* borrowed */
} sixrung_result_info;

/*--- building -------------------------------------------------------------*/

typedef struct sixrung_op {
  uint32_t struct_size;
  uint32_t operand_count;
  uint32_t attribute_count;
  uint32_t result_count; /* entries of out_results */
  uint32_t region_count;
  uint32_t reserved; /* 0 */
  sixrung_str name;  /* "coreai.add" */
  const sixrung_value *operands;
  /* Enumerations are strings by case name ("tanh", "constant"); anything else by
   * its tag. A string beginning with '#' is MLIR attribute text. */
  const sixrung_named_arg *attributes;
  const sixrung_type *result_types; /* result_count entries, or NULL: infer */
  const sixrung_region *regions;
} sixrung_op;

typedef struct sixrung_constant_view {
  uint32_t struct_size;
  uint32_t reserved;
  sixrung_type type;
  const void *data; /* NULL when the value is no constant; else row-major, dense */
  uint64_t size;    /* bytes; one element's bytes when `splat` */
  uint32_t splat;   /* 1: one element stands for all */
  uint32_t reserved2;
} sixrung_constant_view;

/* Dispatches back into the ladder: overrides apply inside (LADDER-2). */
typedef struct sixrung_lower_request {
  uint32_t struct_size;
  uint32_t arg_count;
  uint32_t result_count;
  uint32_t reserved; /* 0 */
  sixrung_str key;
  const sixrung_named_arg *args;      /* schema order; a non-empty name is by keyword */
  const sixrung_result_info *results; /* what the call is to give; checked */
} sixrung_lower_request;

#define SIXRUNG_NOTE 1u      /* told by `explain` */
#define SIXRUNG_WARNING 2u   /* told on stderr too */
#define SIXRUNG_NARROWING 3u /* a 64-bit value became 32-bit here */

/*--- what a plugin brings (ABI-11) ----------------------------------------*/

struct sixrung_host;

/* [session] Reads the node behind `call`, builds ops, sets every used result. */
typedef sixrung_status *(*sixrung_lower_fn)(const struct sixrung_host *host, void *user, sixrung_call call);

#define SIXRUNG_ENTRY_OVERRIDE 1u /* means to replace another plugin's key (ABI-12) */

typedef struct sixrung_lowering {
  uint32_t struct_size;
  uint32_t flags;
  sixrung_str key; /* canonical: "aten::add.Tensor", "acme::fused.default", "truediv" */
  sixrung_lower_fn fn;
  void *user;
} sixrung_lowering;

/* [any] Receives the next bytes of a serialization. */
typedef sixrung_status *(*sixrung_sink_fn)(void *user, const void *data, uint64_t size);

/* [session] Writes the finished program to emission_info().path, or nothing. */
typedef sixrung_status *(*sixrung_emit_fn)(const struct sixrung_host *host, void *user,
                                           sixrung_emission emission);

typedef struct sixrung_emitter {
  uint32_t struct_size;
  uint32_t flags;
  sixrung_str name;     /* "mlir" */
  sixrung_str suffixes; /* file suffixes it takes, separated by ';': ".mlir;.mlirb" */
  sixrung_emit_fn fn;
  void *user;
} sixrung_emitter;

typedef struct sixrung_emission_info {
  uint32_t struct_size;
  uint32_t option_count;
  sixrung_str path;                 /* where the user wants the output */
  const sixrung_named_arg *options; /* strings by name: "python", "optimize", "provenance", ... */
} sixrung_emission_info;

#define SIXRUNG_FORMAT_TEXT 1u
#define SIXRUNG_FORMAT_TEXT_GENERIC 2u
#define SIXRUNG_FORMAT_BYTECODE 3u

/*--- since 1.1: private graphs, composites, strategies ---------------------*/

#if SIXRUNG_TARGET_MINOR >= 1
#include "sixrung/since_1_1.h"
#endif

/*--- the host table (ABI-5) -----------------------------------------------*/

/* const and host-owned. Read a slot only after SIXRUNG_HAS. */
typedef struct sixrung_host {
  uint32_t struct_size;
  uint32_t abi_major;
  uint32_t abi_minor;
  uint32_t reserved;
#define SIXRUNG_HOST_FN(since, ret, name, params) ret(*name) params;
#include "sixrung/host_functions.def"
#undef SIXRUNG_HOST_FN
} sixrung_host;

/* 1 when the host's table reaches the slot `fn` and the slot is filled. */
#define SIXRUNG_HAS(host, fn)                                                                                \
  ((uint64_t)(host)->struct_size >= (uint64_t)((const char *)(&(host)->fn + 1) - (const char *)(host)) &&    \
   (host)->fn != 0)

/*--- the descriptor: frozen for ever (ABI-3) ------------------------------*/

#define SIXRUNG_TIER_C 1u      /* this header alone */
#define SIXRUNG_TIER_NATIVE 2u /* reserved for MLIR and LibTorch objects; refused today */

typedef struct sixrung_plugin_descriptor {
  uint64_t magic;          /* SIXRUNG_MAGIC */
  uint32_t struct_size;    /* sizeof(sixrung_plugin_descriptor) */
  uint32_t abi_major;      /* SIXRUNG_ABI_MAJOR */
  uint32_t abi_minor;      /* SIXRUNG_TARGET_MINOR */
  uint32_t min_host_minor; /* oldest host minor it runs on */
  uint32_t tier;           /* SIXRUNG_TIER_C */
  uint32_t reserved;       /* 0 */
  sixrung_str id;          /* reverse DNS: "com.acme.lowerings" */
  sixrung_str version;     /* semantic version: "1.2.0" */
  sixrung_str fingerprint; /* free text naming the build: compiler, revision */
  /* [load] Fills the transaction; `*state` becomes the session's plugin object,
   * handed to `shutdown`. Runs once per session. */
  sixrung_status *(*init)(const struct sixrung_host *host, sixrung_transaction transaction, void **state);
  /* [load] Once per successful init, in reverse order; tolerates repeats. May be NULL. */
  void (*shutdown)(const struct sixrung_host *host, void *state);
  /* [any] Capabilities of the plugin by name (ABI-6); may be NULL. */
  const void *(*get_extension)(sixrung_str name);
} sixrung_plugin_descriptor;

typedef const sixrung_plugin_descriptor *(*sixrung_entry_fn)(void);

#ifdef __cplusplus
}
#endif

#include "sixrung/layout.h"

#endif /* SIXRUNG_PLUGIN_H */
