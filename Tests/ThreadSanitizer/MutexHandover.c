// Tells the thread sanitizer of a contended Mutex. The standard library is not built for the sanitizer, so that it sees
// a lock that is free being taken, in our own code, and does not see one being handed over, in the library's: every
// access behind a contended lock would be called a race. tools/thread-sanitizer loads this before the library.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONTEXT __attribute__((swift_context))
#define SWIFT __attribute__((swiftcall))

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define TRY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"

typedef SWIFT void (*Lock)(uint32_t, CONTEXT void *);
typedef SWIFT void (*Unlock)(CONTEXT void *);
typedef SWIFT bool (*Try)(CONTEXT void *);

/// Calls one of the sanitizer's functions, where it is there.
static void tell(const char *function, void *handle) {
  void (*found)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, function);
  if (found != NULL) { found(handle); }
}

SWIFT void lock_slowly(uint32_t thread, CONTEXT void *handle) __asm__(LOCK);
SWIFT void lock_slowly(uint32_t thread, CONTEXT void *handle) {
  ((Lock)dlsym(RTLD_NEXT, LOCK))(thread, handle);
  tell("__tsan_acquire", handle);
}

SWIFT void unlock_slowly(CONTEXT void *handle) __asm__(UNLOCK);
SWIFT void unlock_slowly(CONTEXT void *handle) {
  tell("__tsan_release", handle);
  ((Unlock)dlsym(RTLD_NEXT, UNLOCK))(handle);
}

SWIFT bool try_slowly(CONTEXT void *handle) __asm__(TRY);
SWIFT bool try_slowly(CONTEXT void *handle) {
  bool is_taken = ((Try)dlsym(RTLD_NEXT, TRY))(handle);
  if (is_taken) { tell("__tsan_acquire", handle); }
  return is_taken;
}
