#include "Engine.h"

#include <stdatomic.h>
#include <stdlib.h>

struct peer {
  const engine *engine;
  void *log;
  _Atomic uint64_t next;
  pthread_mutex_t mutex;
};

peer *peer_open(peer_kind kind, const char *directory, int durable, char *error, size_t error_size) {
  static const engine *const engines[] = {&sqlite_engine, &lmdb_engine, &leveldb_engine, &rocksdb_engine};
  peer *peer = calloc(1, sizeof *peer);
  if (!peer) return NULL;
  peer->engine = engines[kind];
  peer->log = peer->engine->open(directory, durable, error, error_size);
  if (!peer->log) {
    free(peer);
    return NULL;
  }
  atomic_init(&peer->next, peer->engine->last(peer->log) + 1);
  pthread_mutex_init(&peer->mutex, NULL);
  return peer;
}

static int append(
    peer *peer, const uint8_t *events, const uint32_t *sizes, size_t size, size_t count, char *error,
    size_t error_size) {
  const engine *engine = peer->engine;
  if (!engine->is_concurrent) pthread_mutex_lock(&peer->mutex);
  uint64_t first = atomic_fetch_add(&peer->next, count);
  int result = engine->append(peer->log, first, events, sizes, size, count, error, error_size);
  if (!engine->is_concurrent) pthread_mutex_unlock(&peer->mutex);
  return result;
}

int peer_append(peer *peer, const uint8_t *events, size_t size, size_t count, char *error, size_t error_size) {
  return append(peer, events, NULL, size, count, error, error_size);
}

int peer_append_sizes(
    peer *peer, const uint8_t *events, const uint32_t *sizes, size_t count, char *error, size_t error_size) {
  return append(peer, events, sizes, 0, count, error, error_size);
}

int peer_fold(peer *peer, uint64_t *count, uint64_t *sum, char *error, size_t error_size) {
  return peer->engine->fold(peer->log, count, sum, error, error_size);
}

int peer_visit(peer *peer, peer_visitor *visitor, void *context, char *error, size_t error_size) {
  return peer->engine->visit(peer->log, visitor, context, error, error_size);
}

void peer_close(peer *peer) {
  peer->engine->close(peer->log);
  pthread_mutex_destroy(&peer->mutex);
  free(peer);
}
