// LevelDB and RocksDB, which grew from it, share one C interface but for its prefix. Each of them includes this file,
// after defining ENGINE_NAME(x), which puts the prefix before a name, and ENGINE_TITLE.

#include "Engine.h"

#include <stdlib.h>

typedef struct {
  ENGINE_NAME(t) *db;
  ENGINE_NAME(writeoptions_t) *write;
  ENGINE_NAME(readoptions_t) *read;
} log_t;

static int fail(char *message, const char *what, char *error, size_t error_size) {
  snprintf(error, error_size, ENGINE_TITLE ": %s: %s", what, message);
  ENGINE_NAME(free)(message);
  return -1;
}

static void close_log(void *opaque) {
  log_t *log = opaque;
  if (log->db) ENGINE_NAME(close)(log->db);
  ENGINE_NAME(writeoptions_destroy)(log->write);
  ENGINE_NAME(readoptions_destroy)(log->read);
  free(log);
}

static void *open_log(const char *directory, int durable, char *error, size_t error_size) {
  log_t *log = calloc(1, sizeof *log);
  if (!log) return NULL;
  log->write = ENGINE_NAME(writeoptions_create)();
  log->read = ENGINE_NAME(readoptions_create)();
  ENGINE_NAME(writeoptions_set_sync)(log->write, (unsigned char)durable);
  ENGINE_NAME(options_t) *options = ENGINE_NAME(options_create)();
  ENGINE_NAME(options_set_create_if_missing)(options, 1);
  ENGINE_NAME(options_set_compression)(options, 0);
  ENGINE_NAME(options_set_write_buffer_size)(options, 64 << 20);
  char *message = NULL;
  log->db = ENGINE_NAME(open)(options, directory, &message);
  ENGINE_NAME(options_destroy)(options);
  if (log->db) return log;
  fail(message, "open", error, error_size);
  close_log(log);
  return NULL;
}

static int append(
    void *opaque, uint64_t first, const uint8_t *events, const uint32_t *sizes, size_t size, size_t count, char *error,
    size_t error_size) {
  log_t *log = opaque;
  char *message = NULL;
  uint8_t key[8];
  if (count == 1) {
    big_endian(first, key);
    ENGINE_NAME(put)(
        log->db, log->write, (char *)key, sizeof key, (const char *)events, event_size(sizes, size, 0), &message);
    return message ? fail(message, "append", error, error_size) : 0;
  }
  ENGINE_NAME(writebatch_t) *batch = ENGINE_NAME(writebatch_create)();
  for (size_t index = 0; index < count; index++) {
    size_t length = event_size(sizes, size, index);
    big_endian(first + index, key);
    ENGINE_NAME(writebatch_put)(batch, (char *)key, sizeof key, (const char *)events, length);
    events += length;
  }
  ENGINE_NAME(write)(log->db, log->write, batch, &message);
  ENGINE_NAME(writebatch_destroy)(batch);
  return message ? fail(message, "append", error, error_size) : 0;
}

INLINED int scan(void *opaque, peer_visitor *visitor, void *context, char *error, size_t error_size) {
  log_t *log = opaque;
  ENGINE_NAME(iterator_t) *iterator = ENGINE_NAME(create_iterator)(log->db, log->read);
  for (ENGINE_NAME(iter_seek_to_first)(iterator); ENGINE_NAME(iter_valid)(iterator); ENGINE_NAME(iter_next)(iterator)) {
    size_t size = 0, key_size = 0;
    const char *bytes = ENGINE_NAME(iter_value)(iterator, &size);
    const char *key = ENGINE_NAME(iter_key)(iterator, &key_size);
    visitor(context, key_size == 8 ? from_big_endian((const uint8_t *)key) : 0, bytes, size);
  }
  char *message = NULL;
  ENGINE_NAME(iter_get_error)(iterator, &message);
  ENGINE_NAME(iter_destroy)(iterator);
  return message ? fail(message, "read", error, error_size) : 0;
}

FOLD_AND_VISIT

static uint64_t last(void *opaque) {
  log_t *log = opaque;
  ENGINE_NAME(iterator_t) *iterator = ENGINE_NAME(create_iterator)(log->db, log->read);
  ENGINE_NAME(iter_seek_to_last)(iterator);
  uint64_t result = 0;
  if (ENGINE_NAME(iter_valid)(iterator)) {
    size_t size = 0;
    const char *key = ENGINE_NAME(iter_key)(iterator, &size);
    if (size == 8) result = from_big_endian((const uint8_t *)key);
  }
  ENGINE_NAME(iter_destroy)(iterator);
  return result;
}

const engine ENGINE_NAME(engine) = {open_log, append, fold, visit, last, close_log, 1};
