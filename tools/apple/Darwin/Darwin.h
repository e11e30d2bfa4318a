// The declarations of Apple's C library that PolicyJournal uses on Apple platforms, and no others. Types, sizes and values
// are those of arm64 and x86_64 as Apple publishes them: the manual pages, sections 2 to 4, and the headers of
// https://github.com/apple-oss-distributions/xnu (bsd/sys), Libc and libpthread. Only types matter here: nothing is linked.
#pragma once

typedef __SIZE_TYPE__ size_t;
typedef long ssize_t;
typedef unsigned short mode_t;
typedef unsigned short nlink_t;
typedef int dev_t;
typedef unsigned long long ino_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef long long off_t;
typedef int pid_t;
typedef long time_t;
typedef unsigned int nfds_t;
typedef unsigned int sigset_t;

// errno.h
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define ENXIO 6
#define EACCES 13
#define EEXIST 17
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define EFBIG 27
#define ENOSPC 28
#define ESPIPE 29
#define EROFS 30
#define EPIPE 32
#define EAGAIN 35
#define EWOULDBLOCK 35
#define ENOTSUP 45
#define ELOOP 62
#define ENAMETOOLONG 63
#define EDQUOT 69

// fcntl.h, sys/file.h
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x00000004
#define O_NOFOLLOW 0x00000100
#define O_CREAT 0x00000200
#define O_TRUNC 0x00000400
#define O_EXCL 0x00000800
#define O_EVTONLY 0x00008000
#define O_DIRECTORY 0x00100000
#define O_CLOEXEC 0x01000000
#define F_SETFD 2
#define F_SETFL 4
#define F_NOCACHE 48
#define F_FULLFSYNC 51
#define FD_CLOEXEC 1
#define AT_SYMLINK_NOFOLLOW 0x0020
#define LOCK_EX 0x02
#define LOCK_NB 0x04
#define LOCK_UN 0x08
int flock(int fd, int operation);

// time.h, sys/time.h
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};
struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  char *_Null_unspecified tm_zone;
};
typedef enum { _CLOCK_REALTIME = 0, _CLOCK_MONOTONIC = 6 } clockid_t;
int clock_gettime(clockid_t clock, struct timespec *_Null_unspecified time);
int nanosleep(const struct timespec *_Null_unspecified asked, struct timespec *_Null_unspecified rest);
void tzset(void);
struct tm *_Null_unspecified localtime_r(const time_t *_Null_unspecified time, struct tm *_Null_unspecified result);

// sys/stat.h
struct stat {
  dev_t st_dev;
  mode_t st_mode;
  nlink_t st_nlink;
  ino_t st_ino;
  uid_t st_uid;
  gid_t st_gid;
  dev_t st_rdev;
  struct timespec st_atimespec, st_mtimespec, st_ctimespec, st_birthtimespec;
  off_t st_size;
  long long st_blocks;
  int st_blksize;
  unsigned int st_flags, st_gen;
  int st_lspare;
  long long st_qspare[2];
};
int stat(const char *_Null_unspecified path, struct stat *_Null_unspecified status);
int lstat(const char *_Null_unspecified path, struct stat *_Null_unspecified status);
int fstat(int file, struct stat *_Null_unspecified status);
int fstatat(int folder, const char *_Null_unspecified path, struct stat *_Null_unspecified status, int flags);
int fchmod(int file, mode_t mode);
int fchown(int file, uid_t user, gid_t group);
int mkdir(const char *_Null_unspecified path, mode_t mode);

// dirent.h
struct dirent {
  unsigned long long d_ino, d_seekoff;
  unsigned short d_reclen, d_namlen;
  unsigned char d_type;
  char d_name[1024];
};
typedef struct {
  int __dd_fd;
} DIR;
DIR *_Null_unspecified opendir(const char *_Null_unspecified path);
DIR *_Null_unspecified fdopendir(int file);
struct dirent *_Null_unspecified readdir(DIR *_Null_unspecified folder);
int closedir(DIR *_Null_unspecified folder);

