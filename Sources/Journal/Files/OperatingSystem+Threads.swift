#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Threads and locks.
extension OperatingSystem {
  /// Runs a function on a thread of its own, which is never joined; `false` when the system cannot start one.
  static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    let box = Unmanaged.passRetained(ThreadBody(body))
    #if canImport(Darwin)
      var thread: pthread_t?
      let code = pthread_create(&thread, nil, { OperatingSystem.run($0) }, box.toOpaque())
      if code == 0, let thread { pthread_detach(thread) }
    #else
      var thread = pthread_t()
      let code = pthread_create(&thread, nil, { $0.flatMap { OperatingSystem.run($0) } }, box.toOpaque())
      if code == 0 { pthread_detach(thread) }
    #endif
    if code != 0 { box.release() }
    return code == 0
  }

  private static func run(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().body()
    return nil
  }

  private final class ThreadBody: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  #if !canImport(Darwin)
    @usableFromInline typealias MutexPointer = UnsafeMutablePointer<pthread_mutex_t>

    static func createMutex() -> MutexPointer {
      let mutex = MutexPointer.allocate(capacity: 1)
      pthread_mutex_init(mutex, nil)
      return mutex
    }

    static func destroyMutex(_ mutex: MutexPointer) {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    @usableFromInline
    static func lockMutex(_ mutex: MutexPointer) { pthread_mutex_lock(mutex) }

    @usableFromInline
    static func unlockMutex(_ mutex: MutexPointer) { pthread_mutex_unlock(mutex) }
  #endif

  /// A lock whose holder can wait until another thread has changed what it guards.
  ///
  /// Unchecked because of the pointers: they are set once, freed with the object, and given only to the system's
  /// functions, which may be called from any thread.
  final class Monitor: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
      pthread_mutex_init(mutex, nil)
      #if canImport(Darwin)
        pthread_cond_init(condition, nil)
      #else
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
      #endif
    }

    deinit {
      pthread_cond_destroy(condition)
      pthread_mutex_destroy(mutex)
      condition.deallocate()
      mutex.deallocate()
    }

    func withLock<Value>(_ body: () -> Value) -> Value {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return body()
    }

    /// Releases the lock until another thread wakes this one. May return for no reason; the lock must be held.
    func wait() {
      pthread_cond_wait(condition, mutex)
    }

    /// Does the same, for at most this long.
    func wait(nanoseconds: UInt64) {
      #if canImport(Darwin)
        var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        pthread_cond_timedwait_relative_np(condition, mutex, &time)
      #else
        let end = OperatingSystem.monotonicNanoseconds.addingReportingOverflow(nanoseconds)
        guard !end.overflow else { return wait() }
        var time = timespec(
          tv_sec: Int(end.partialValue / 1_000_000_000), tv_nsec: Int(end.partialValue % 1_000_000_000))
        pthread_cond_timedwait(condition, mutex, &time)
      #endif
    }

    /// Wakes all waiting threads.
    func wakeAll() {
      pthread_cond_broadcast(condition)
    }
  }
}
