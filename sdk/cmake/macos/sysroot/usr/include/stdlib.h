/* ISO C declarations of what libSystem.tbd beside this names; no Apple header was copied. */
#ifndef SIXRUNG_SYSROOT_STDLIB_H
#define SIXRUNG_SYSROOT_STDLIB_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void *calloc(size_t count, size_t size);
void free(void *memory);
void *malloc(size_t size);
void *realloc(void *memory, size_t size);

#ifdef __cplusplus
}
#endif

#endif
