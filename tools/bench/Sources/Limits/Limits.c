#define _GNU_SOURCE
#include "Limits.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { STEP = 256 << 10 };

static int write_all(int file, const char *bytes, size_t count, off_t at) {
  while (count > 0) {
    ssize_t done = pwrite(file, bytes, count, at);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return done < 0 ? errno : ENOSPC;
    bytes += done;
    count -= (size_t)done;
    at += done;
  }
  return 0;
}

int limits_append(const char *path, size_t size, uint64_t groups, uint64_t group, int sync, uint64_t ahead) {
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return errno;
  size_t count = size * group;
  char *bytes = malloc(count);
  if (!bytes) {
    close(file);
    return ENOMEM;
  }
  memset(bytes, 0x5a, count);
  int error = 0;
  off_t end = 0, allocated = 0;
  for (uint64_t index = 0; index < groups && !error; index++) {
    if (ahead > 0 && end + (off_t)count > allocated) {
      allocated = (off_t)(((uint64_t)end + count) / ahead + 1) * (off_t)ahead;
      if (ftruncate(file, allocated) != 0) error = errno;
    }
    // Records differ, as they do in every engine.
    memcpy(bytes, &index, sizeof index);
    if (!error) error = write_all(file, bytes, count, end);
    end += (off_t)count;
    if (!error && sync && fdatasync(file) != 0) error = errno;
  }
  free(bytes);
  close(file);
  return error;
}

struct thread {
  void (*body)(void *, uint32_t);
  void *context;
  uint32_t number;
};

static void *run_thread(void *argument) {
  struct thread *thread = argument;
  thread->body(thread->context, thread->number);
  return NULL;
}

int limits_run_threads(uint32_t threads, void (*body)(void *, uint32_t), void *context) {
  struct thread *arguments = calloc(threads, sizeof *arguments);
  pthread_t *ids = calloc(threads, sizeof *ids);
  int error = arguments && ids ? 0 : ENOMEM;
  uint32_t started = 0;
  for (; started < threads && !error; started++) {
    arguments[started] = (struct thread){body, context, started};
    error = pthread_create(&ids[started], NULL, run_thread, &arguments[started]);
    if (error) break;
  }
  for (uint32_t index = 0; index < started; index++) pthread_join(ids[index], NULL);
  free(arguments);
  free(ids);
  return error;
}

struct shared_file {
  int file;
  size_t size;
  uint64_t each;
  int error;
};

static void append_records(void *context, uint32_t number) {
  struct shared_file *shared = context;
  char bytes[4096];
  memset(bytes, 0x5a, sizeof bytes);
  size_t size = shared->size < sizeof bytes ? shared->size : sizeof bytes;
  off_t start = (off_t)(size * shared->each * number);
  for (uint64_t index = 0; index < shared->each; index++) {
    memcpy(bytes, &index, sizeof index);
    int error = write_all(shared->file, bytes, size, start + (off_t)(index * size));
    if (!error && fdatasync(shared->file) != 0) error = errno;
    if (error) {
      __atomic_store_n(&shared->error, error, __ATOMIC_RELAXED);
      return;
    }
  }
}

int limits_append_threads(const char *path, size_t size, uint64_t each, uint32_t threads) {
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return errno;
  struct shared_file shared = {file, size, each, 0};
  int error = ftruncate(file, (off_t)(size * each * threads)) == 0 ? 0 : errno;
  if (!error) error = limits_run_threads(threads, append_records, &shared);
  close(file);
  return error ? error : shared.error;
}

static int each_step(const char *path, uint32_t *sum, EVP_MD_CTX *digest, uint64_t *bytes) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  unsigned char *buffer = malloc(STEP);
  int error = buffer ? 0 : ENOMEM;
  while (!error) {
    ssize_t count = read(file, buffer, STEP);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) error = errno;
    if (count <= 0) break;
    if (sum) *sum = (uint32_t)crc32(*sum, buffer, (uInt)count);
    if (digest && EVP_DigestUpdate(digest, buffer, (size_t)count) != 1) error = EIO;
    *bytes += (uint64_t)count;
  }
  free(buffer);
  close(file);
  return error;
}

int limits_checksum(const char *path, uint32_t *sum, uint64_t *bytes) { return each_step(path, sum, NULL, bytes); }

int limits_read(const char *path, uint64_t *bytes) { return each_step(path, NULL, NULL, bytes); }

int limits_digest(const char *path, uint32_t *sum, uint64_t *bytes) {
  EVP_MD_CTX *digest = EVP_MD_CTX_new();
  unsigned char result[EVP_MAX_MD_SIZE];
  int error = digest && EVP_DigestInit_ex(digest, EVP_sha256(), NULL) == 1 ? 0 : ENOMEM;
  if (!error) error = each_step(path, sum, digest, bytes);
  if (!error && EVP_DigestFinal_ex(digest, result, NULL) != 1) error = EIO;
  if (!error) *sum ^= result[0];
  EVP_MD_CTX_free(digest);
  return error;
}

int limits_seal(const char *path, uint64_t bytes, int decrypts) {
  enum { CHUNK = 64 << 10 };
  unsigned char key[32] = {1}, nonce[12] = {0}, tag[16] = {0}, rest[16];
  unsigned char *from = calloc(2, CHUNK);
  EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
  int count, error = from && cipher ? 0 : ENOMEM;
  int file = path ? open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
  if (!error && path && file < 0) error = errno;
  if (!error && EVP_CipherInit_ex(cipher, EVP_aes_256_gcm(), NULL, key, NULL, !decrypts) != 1) error = EIO;
  for (uint64_t done = 0; !error && done < bytes; done += CHUNK) {
    memcpy(nonce, &done, sizeof done);
    if (EVP_CipherInit_ex(cipher, NULL, NULL, NULL, nonce, -1) != 1 ||
        EVP_CipherUpdate(cipher, from + CHUNK, &count, from, CHUNK) != 1)
      error = EIO;
    // The tag of what is decrypted is another one, which takes as long to find.
    if (!error && decrypts) {
      EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, sizeof tag, tag);
      EVP_CipherFinal_ex(cipher, rest, &count);
    } else if (!error) {
      EVP_CipherFinal_ex(cipher, rest, &count);
      EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, sizeof tag, tag);
    }
    if (!error && file >= 0) error = write_all(file, (const char *)from + CHUNK, CHUNK, (off_t)done);
  }
  if (!error && file >= 0 && fdatasync(file) != 0) error = errno;
  if (file >= 0) close(file);
  EVP_CIPHER_CTX_free(cipher);
  free(from);
  return error;
}

#ifdef __linux__
static cpu_set_t all_processors;

int limits_use_one_processor(void) {
  cpu_set_t one;
  int processor = sched_getcpu();
  if (processor < 0 || sched_getaffinity(0, sizeof all_processors, &all_processors) != 0) return errno;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  return sched_setaffinity(0, sizeof one, &one) == 0 ? 0 : errno;
}

void limits_use_all_processors(void) { sched_setaffinity(0, sizeof all_processors, &all_processors); }
#else
int limits_use_one_processor(void) { return 0; }
void limits_use_all_processors(void) {}
#endif
