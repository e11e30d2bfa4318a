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
  static let again = EAGAIN
  static let busy = EBUSY
  static let crossDevice = EXDEV
  static let directoryNotEmpty = ENOTEMPTY
  static let fileTooLarge = EFBIG
  static let invalid = EINVAL
  static let isDirectory = EISDIR
  static let nameTooLong = ENAMETOOLONG
  static let noAccess = EACCES
  static let noDevice = ENODEV
  static let noLocks = ENOLCK
  static let noMemory = ENOMEM
  static let noSuchAddress = ENXIO
  static let notADirectory = ENOTDIR
  static let notPermitted = EPERM
  static let notSupported = EOPNOTSUPP
  static let overflow = EOVERFLOW
  static let programIsRunning = ETXTBSY
  static let readOnly = EROFS
  static let stale = ESTALE
  static let tooManyFiles = EMFILE
  static let tooManyFilesInAll = ENFILE
  static let tooManyLinks = EMLINK
  static let tooManySymbolicLinks = ELOOP

  /// Nanoseconds by a clock that never goes back.
  package static var monotonicNanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  /// Ends the process.
  package static func end(_ code: Int32) -> Never { exit(code) }
}

extension [UInt8] {
  /// Where other bytes are first. The standard library's search is not specialised for bytes, and would take most of the time
  /// of a campaign.
  func firstRange(of part: some Collection<UInt8>) -> Range<Int>? {
    Array(part).withUnsafeBytes { part in
      withUnsafeBytes { whole in
        guard let searched = whole.baseAddress, let sought = part.baseAddress, part.count <= whole.count else {
          return part.isEmpty ? 0..<0 : nil
        }
        let start = (0...whole.count - part.count).first { memcmp(searched + $0, sought, part.count) == 0 }
        return start.map { $0..<$0 + part.count }
      }
    }
  }
}
