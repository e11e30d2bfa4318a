#include "FlippedPeers.h"

#include <leveldb/c.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void flipped_record(uint64_t number, uint8_t *bytes, size_t size) {
  uint64_t state = number * 0x9E3779B97F4A7C15u + 1;
  for (size_t index = 0; index < size; index++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    bytes[index] = (uint8_t)(state >> 24);
  }
}

static void note(flipped_reading *reading, uint64_t number, const void *bytes, size_t length, size_t count, size_t size) {
  uint8_t expected[4096];
  flipped_record(number, expected, size);
  if (number >= 1 && number <= count && length == size && memcmp(bytes, expected, size) == 0) {
    reading->right++;
  } else {
    reading->wrong++;
  }
}

// SQLite

static sqlite3 *open_sqlite(const char *directory) {
  char path[4096];
  snprintf(path, sizeof path, "%s/log.sqlite", directory);
  sqlite3 *db = NULL;
  if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK) {
    sqlite3_close(db);
    return NULL;
  }
  sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  return db;
}

static int write_sqlite(const char *directory, size_t count, size_t size, char *error, size_t error_size) {
  sqlite3 *db = open_sqlite(directory);
  sqlite3_stmt *insert = NULL;
  uint8_t bytes[4096];
  int is_done =
      db && sqlite3_exec(
                db,
                "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;"
                "CREATE TABLE records (number INTEGER PRIMARY KEY, bytes BLOB NOT NULL);"
                "PRAGMA wal_checkpoint(TRUNCATE);",
                NULL, NULL, NULL)
                == SQLITE_OK
      && sqlite3_prepare_v2(db, "INSERT INTO records VALUES (?, ?)", -1, &insert, NULL) == SQLITE_OK;
  for (uint64_t number = 1; number <= count && is_done; number++) {
    flipped_record(number, bytes, size);
    sqlite3_bind_int64(insert, 1, (sqlite3_int64)number);
    sqlite3_bind_blob(insert, 2, bytes, (int)size, SQLITE_STATIC);
    is_done = sqlite3_step(insert) == SQLITE_DONE;
    sqlite3_reset(insert);
  }
  if (!is_done) snprintf(error, error_size, "sqlite: %s", db ? sqlite3_errmsg(db) : "no database");
  sqlite3_finalize(insert);
  sqlite3_close(db);
  return is_done ? 0 : -1;
}

static flipped_reading read_sqlite(const char *directory, size_t count, size_t size) {
  flipped_reading reading = {0, 0, 0};
  sqlite3 *db = open_sqlite(directory);
  sqlite3_stmt *select = NULL;
  int code = db ? sqlite3_prepare_v2(db, "SELECT number, bytes FROM records ORDER BY number", -1, &select, NULL) : 1;
  if (code == SQLITE_OK) {
    while ((code = sqlite3_step(select)) == SQLITE_ROW) {
      note(
          &reading, (uint64_t)sqlite3_column_int64(select, 0), sqlite3_column_blob(select, 1),
          (size_t)sqlite3_column_bytes(select, 1), count, size);
    }
  }
  reading.has_error = code != SQLITE_DONE;
  sqlite3_finalize(select);
  sqlite3_close(db);
  return reading;
}

// LevelDB

static leveldb_t *open_leveldb(const char *directory, int is_paranoid, char **error) {
  leveldb_options_t *options = leveldb_options_create();
  leveldb_options_set_create_if_missing(options, 1);
  leveldb_options_set_paranoid_checks(options, (unsigned char)is_paranoid);
  leveldb_options_set_compression(options, leveldb_no_compression);
  leveldb_t *db = leveldb_open(options, directory, error);
  leveldb_options_destroy(options);
  return db;
}

static void key_of(uint64_t number, char key[8]) {
  for (int index = 0; index < 8; index++) key[index] = (char)(number >> (56 - 8 * index));
}

static int write_leveldb(const char *directory, size_t count, size_t size, char *error, size_t error_size) {
  char *message = NULL;
  leveldb_t *db = open_leveldb(directory, 0, &message);
  leveldb_writeoptions_t *options = leveldb_writeoptions_create();
  uint8_t bytes[4096];
  char key[8];
  for (uint64_t number = 1; number <= count && !message; number++) {
    flipped_record(number, bytes, size);
    key_of(number, key);
    leveldb_put(db, options, key, sizeof key, (const char *)bytes, size, &message);
  }
  if (message) snprintf(error, error_size, "leveldb: %s", message);
  leveldb_writeoptions_destroy(options);
  if (db) leveldb_close(db);
  int code = message ? -1 : 0;
  leveldb_free(message);
  return code;
}

static flipped_reading read_leveldb(const char *directory, int is_paranoid, size_t count, size_t size) {
  flipped_reading reading = {0, 0, 0};
  char *message = NULL;
  leveldb_t *db = open_leveldb(directory, is_paranoid, &message);
  if (db) {
    leveldb_readoptions_t *options = leveldb_readoptions_create();
    leveldb_readoptions_set_verify_checksums(options, (unsigned char)is_paranoid);
    leveldb_iterator_t *iterator = leveldb_create_iterator(db, options);
    for (leveldb_iter_seek_to_first(iterator); leveldb_iter_valid(iterator); leveldb_iter_next(iterator)) {
      size_t key_size = 0, length = 0;
      const uint8_t *key = (const uint8_t *)leveldb_iter_key(iterator, &key_size);
      const char *bytes = leveldb_iter_value(iterator, &length);
      uint64_t number = 0;
      for (size_t index = 0; index < key_size && index < 8; index++) number = number << 8 | key[index];
      note(&reading, key_size == 8 ? number : 0, bytes, length, count, size);
    }
    leveldb_iter_get_error(iterator, &message);
    leveldb_iter_destroy(iterator);
    leveldb_readoptions_destroy(options);
    leveldb_close(db);
  }
  reading.has_error = message != NULL;
  leveldb_free(message);
  return reading;
}

int flipped_write(
    flipped_peer peer, const char *directory, size_t count, size_t size, char *error, size_t error_size) {
  return peer == FLIPPED_SQLITE ? write_sqlite(directory, count, size, error, error_size)
                                : write_leveldb(directory, count, size, error, error_size);
}

flipped_reading flipped_read(flipped_peer peer, const char *directory, size_t count, size_t size) {
  return peer == FLIPPED_SQLITE ? read_sqlite(directory, count, size)
                                : read_leveldb(directory, peer == FLIPPED_LEVELDB_PARANOID, count, size);
}
