#pragma once
#include <stddef.h>
#include <stdint.h>

// The floor under every figure: the same system calls and checksums in plain C, with nothing around them.
// Functions that can fail return 0, or errno.

/// Writes `groups` groups of `group` records of `size` bytes, one pwrite per group, and fdatasync after each when
/// `sync` is set. The file is extended ahead of the data by `ahead` bytes at a time; zero lets it grow.
int limits_append(const char *path, size_t size, uint64_t groups, uint64_t group, int sync, uint64_t ahead);

/// The same from several threads at once, in one file: each writes `each` records at places of its own, and syncs after
/// each record. The file has its full size from the start.
int limits_append_threads(const char *path, size_t size, uint64_t each, uint32_t threads);

/// Reads a file in steps of 256 KiB and computes one zlib CRC-32 over all of it, added to `*sum`.
int limits_checksum(const char *path, uint32_t *sum, uint64_t *bytes);

/// The same, with libcrypto's SHA-256 over each step after its CRC-32.
int limits_digest(const char *path, uint32_t *sum, uint64_t *bytes);

/// Encrypts, or decrypts, this many bytes in memory with libcrypto's AES-256-GCM, in steps of 64 KiB, each with a nonce and a
/// tag of its own. Writes each step to the file at `path`, and syncs it at the end, unless `path` is null.
int limits_seal(const char *path, uint64_t bytes, int decrypts);

/// Reads a file in steps of 256 KiB and does nothing with it.
int limits_read(const char *path, uint64_t *bytes);

/// Runs `body` in several threads at once, with the context and the thread's number from 0, and waits for all.
int limits_run_threads(uint32_t threads, void (*body)(void *context, uint32_t number), void *context);

/// From here on the calling thread, and threads it starts, run on the processor that it is on; until the other function
/// is called. Does nothing where the system cannot do it.
int limits_use_one_processor(void);
void limits_use_all_processors(void);
