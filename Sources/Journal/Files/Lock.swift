import Synchronization

#if canImport(Darwin)
  /// A value that one thread at a time may use.
  public typealias Lock = Mutex
#else
  /// A value that one thread at a time may use, like `Mutex`.
  ///
  /// Releasing the lock wakes a waiting thread, and the first thread to arrive takes it. Swift's `Mutex` on Linux
  /// hands the lock to the waiting thread, which must wake up before any thread can continue: once more threads than
  /// processors want it briefly, they queue up for good, and every pass costs a context switch.
  public struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    // Unchecked because of the pointers: they are set once, freed with the lock, and the value is only touched by the thread
    // that has the mutex.
    @usableFromInline let mutex: OperatingSystem.MutexPointer
    @usableFromInline let value: UnsafeMutablePointer<Value>

    /// Creates an unlocked lock.
    public init(_ value: consuming sending Value) {
      mutex = OperatingSystem.createMutex()
      self.value = .allocate(capacity: 1)
      self.value.initialize(to: value)
    }

    deinit {
      value.deinitialize(count: 1)
      value.deallocate()
      OperatingSystem.destroyMutex(mutex)
    }

    /// Waits until this thread has the value, and releases it when `body` returns. Must not be called within `body`.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      OperatingSystem.lockMutex(mutex)
      defer { OperatingSystem.unlockMutex(mutex) }
      return try body(&value.pointee)
    }
  }
#endif
