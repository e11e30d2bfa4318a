// Lets calls to the file system fail in a program that this library is preloaded into. tools/system-calls uses it.
//
// FAIL_AT       the first call that fails, counted from 1; without it none does
// FAIL_ERROR    its error number
// FAIL_ONWARDS  if set, all later calls fail too
// FAIL_WRITING  if set, only calls that change something count
// FAIL_COUNT    a file to which the number of calls is written at the end
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long calls;
static long at, code;
static int onwards, writing;

__attribute__((constructor)) static void begin(void) {
  const char *value = getenv("FAIL_AT");
  at = value ? atol(value) : 0;
  value = getenv("FAIL_ERROR");
  code = value ? atol(value) : EINTR;
  onwards = getenv("FAIL_ONWARDS") != NULL;
  writing = getenv("FAIL_WRITING") != NULL;
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("FAIL_COUNT");
  if (!path) return;
  char text[32];
  int length = snprintf(text, sizeof text, "%ld\n", atomic_load(&calls));
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0) return;
  syscall(SYS_write, file, text, length);
  syscall(SYS_close, file);
}

// Whether this call fails.
static int fails(int changes) {
  if (writing && !changes) return 0;
  long number = atomic_fetch_add(&calls, 1) + 1;
  if (!at || (onwards ? number < at : number != at)) return 0;
  errno = (int)code;
  return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define CALL(type, name, changes, parameters, arguments) \
  type name parameters { \
    if (fails(changes)) return (type)-1; \
    return REAL(name) arguments; \
  }

CALL(ssize_t, read, 0, (int file, void *bytes, size_t count), (file, bytes, count))
CALL(ssize_t, pread, 0, (int file, void *bytes, size_t count, off_t at), (file, bytes, count, at))
CALL(ssize_t, pread64, 0, (int file, void *bytes, size_t count, off64_t at), (file, bytes, count, at))
// What is printed is not what is written.
CALL(ssize_t, write, file > 2, (int file, const void *bytes, size_t count), (file, bytes, count))
CALL(ssize_t, pwrite, 1, (int file, const void *bytes, size_t count, off_t at), (file, bytes, count, at))
CALL(ssize_t, pwrite64, 1, (int file, const void *bytes, size_t count, off64_t at), (file, bytes, count, at))
CALL(int, fsync, 1, (int file), (file))
CALL(int, fdatasync, 1, (int file), (file))
CALL(int, ftruncate, 1, (int file, off_t size), (file, size))
CALL(int, ftruncate64, 1, (int file, off64_t size), (file, size))
CALL(int, fchmod, 1, (int file, mode_t mode), (file, mode))
CALL(int, fchown, 1, (int file, uid_t user, gid_t group), (file, user, group))
CALL(int, rename, 1, (const char *from, const char *to), (from, to))
CALL(int, link, 1, (const char *from, const char *to), (from, to))
CALL(int, unlink, 1, (const char *path), (path))
CALL(int, unlinkat, 1, (int folder, const char *path, int flags), (folder, path, flags))
CALL(int, remove, 1, (const char *path), (path))
CALL(int, mkdir, 1, (const char *path, mode_t mode), (path, mode))
CALL(int, stat, 0, (const char *restrict path, struct stat *restrict status), (path, status))
CALL(int, lstat, 0, (const char *restrict path, struct stat *restrict status), (path, status))
CALL(int, fstat, 0, (int file, struct stat *status), (file, status))
CALL(int, fstatat, 0, (int folder, const char *restrict path, struct stat *restrict status, int flags),
     (folder, path, status, flags))
CALL(int, access, 0, (const char *path, int mode), (path, mode))
CALL(int, flock, 0, (int file, int operation), (file, operation))
CALL(int, poll, 0, (struct pollfd *files, nfds_t count, int milliseconds), (files, count, milliseconds))
CALL(off_t, lseek, 0, (int file, off_t offset, int whence), (file, offset, whence))
CALL(off64_t, lseek64, 0, (int file, off64_t offset, int whence), (file, offset, whence))

// A file is closed whatever the call says.
int close(int file) {
  int result = REAL(close)(file);
  return fails(0) ? -1 : result;
}

DIR *fdopendir(int file) { return fails(0) ? NULL : REAL(fdopendir)(file); }

struct dirent *readdir(DIR *folder) { return fails(0) ? NULL : REAL(readdir)(folder); }

#define OPEN(name, parameters, arguments) \
  int name parameters { \
    mode_t mode = 0; \
    if (flags & O_CREAT) { \
      va_list rest; \
      va_start(rest, flags); \
      mode = (mode_t)va_arg(rest, int); \
      va_end(rest); \
    } \
    if (fails((flags & (O_CREAT | O_TRUNC)) != 0)) return -1; \
    return REAL(name) arguments; \
  }

OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
OPEN(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
OPEN(openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
