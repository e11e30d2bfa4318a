#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The operating system's calls on files, each as thin as it can be.
///
/// `errno` is handed over as a value, zero after success, so that nothing in between can overwrite it. Paths are text as
/// ``FileName`` makes it, and no child process inherits an open file.
package enum SystemCalls {
  /// Repeats a call as long as a signal interrupts it; an interruption proves nothing about the device.
  ///
  /// Every call goes through here, whether its manual page lists `EINTR` or not: a file system that is a program of its own
  /// or on another machine may end any of them with it. Only `close` must not be repeated, because the number may be another
  /// file's by then.
  package static func uninterrupted<Value: SignedInteger>(_ call: () -> Value) -> (value: Value, error: Int32) {
    while true {
      let value = call()
      if value >= 0 { return (value, 0) }
      let error = errno
      if error != EINTR { return (-1, error) }
    }
  }

  /// What a file is opened for.
  package enum Access {
    case read, write, update, createOrUpdate
    /// Reading and writing, without its bytes.
    case replace
    /// Writing an existing file, without its bytes.
    case overwrite
    /// Writing a file that must not exist, not even as a link.
    case create
    /// Names within a folder.
    case folder

    var flags: Int32 {
      switch self {
      case .read: O_RDONLY
      case .write: O_WRONLY
      case .update: O_RDWR
      case .createOrUpdate: O_RDWR | O_CREAT
      case .replace: O_RDWR | O_CREAT | O_TRUNC
      case .overwrite: O_WRONLY | O_TRUNC
      case .create: O_WRONLY | O_CREAT | O_EXCL
      case .folder: O_RDONLY | O_DIRECTORY
      }
    }
  }

  /// Opens a file, never waiting for another process at a pipe; a new one is for its owner only.
  ///
  /// - Parameter followsLinks: Whether a link at the path's end stands for what it leads to; otherwise it is refused.
  package static func open(
    _ path: String, _ access: Access, followsLinks: Bool = true
  ) -> (file: Int32, error: Int32) {
    let flags = access.flags | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
    let (file, error) = FileName.withPath(path) { path in
      uninterrupted {
        #if canImport(Darwin)
          Darwin.open(path, flags, 0o600)
        #else
          Glibc.open(path, flags, 0o600)
        #endif
      }
    }
    return (file, error)
  }

  /// Opens a file or folder within an open folder, for reading. Never follows a link, and never waits for a pipe.
  package static func open(_ name: String, in folder: Int32) -> (file: Int32, error: Int32) {
    let (file, error) = FileName.withPath(name) { name in
      uninterrupted { openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
    }
    return (file, error)
  }

  /// Closes a file; returns the error number of what the system could not finish. The file is closed in any case, so that
  /// an interruption is no failure: what must be kept was synced before.
  ///
  /// - Parameter call: The system's, except in tests.
  @discardableResult
  package static func close(_ file: Int32, by call: (Int32) -> Int32 = systemClose) -> Int32 {
    guard call(file) != 0 else { return 0 }
    let error = errno
    return error == EINTR ? 0 : error
  }

  /// The system's own call.
  package static func systemClose(_ file: Int32) -> Int32 {
    #if canImport(Darwin)
      Darwin.close(file)
    #else
      Glibc.close(file)
    #endif
  }

  /// Reads at a place, once: fewer bytes than the buffer holds need not mean the end.
  package static func read(
    _ file: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) -> (count: Int, error: Int32) {
    let (count, error) = uninterrupted { pread(file, buffer.baseAddress, buffer.count, off_t(offset)) }
    return (count, error)
  }

  /// Writes at a place, once: the device may take fewer bytes.
  package static func write(
    _ file: Int32, _ buffer: UnsafeRawBufferPointer, at offset: Int64
  ) -> (count: Int, error: Int32) {
    let (count, error) = uninterrupted { pwrite(file, buffer.baseAddress, buffer.count, off_t(offset)) }
    return (count, error)
  }

  package static func setSize(_ file: Int32, _ size: Int64) -> Int32 {
    uninterrupted { ftruncate(file, off_t(size)) }.error
  }

  package static func setPermissions(_ file: Int32, _ permissions: UInt16) -> Int32 {
    uninterrupted { fchmod(file, mode_t(permissions)) }.error
  }

  package static func setOwner(_ file: Int32, _ owner: UInt32, group: UInt32) -> Int32 {
    uninterrupted { fchown(file, owner, group) }.error
  }

  /// Makes a file's bytes and length survive a power cut, as far as the platform can tell.
  package static func sync(_ file: Int32) -> Int32 {
    #if canImport(Darwin)
      syncAll(file)
    #else
      uninterrupted { fdatasync(file) }.error
    #endif
  }

  /// Makes all that the system keeps of an open file or folder durable: its names, its bytes, its permissions.
  package static func syncAll(_ file: Int32) -> Int32 {
    #if canImport(Darwin)
      // On Apple platforms fsync leaves the bytes in the drive's own cache.
      let error = uninterrupted { fcntl(file, F_FULLFSYNC) }.error
      // Only where the file system does not know it: any other failure may have cost the bytes.
      guard error == ENOTSUP || error == EINVAL else { return error }
    #endif
    return uninterrupted { fsync(file) }.error
  }

  /// Makes the names in a folder durable.
  package static func syncFolder(_ path: String) -> Int32 {
    let (file, error) = open(path, .folder)
    guard error == 0 else { return error }
    defer { close(file) }
    return syncAll(file)
  }

  /// Takes an exclusive lock without waiting, which the kernel drops when the file is closed in every process that has it by
  /// the same call to `open`: in this one and in those that were forked since.
  package static func lock(_ file: Int32) -> Int32 { uninterrupted { flock(file, LOCK_EX | LOCK_NB) }.error }

  /// Releases a lock, even if another descriptor shares the open file; does nothing where the file is not locked.
  package static func unlock(_ file: Int32) { _ = uninterrupted { flock(file, LOCK_UN) } }

  /// Whether this process may do something to what a path leads to.
  package static func mayAccess(_ path: String, _ right: Right) -> Bool {
    let mode =
      switch right {
      case .find: F_OK
      case .write: W_OK
      case .execute: X_OK
      }
    return FileName.withPath(path) { path in uninterrupted { access(path, mode) } }.error == 0
  }

  /// What a process may do to a file.
  package enum Right {
    case find, write, execute
  }

  /// A clock of the system.
  package enum ClockName {
    /// The clock that people set.
    case wall
    /// The one that a file system takes the times of changes from: the wall's, on Linux as of its last tick.
    case files
    /// The clock that never goes back.
    case monotonic
    /// The clock that starts with the device and keeps running during sleep.
    case uptime
  }

  /// Sleeps, after a signal for the remaining time.
  package static func pause(nanoseconds: UInt64) {
    var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    _ = withUnsafeMutablePointer(to: &time) { time in uninterrupted { nanosleep(time, time) } }
  }

  /// What a clock shows, in nanoseconds; zero for one that the system does not have.
  package static func nanoseconds(_ name: ClockName) -> Int64 {
    let clock =
      switch name {
      case .wall: CLOCK_REALTIME
      case .files:
        #if canImport(Darwin)
          CLOCK_REALTIME
        #else
          CLOCK_REALTIME_COARSE
        #endif
      case .monotonic: CLOCK_MONOTONIC
      case .uptime:
        #if canImport(Darwin)
          CLOCK_MONOTONIC
        #else
          CLOCK_BOOTTIME
        #endif
      }
    var time = timespec()
    guard clock_gettime(clock, &time) == 0 else { return 0 }
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
