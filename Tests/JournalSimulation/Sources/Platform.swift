#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The error numbers that simulated devices report, and the clock that bounds a run.
package enum Platform {
  package static let noEntry = ENOENT
  package static let exists = EEXIST
  package static let badFile = EBADF
  package static let deviceError = EIO
  package static let noSpace = ENOSPC
  package static let quotaExceeded = EDQUOT
  package static let interrupted = EINTR
  package static let fileTooLarge = EFBIG
  package static let tooManyFiles = EMFILE
  package static let noAccess = EACCES
  package static let readOnly = EROFS
  package static let noLocks = ENOLCK
  package static let noMemory = ENOMEM

  /// Nanoseconds by a clock that never goes back.
  package static var monotonicNanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  /// Ends the process.
  package static func end(_ code: Int32) -> Never { exit(code) }
}
