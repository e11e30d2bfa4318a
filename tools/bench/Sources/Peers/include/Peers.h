#pragma once
#include <stddef.h>
#include <stdint.h>

// Other engines as an event log: keys are event numbers from 1, values are the events' bytes. Every engine runs with
// the settings that its documentation recommends for this use, which Peers/*.c name.

typedef enum { PEER_SQLITE, PEER_LMDB, PEER_LEVELDB, PEER_ROCKSDB } peer_kind;

typedef struct peer peer;

/// Opens an empty or existing log below `directory`, which must exist. `durable` makes every append wait for the disk.
/// Returns NULL, with a message in `error`, when it cannot.
peer *peer_open(peer_kind kind, const char *directory, int durable, char *error, size_t error_size);

/// Appends `count` events of `size` bytes each, which lie one behind the other, in one transaction. May be called from
/// several threads. Returns 0, or -1 with a message.
int peer_append(
    peer *peer, const uint8_t *events, size_t size, size_t count, char *error, size_t error_size);

/// The same for events of different sizes.
int peer_append_sizes(
    peer *peer, const uint8_t *events, const uint32_t *sizes, size_t count, char *error, size_t error_size);

/// Reads all events in order and folds them: counts them and adds up their sizes and first bytes.
int peer_fold(peer *peer, uint64_t *count, uint64_t *sum, char *error, size_t error_size);

/// Shows an event; the bytes are valid during the call.
typedef void peer_visitor(void *context, uint64_t number, const void *bytes, size_t size);

/// Reads all events in order and shows each.
int peer_visit(peer *peer, peer_visitor *visitor, void *context, char *error, size_t error_size);

void peer_close(peer *peer);
