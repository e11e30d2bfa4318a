#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Everything of this module that differs between platforms.
enum FileCalls {
  static let noEntry = ENOENT
  static let exists = EEXIST
  static let notADirectory = ENOTDIR
  static let invalidName = EINVAL
  static let wouldBlock = EWOULDBLOCK
  /// Where a name is opened that must not be a link, and is one.
  static let link = ELOOP
}
