#include "Allocations.h"

#include <stddef.h>

// The executable's malloc takes precedence over the C library's, for every library in the process. It counts and passes
// on. One addition in thread-local storage is all it costs.

static _Thread_local uint64_t count;

uint64_t allocations_count(void) { return count; }

#if defined(__GLIBC__) || defined(__linux__)
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void __libc_free(void *);

void *malloc(size_t size) {
  count++;
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count++;
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  count++;
  return __libc_realloc(block, size);
}

void free(void *block) { __libc_free(block); }
#endif
