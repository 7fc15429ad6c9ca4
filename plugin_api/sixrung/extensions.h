/* Capabilities beyond the host table (ABI-6), asked for by name:
 *
 *   sixrung_call_arg_strides_fn strides =
 *       (sixrung_call_arg_strides_fn)host->get_extension(name of SIXRUNG_EXT_CALL_ARG_STRIDES);
 *
 * NULL: this host has no such capability. A name never changes its meaning; what proves itself is appended
 * to the table in a later minor, and stays here too. */
#ifndef SIXRUNG_EXTENSIONS_H
#define SIXRUNG_EXTENSIONS_H

#include "sixrung/plugin.h"

/* [session] How the exporting program laid out the tensor argument `index` of a node: values here are
 * dense and row-major whatever it says, but ops that read storage (as_strided) mean that layout. */
#define SIXRUNG_EXT_CALL_ARG_STRIDES "org.sixrung.call_arg_strides/1"

/* Strides in elements, `rank` of them, borrowed until the lowering returns; -1 where known only at run
 * time. `storage_offset` in elements. SIXRUNG_NOT_FOUND where no layout is recorded: no tensor, or an
 * argument handed over by a dispatch. */
typedef sixrung_status *(*sixrung_call_arg_strides_fn)(sixrung_call call, uint32_t index,
                                                       const int64_t **out_strides, uint32_t *out_rank,
                                                       int64_t *out_storage_offset);

#endif
