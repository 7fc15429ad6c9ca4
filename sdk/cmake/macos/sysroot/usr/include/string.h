/* ISO C declarations of what libSystem.tbd beside this names; no Apple header was copied. */
#ifndef SIXRUNG_SYSROOT_STRING_H
#define SIXRUNG_SYSROOT_STRING_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void *memchr(const void *bytes, int byte, size_t size);
int memcmp(const void *left, const void *right, size_t size);
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
char *strchr(const char *text, int character);
int strcmp(const char *left, const char *right);
size_t strlen(const char *text);
int strncmp(const char *left, const char *right, size_t size);

#ifdef __cplusplus
}
#endif

#endif
