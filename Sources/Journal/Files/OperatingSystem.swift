#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

import SystemCalls

/// What the journal asks of its operating system.
///
/// Everything of the journal that differs between platforms is in this type. An error number is handed over as a value.
@usableFromInline
enum OperatingSystem {
  static let noEntry = ENOENT
  static let exists = EEXIST
  static let noSpace = ENOSPC
  static let quotaExceeded = EDQUOT
  static let deviceError = EIO
  static let isDirectory = EISDIR
  static let notADirectory = ENOTDIR
  static let isLink = ELOOP
  static let wouldBlock = EWOULDBLOCK
  static let noAccess = EACCES
  static let fileTooLarge = EFBIG
  static let interrupted = EINTR
  static let noSuchAddress = ENXIO

  /// Whether an error number means that the path is not a regular file: a directory, a pipe, a socket, a link to
  /// itself.
  static func isOfOtherKind(_ code: Int32) -> Bool { [EISDIR, ESPIPE, ENXIO, ELOOP].contains(code) }

  /// What helps after a call that failed with an error number: trying again helps only where something else changes it.
  static func remedy(_ code: Int32) -> String {
    switch code {
    case EFBIG: "raise the limit for file sizes (ulimit -f), then try again"
    case EMFILE, ENFILE: "close files, or raise the limit for open ones (ulimit -n), then try again"
    case _ where isOfOtherKind(code): "move what stands there to another place, then try again"
    case EROFS: "name a place on a device that can be written to"
    case EACCES, EPERM: "let this user read it, and write where that is needed (ls -l, chmod), or run as one who may"
    case ENOENT: "create the folder that is missing, or correct the name"
    case ENOTDIR: "correct the name: a part of it that should be a folder is a file"
    case ENAMETOOLONG: "choose a shorter name"
    case EIO: "copy what can still be read to another device: this one fails"
    default: "check the permissions and the device, then try again"
    }
  }

  /// The system's name for an error number, in words.
  static func describe(_ code: Int32) -> String {
    switch code {
    case ENOENT: "no such file or directory"
    case EEXIST: "the file exists"
    case ENOSPC: "no space left on the device"
    case EDQUOT: "the disk quota is used up"
    case EIO: "the device reported an error"
    case EROFS: "the file system is read-only"
    case EISDIR: "it is a directory"
    case ENOTDIR: "it is not a directory"
    case EACCES: "permission denied"
    case EPERM: "operation not permitted"
    case ESPIPE, ENXIO: "it is not a regular file"
    case ELOOP: "it is a symbolic link"
    case EMFILE, ENFILE: "too many open files"
    case EFBIG: "the file would be too large"
    default: strerror(code).map { String(cString: $0) } ?? "system error \(code)"
    }
  }

  static func open(_ path: String, _ mode: OpenMode) -> (file: Int32, error: Int32) {
    let access: SystemCalls.Access =
      switch mode {
      case .read: .read
      case .update: .update
      case .createOrUpdate: .createOrUpdate
      case .replace: .replace
      }
    // A pipe or a device under one of our names must not block us, and a link must not redirect our writes.
    let (file, error) = SystemCalls.open(path, access, followsLinks: mode == .read)
    guard error == 0 else { return (-1, error) }
    let (status, code) = SystemCalls.status(of: file)
    if let kind = status?.kind, kind == .file || (kind == .folder && mode == .read) { return (file, 0) }
    close(file)
    return (-1, code == 0 ? ESPIPE : code)
  }

  static func close(_ file: Int32) { SystemCalls.close(file) }

  static func size(_ file: Int32) -> (Int64, Int32) {
    let (status, error) = SystemCalls.status(of: file)
    return (status?.size ?? -1, error)
  }

  /// Gives a file the permissions of another one, without the bits that let it run as another user.
  static func copyMode(_ file: Int32, _ other: Int32) -> Int32 {
    let (status, error) = SystemCalls.status(of: file)
    return status.map { SystemCalls.setPermissions(other, $0.permissions & 0o777) } ?? error
  }

  /// Asks the system to read the file from the device next.
  static func forgetCached(_ file: Int32) {
    #if canImport(Darwin)
      _ = SystemCalls.uninterrupted { fcntl(file, F_NOCACHE, 1) }
    #else
      _ = posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
    #endif
  }

  /// Where data may resume at or after an offset; `noSuchAddress` when only holes follow.
  static func seekData(_ file: Int32, _ offset: Int64) -> (Int64, Int32) {
    #if canImport(Darwin)
      let data = SEEK_DATA
    #else
      // `SEEK_DATA` of <unistd.h>, which it declares for GNU sources only.
      let data: Int32 = 3
    #endif
    let (place, error) = SystemCalls.uninterrupted { lseek(file, off_t(offset), data) }
    return (Int64(place), error)
  }

  /// The device and inode numbers of a path.
  static func identity(_ path: String) -> (device: UInt64, inode: UInt64, error: Int32) {
    let (status, error) = SystemCalls.status(of: path)
    return (status?.device ?? 0, status?.inode ?? 0, error)
  }

  /// Whether a path leads to an open file; a link does not.
  static func isNamed(_ file: Int32, _ path: String) -> (Bool, Int32) {
    let (opened, code) = SystemCalls.status(of: file)
    guard let opened else { return (false, code) }
    let (named, error) = SystemCalls.status(of: path, followsLinks: false)
    if error == ENOENT || error == ENOTDIR { return (false, 0) }
    return (named?.isSameFile(as: opened) ?? false, error)
  }

  /// The time of a path's last status change, and the current time, in nanoseconds by the settable clock.
  static func changeTime(_ path: String) -> (changed: Int64, now: Int64)? {
    SystemCalls.status(of: path).status.map { ($0.changed, SystemCalls.nanoseconds(.wall)) }
  }

  static var monotonicNanoseconds: UInt64 { UInt64(bitPattern: SystemCalls.nanoseconds(.monotonic)) }

  static func pause(nanoseconds: UInt64) { SystemCalls.pause(nanoseconds: nanoseconds) }

  /// How many threads can run at the same time.
  static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  static var processIdentifier: Int32 { getpid() }
}
