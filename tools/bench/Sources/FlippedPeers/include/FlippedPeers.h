#pragma once
#include <stddef.h>
#include <stdint.h>

// Two engines as logs of numbered records, to see what they make of a log in which a bit was flipped. What a record
// holds follows from its number.

typedef enum {
  /// The last connection leaves the WAL as it is (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE); the table is in the database file.
  FLIPPED_SQLITE,
  /// With its defaults.
  FLIPPED_LEVELDB,
  /// With paranoid_checks.
  FLIPPED_LEVELDB_PARANOID,
} flipped_peer;

typedef struct {
  /// Whether any call reported an error.
  int has_error;
  /// Records that came back as they were written, and records that did not.
  size_t right, wrong;
} flipped_reading;

/// The bytes of a record, numbered from 1.
void flipped_record(uint64_t number, uint8_t *bytes, size_t size);

/// Writes records, each in a transaction of its own, and closes. Returns 0, or -1 with a message.
int flipped_write(
    flipped_peer peer, const char *directory, size_t count, size_t size, char *error, size_t error_size);

/// Opens the log and reads every record.
flipped_reading flipped_read(flipped_peer peer, const char *directory, size_t count, size_t size);
