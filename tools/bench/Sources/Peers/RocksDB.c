#include <rocksdb/c.h>

// No compression, because the events hardly compress, and a write buffer of 64 MiB. Durable means sync for every write.
// Reads verify checksums, which is RocksDB's default.

#define ENGINE_NAME(name) rocksdb_##name
#define ENGINE_TITLE "rocksdb"
#include "LogStructured.h"
