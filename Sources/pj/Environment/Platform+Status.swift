#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

import Journal

extension Platform {
  /// What the system keeps of a file besides its bytes. Times are nanoseconds since 1970.
  struct FileStatus: Equatable {
    /// Its number on its device.
    var number: UInt64
    /// Its length in bytes.
    var size: Int64
    /// When its bytes were last changed, as programs may set it.
    var modified: Int64
    /// When anything about it was last changed, which no program sets.
    var changed: Int64
  }

  /// The status of a file or folder; `nil` where it cannot be examined.
  static func fileStatus(of path: String) -> FileStatus? {
    var status = stat()
    guard FileName.withPath(path, { stat($0, &status) }) == 0 else { return nil }
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    func nanoseconds(_ time: timespec) -> Int64 {
      Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
    return FileStatus(
      number: UInt64(status.st_ino), size: Int64(status.st_size), modified: nanoseconds(modified),
      changed: nanoseconds(changed))
  }

  /// What a file is, whatever its name.
  struct FileIdentity: Hashable {
    /// Its device.
    var device: UInt64
    /// Its number on the device.
    var number: UInt64
  }

  /// The identity of a file, or of what a link leads to; `nil` where it cannot be examined.
  static func identity(of path: String) -> FileIdentity? {
    var status = stat()
    guard FileName.withPath(path, { stat($0, &status) }) == 0 else { return nil }
    return FileIdentity(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
  }

  /// The file that this program runs from, where the system shows it.
  static let ownFile = "/proc/self/exe"
}
