#include "Engine.h"

#include <lmdb.h>
#include <stdlib.h>

// Integer keys, appended in order, in a map of 64 GiB. Durable means LMDB's default, which syncs at every commit;
// otherwise MDB_NOSYNC with a writable map, its fastest mode.

typedef struct {
  MDB_env *environment;
  MDB_dbi table;
} log_t;

static int fail(int code, const char *what, char *error, size_t error_size) {
  snprintf(error, error_size, "lmdb: %s: %s", what, mdb_strerror(code));
  return -1;
}

static void close_log(void *opaque) {
  log_t *log = opaque;
  if (log->environment) mdb_env_close(log->environment);
  free(log);
}

static void *open_log(const char *directory, int durable, char *error, size_t error_size) {
  log_t *log = calloc(1, sizeof *log);
  if (!log) return NULL;
  MDB_txn *transaction = NULL;
  int code = mdb_env_create(&log->environment);
  if (!code) code = mdb_env_set_mapsize(log->environment, (size_t)64 << 30);
  unsigned flags = durable ? 0 : MDB_NOSYNC | MDB_WRITEMAP;
  if (!code) code = mdb_env_open(log->environment, directory, flags, 0600);
  if (!code) code = mdb_txn_begin(log->environment, NULL, 0, &transaction);
  if (!code) code = mdb_dbi_open(transaction, NULL, MDB_INTEGERKEY, &log->table);
  if (!code) code = mdb_txn_commit(transaction);
  if (!code) return log;
  fail(code, "open", error, error_size);
  close_log(log);
  return NULL;
}

static int append(
    void *opaque, uint64_t first, const uint8_t *events, const uint32_t *sizes, size_t size, size_t count, char *error,
    size_t error_size) {
  log_t *log = opaque;
  MDB_txn *transaction = NULL;
  MDB_cursor *cursor = NULL;
  int code = mdb_txn_begin(log->environment, NULL, 0, &transaction);
  if (code) return fail(code, "begin", error, error_size);
  code = mdb_cursor_open(transaction, log->table, &cursor);
  for (size_t index = 0; index < count && !code; index++) {
    size_t number = (size_t)(first + index), length = event_size(sizes, size, index);
    MDB_val key = {sizeof number, &number}, value = {length, (void *)events};
    code = mdb_cursor_put(cursor, &key, &value, MDB_APPEND);
    events += length;
  }
  if (cursor) mdb_cursor_close(cursor);
  if (!code) return (code = mdb_txn_commit(transaction)) ? fail(code, "commit", error, error_size) : 0;
  mdb_txn_abort(transaction);
  return fail(code, "append", error, error_size);
}

INLINED int scan(void *opaque, peer_visitor *visitor, void *context, char *error, size_t error_size) {
  log_t *log = opaque;
  MDB_txn *transaction = NULL;
  MDB_cursor *cursor = NULL;
  int code = mdb_txn_begin(log->environment, NULL, MDB_RDONLY, &transaction);
  if (code) return fail(code, "begin", error, error_size);
  code = mdb_cursor_open(transaction, log->table, &cursor);
  MDB_val key, value;
  if (!code) {
    while (!(code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT))) {
      visitor(context, *(size_t *)key.mv_data, value.mv_data, value.mv_size);
    }
  }
  if (cursor) mdb_cursor_close(cursor);
  mdb_txn_abort(transaction);
  return code == MDB_NOTFOUND ? 0 : fail(code, "read", error, error_size);
}

FOLD_AND_VISIT

static uint64_t last(void *opaque) {
  log_t *log = opaque;
  MDB_txn *transaction = NULL;
  MDB_cursor *cursor = NULL;
  uint64_t result = 0;
  if (mdb_txn_begin(log->environment, NULL, MDB_RDONLY, &transaction)) return 0;
  MDB_val key, value;
  if (!mdb_cursor_open(transaction, log->table, &cursor)) {
    if (!mdb_cursor_get(cursor, &key, &value, MDB_LAST)) result = *(size_t *)key.mv_data;
    mdb_cursor_close(cursor);
  }
  mdb_txn_abort(transaction);
  return result;
}

const engine lmdb_engine = {open_log, append, fold, visit, last, close_log, 0};