// unistd.h, stdio.h, stdlib.h, string.h
#define SEEK_DATA 4
#define F_OK 0
#define W_OK 2
#define X_OK 1
#define _SC_NPROCESSORS_ONLN 58
int close(int file);
ssize_t read(int file, void *_Null_unspecified buffer, size_t count);
ssize_t write(int file, const void *_Null_unspecified buffer, size_t count);
ssize_t pread(int file, void *_Null_unspecified buffer, size_t count, off_t offset);
ssize_t pwrite(int file, const void *_Null_unspecified buffer, size_t count, off_t offset);
off_t lseek(int file, off_t offset, int from);
int ftruncate(int file, off_t size);
int fsync(int file);
int link(const char *_Null_unspecified from, const char *_Null_unspecified to);
int unlink(const char *_Null_unspecified path);
int unlinkat(int folder, const char *_Null_unspecified path, int flags);
int rmdir(const char *_Null_unspecified path);
int access(const char *_Null_unspecified path, int mode);
int pipe(int *_Null_unspecified ends);
int isatty(int file);
typedef struct _xlocale *locale_t;
#define LC_CTYPE_MASK (1 << 1)
locale_t _Null_unspecified newlocale(int mask, const char *_Null_unspecified name, locale_t _Null_unspecified base);
locale_t _Null_unspecified uselocale(locale_t _Null_unspecified locale);
int freelocale(locale_t _Null_unspecified locale);
pid_t getpid(void);
long sysconf(int name);
int rename(const char *_Null_unspecified from, const char *_Null_unspecified to);
int remove(const char *_Null_unspecified path);
char *_Null_unspecified strerror(int error);
char *_Null_unspecified strsignal(int signal);
int strncmp(const char *_Null_unspecified one, const char *_Null_unspecified other, size_t count);
char *_Null_unspecified strdup(const char *_Null_unspecified text);
size_t strlen(const char *_Null_unspecified text);
void *_Null_unspecified memchr(const void *_Null_unspecified bytes, int byte, size_t count);
int memset_s(void *_Null_unspecified bytes, size_t size, int value, size_t count);
int memcmp(const void *_Null_unspecified first, const void *_Null_unspecified second, size_t count);
void free(void *_Null_unspecified place);
char *_Null_unspecified getenv(const char *_Null_unspecified name);
int setenv(const char *_Null_unspecified name, const char *_Null_unspecified value, int overwrites);
__attribute__((noreturn)) void exit(int code);
__attribute__((noreturn)) void _exit(int code);

// poll.h
#define POLLIN 0x0001
#define POLLOUT 0x0004
#define POLLERR 0x0008
struct pollfd {
  int fd;
  short events, revents;
};
int poll(struct pollfd *_Null_unspecified files, nfds_t count, int milliseconds);

// sys/event.h
#define EVFILT_VNODE (-4)
#define EVFILT_USER (-10)
#define EV_ADD 0x0001
#define EV_CLEAR 0x0020
#define NOTE_WRITE 0x00000002
#define NOTE_EXTEND 0x00000004
#define NOTE_TRIGGER 0x01000000
struct kevent {
  unsigned long ident;
  short filter;
  unsigned short flags;
  unsigned int fflags;
  long data;
  void *_Null_unspecified udata;
};
int kqueue(void);
int kevent(
    int queue, const struct kevent *_Null_unspecified changes, int changeCount, struct kevent *_Null_unspecified events,
    int eventCount, const struct timespec *_Null_unspecified limit);

// pthread.h
typedef struct _opaque_pthread_t {
  long __sig;
} *pthread_t;
typedef struct _opaque_pthread_mutex_t {
  long __sig;
  char __opaque[56];
} pthread_mutex_t;
typedef struct _opaque_pthread_cond_t {
  long __sig;
  char __opaque[40];
} pthread_cond_t;
typedef struct _opaque_pthread_attr_t pthread_attr_t;
typedef struct _opaque_pthread_mutexattr_t pthread_mutexattr_t;
typedef struct _opaque_pthread_condattr_t pthread_condattr_t;
int pthread_create(
    pthread_t _Nullable *_Nonnull thread, const pthread_attr_t *_Nullable attributes,
    void *_Nullable (*_Nonnull body)(void *_Nonnull), void *_Nullable context);
