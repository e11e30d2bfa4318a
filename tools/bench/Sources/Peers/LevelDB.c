#include <leveldb/c.h>

// No compression, because the events hardly compress, and a write buffer of 64 MiB instead of 4. Durable means sync for
// every write. Reads do not verify checksums, which is LevelDB's default.

#define ENGINE_NAME(name) leveldb_##name
#define ENGINE_TITLE "leveldb"
#include "LogStructured.h"
