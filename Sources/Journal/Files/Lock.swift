import Synchronization

#if canImport(Darwin)
  /// A value that one thread at a time has.
  public typealias Lock = Mutex
#else
  /// A value that one thread at a time has, like `Mutex`.
  ///
  /// Who releases it wakes a thread that waits, and whoever comes first takes it. Swift's `Mutex` on Linux hands it over to
  /// the thread that waits, which has to wake up before anybody can go on: once more threads than processors want it for a
  /// moment each, they queue up for good, and every pass costs a change of threads.
  public struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    // Unchecked because of the pointers: they are set once, freed with the lock, and the value is only touched by the thread
    // that has the mutex.
    @usableFromInline let mutex: Platform.MutexPointer
    @usableFromInline let value: UnsafeMutablePointer<Value>

    /// Creates a lock that nobody has.
    public init(_ value: consuming sending Value) {
      mutex = Platform.createMutex()
      self.value = .allocate(capacity: 1)
      self.value.initialize(to: value)
    }

    deinit {
      value.deinitialize(count: 1)
      value.deallocate()
      Platform.destroyMutex(mutex)
    }

    /// Waits until the value is this thread's, and gives it back when `body` returns. Not to be called within `body`.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      Platform.lockMutex(mutex)
      defer { Platform.unlockMutex(mutex) }
      return try body(&value.pointee)
    }
  }
#endif
