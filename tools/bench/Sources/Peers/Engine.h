#pragma once
#include "Peers.h"

#include <pthread.h>
#include <stdio.h>

/// What one engine does; each lives in a file of its own.
typedef struct {
  /// Opens below a directory; NULL with a message.
  void *(*open)(const char *directory, int durable, char *error, size_t error_size);
  /// Appends events from number `first` on, in one transaction; 0, or -1 with a message.
  int (*append)(
      void *log, uint64_t first, const uint8_t *events, const uint32_t *sizes, size_t size, size_t count, char *error,
      size_t error_size);
  int (*fold)(void *log, uint64_t *count, uint64_t *sum, char *error, size_t error_size);
  int (*visit)(void *log, peer_visitor *visitor, void *context, char *error, size_t error_size);
  /// The number of the last event; 0 when there is none.
  uint64_t (*last)(void *log);
  void (*close)(void *log);
  /// Whether several threads may append at the same time.
  int is_concurrent;
} engine;

extern const engine sqlite_engine, lmdb_engine, leveldb_engine, rocksdb_engine;

/// The bytes of the event `index`, whether sizes differ or not.
static inline size_t event_size(const uint32_t *sizes, size_t size, size_t index) {
  return sizes ? sizes[index] : size;
}

/// What every engine's fold computes for one event.
static inline void fold_event(const void *bytes, size_t size, uint64_t *count, uint64_t *sum) {
  *count += 1;
  *sum += size + (size > 0 ? *(const uint8_t *)bytes : 0);
}

/// Defines an engine's `fold` and `visit` by its `scan`, which calls a visitor for each event. `scan` is compiled into both,
/// so that the bare scan calls no function.
#define FOLD_AND_VISIT \
  static void add_up(void *context, uint64_t number, const void *bytes, size_t size) { \
    (void)number; \
    fold_event(bytes, size, &((uint64_t *)context)[0], &((uint64_t *)context)[1]); \
  } \
  static int fold(void *log, uint64_t *count, uint64_t *sum, char *error, size_t error_size) { \
    uint64_t totals[2] = {0, 0}; \
    int result = scan(log, add_up, totals, error, error_size); \
    *count += totals[0]; \
    *sum += totals[1]; \
    return result; \
  } \
  static int visit(void *log, peer_visitor *visitor, void *context, char *error, size_t error_size) { \
    return scan(log, visitor, context, error, error_size); \
  }
#define INLINED static inline __attribute__((always_inline))

static inline void big_endian(uint64_t number, uint8_t key[8]) {
  for (int index = 0; index < 8; index++) key[index] = (uint8_t)(number >> (56 - 8 * index));
}

static inline uint64_t from_big_endian(const uint8_t *key) {
  uint64_t number = 0;
  for (int index = 0; index < 8; index++) number = number << 8 | key[index];
  return number;
}
