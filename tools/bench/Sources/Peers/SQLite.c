#include "Engine.h"

#include <sqlite3.h>
#include <stdlib.h>

// WAL, one connection that owns the file, statements prepared once. Durable means synchronous=FULL, which syncs the WAL
// at every commit; otherwise synchronous=OFF.

typedef struct {
  sqlite3 *db;
  sqlite3_stmt *insert, *begin, *commit;
} log_t;

static void *fail(log_t *log, const char *what, char *error, size_t error_size) {
  snprintf(error, error_size, "sqlite: %s: %s", what, log->db ? sqlite3_errmsg(log->db) : "no memory");
  return NULL;
}

static void close_log(void *opaque) {
  log_t *log = opaque;
  sqlite3_finalize(log->insert);
  sqlite3_finalize(log->begin);
  sqlite3_finalize(log->commit);
  sqlite3_close(log->db);
  free(log);
}

static void *open_log(const char *directory, int durable, char *error, size_t error_size) {
  char path[4096];
  snprintf(path, sizeof path, "%s/log.sqlite", directory);
  log_t *log = calloc(1, sizeof *log);
  if (!log) return NULL;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  const char *set_up =
      durable ? "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
              : "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;";
  if (sqlite3_open_v2(path, &log->db, flags, NULL) != SQLITE_OK
      || sqlite3_exec(log->db, set_up, NULL, NULL, NULL) != SQLITE_OK
      || sqlite3_exec(
             log->db, "CREATE TABLE IF NOT EXISTS events (seq INTEGER PRIMARY KEY, payload BLOB NOT NULL)", NULL, NULL,
             NULL) != SQLITE_OK
      || sqlite3_prepare_v3(
             log->db, "INSERT INTO events VALUES (?, ?)", -1, SQLITE_PREPARE_PERSISTENT, &log->insert, NULL)
          != SQLITE_OK
      || sqlite3_prepare_v3(log->db, "BEGIN IMMEDIATE", -1, SQLITE_PREPARE_PERSISTENT, &log->begin, NULL) != SQLITE_OK
      || sqlite3_prepare_v3(log->db, "COMMIT", -1, SQLITE_PREPARE_PERSISTENT, &log->commit, NULL) != SQLITE_OK) {
    fail(log, "open", error, error_size);
    close_log(log);
    return NULL;
  }
  return log;
}

static int run(sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  sqlite3_reset(statement);
  return code == SQLITE_DONE;
}

static int append(
    void *opaque, uint64_t first, const uint8_t *events, const uint32_t *sizes, size_t size, size_t count, char *error,
    size_t error_size) {
  log_t *log = opaque;
  // A statement alone is a transaction of its own, without the cost of two more statements.
  int is_group = count > 1;
  int done = is_group ? run(log->begin) : 1;
  for (size_t index = 0; index < count && done; index++) {
    size_t length = event_size(sizes, size, index);
    sqlite3_bind_int64(log->insert, 1, (sqlite3_int64)(first + index));
    sqlite3_bind_blob64(log->insert, 2, events, length, SQLITE_STATIC);
    done = run(log->insert);
    events += length;
  }
  if (done && is_group) done = run(log->commit);
  if (done) return 0;
  fail(log, "append", error, error_size);
  return -1;
}

INLINED int scan(void *opaque, peer_visitor *visitor, void *context, char *error, size_t error_size) {
  log_t *log = opaque;
  sqlite3_stmt *select = NULL;
  int code = sqlite3_prepare_v2(log->db, "SELECT seq, payload FROM events ORDER BY seq", -1, &select, NULL);
  if (code == SQLITE_OK) {
    while ((code = sqlite3_step(select)) == SQLITE_ROW) {
      const void *bytes = sqlite3_column_blob(select, 1);
      visitor(
          context, (uint64_t)sqlite3_column_int64(select, 0), bytes, (size_t)sqlite3_column_bytes(select, 1));
    }
  }
  sqlite3_finalize(select);
  if (code == SQLITE_DONE) return 0;
  fail(log, "read", error, error_size);
  return -1;
}

FOLD_AND_VISIT

static uint64_t last(void *opaque) {
  log_t *log = opaque;
  sqlite3_stmt *select = NULL;
  uint64_t result = 0;
  if (sqlite3_prepare_v2(log->db, "SELECT max(seq) FROM events", -1, &select, NULL) == SQLITE_OK
      && sqlite3_step(select) == SQLITE_ROW) {
    result = (uint64_t)sqlite3_column_int64(select, 0);
  }
  sqlite3_finalize(select);
  return result;
}

const engine sqlite_engine = {open_log, append, fold, visit, last, close_log, 0};