int pthread_detach(pthread_t _Nonnull thread);
int pthread_mutex_init(pthread_mutex_t *_Nonnull mutex, const pthread_mutexattr_t *_Nullable attributes);
int pthread_mutex_destroy(pthread_mutex_t *_Nonnull mutex);
int pthread_mutex_lock(pthread_mutex_t *_Nonnull mutex);
int pthread_mutex_unlock(pthread_mutex_t *_Nonnull mutex);
int pthread_cond_init(pthread_cond_t *_Nonnull condition, const pthread_condattr_t *_Nullable attributes);
int pthread_cond_destroy(pthread_cond_t *_Nonnull condition);
int pthread_cond_wait(pthread_cond_t *_Nonnull condition, pthread_mutex_t *_Nonnull mutex);
int pthread_cond_timedwait_relative_np(
    pthread_cond_t *_Nonnull condition, pthread_mutex_t *_Nonnull mutex, const struct timespec *_Nullable time);
int pthread_cond_broadcast(pthread_cond_t *_Nonnull condition);
int pthread_sigmask(int how, const sigset_t *_Nullable set, sigset_t *_Nullable former);

// signal.h
#define SIGINT 2
#define SIGPIPE 13
#define SIGXFSZ 25
#define SIG_BLOCK 1
typedef struct __siginfo siginfo_t;
struct sigaction {
  union __sigaction_u {
    void (*_Null_unspecified __sa_handler)(int);
    void (*_Null_unspecified __sa_sigaction)(int, siginfo_t *_Null_unspecified, void *_Null_unspecified);
  } __sigaction_u;
  sigset_t sa_mask;
  int sa_flags;
};
int sigaction(int number, const struct sigaction *_Null_unspecified action, struct sigaction *_Null_unspecified former);
void (*_Null_unspecified signal(int number, void (*_Null_unspecified handler)(int)))(int);
int sigemptyset(sigset_t *_Null_unspecified set);
int sigaddset(sigset_t *_Null_unspecified set, int number);
int sigwait(const sigset_t *_Null_unspecified set, int *_Null_unspecified number);
pid_t waitpid(pid_t process, int *_Null_unspecified status, int options);

// spawn.h
#define POSIX_SPAWN_SETSIGDEF 0x0004
typedef void *posix_spawnattr_t;
typedef void *posix_spawn_file_actions_t;
int posix_spawn(
    pid_t *_Null_unspecified process, const char *_Null_unspecified path,
    const posix_spawn_file_actions_t _Nullable *_Null_unspecified actions,
    const posix_spawnattr_t _Nullable *_Null_unspecified attributes,
    char *_Nullable const *_Null_unspecified arguments, char *_Nullable const *_Null_unspecified environment);
int posix_spawn_file_actions_init(posix_spawn_file_actions_t _Nullable *_Null_unspecified actions);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t _Nullable *_Null_unspecified actions);
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t _Nullable *_Null_unspecified actions, int from, int to);
int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t _Nullable *_Null_unspecified actions, int file);
int posix_spawnattr_init(posix_spawnattr_t _Nullable *_Null_unspecified attributes);
int posix_spawnattr_destroy(posix_spawnattr_t _Nullable *_Null_unspecified attributes);
int posix_spawnattr_setflags(posix_spawnattr_t _Nullable *_Null_unspecified attributes, short flags);
int posix_spawnattr_setsigdefault(
    posix_spawnattr_t _Nullable *_Null_unspecified attributes, const sigset_t *_Null_unspecified signals);

// sys/ttycom.h
struct winsize {
  unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel;
};
#define TIOCGWINSZ 0x40087468

// regex.h
typedef off_t regoff_t;
typedef struct {
  int re_magic;
  size_t re_nsub;
  const char *_Null_unspecified re_endp;
  struct re_guts *_Null_unspecified re_g;
} regex_t;
typedef struct {
  regoff_t rm_so, rm_eo;
} regmatch_t;
#define REG_EXTENDED 0001
#define REG_NOSUB 0004
#define REG_NEWLINE 0010
#define REG_STARTEND 00004
int regcomp(regex_t *_Null_unspecified compiled, const char *_Null_unspecified pattern, int flags);
int regexec(
    const regex_t *_Null_unspecified compiled, const char *_Null_unspecified text, size_t count,
    regmatch_t *_Null_unspecified matches, int flags);
void regfree(regex_t *_Null_unspecified compiled);
