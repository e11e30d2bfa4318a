#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the system keeps of a file besides its bytes. Times are nanoseconds since 1970.
package struct FileStatus: Hashable, Sendable {
  /// What a name can lead to.
  package enum Kind: Hashable, Sendable {
    case file, folder, link, pipe
    /// A device or a socket.
    case other
  }

  /// Its device.
  package var device: UInt64
  /// Its number on the device.
  package var inode: UInt64
  package var kind: Kind
  /// Who may do what with it, with the bits that let it run as another user.
  package var permissions: UInt16
  /// How many names it has.
  package var linkCount: UInt64
  package var owner: UInt32
  package var group: UInt32
  /// Its length in bytes.
  package var size: Int64
  /// When its bytes were last changed, as programs may set it.
  package var modified: Int64
  /// When anything about it was last changed, which no program sets.
  package var changed: Int64

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      case S_IFIFO: .pipe
      default: .other
      }
    permissions = UInt16(truncatingIfNeeded: status.st_mode & 0o7777)
    linkCount = UInt64(truncatingIfNeeded: status.st_nlink)
    (owner, group) = (status.st_uid, status.st_gid)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      (modified, changed) = (Self.nanoseconds(status.st_mtimespec), Self.nanoseconds(status.st_ctimespec))
    #else
      (modified, changed) = (Self.nanoseconds(status.st_mtim), Self.nanoseconds(status.st_ctim))
    #endif
  }

  /// Whether both are of one file, whatever happened to it in between.
  package func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

extension SystemCalls {
  /// The status of a file, where a type of its own has the same name.
  package typealias Status = FileStatus

  /// The status of an open file.
  package static func status(of file: Int32) -> (status: FileStatus?, error: Int32) {
    status { fstat(file, &$0) }
  }

  /// The status of what a path leads to.
  ///
  /// - Parameter followsLinks: Whether a link at its end stands for what it leads to.
  package static func status(of path: String, followsLinks: Bool = true) -> (status: FileStatus?, error: Int32) {
    FileName.withPath(path) { path in status { followsLinks ? stat(path, &$0) : lstat(path, &$0) } }
  }

  /// The status of what a name within an open folder leads to, which may be a link itself.
  package static func status(of name: String, in folder: Int32) -> (status: FileStatus?, error: Int32) {
    FileName.withPath(name) { name in status { fstatat(folder, name, &$0, AT_SYMLINK_NOFOLLOW) } }
  }

  private static func status(_ call: (inout stat) -> Int32) -> (status: FileStatus?, error: Int32) {
    var found = stat()
    let error = uninterrupted { call(&found) }.error
    return error == 0 ? (FileStatus(found), 0) : (nil, error)
  }
}
