import SystemCalls

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
    SystemCalls.status(of: path).status.map { status in
      FileStatus(number: status.inode, size: status.size, modified: status.modified, changed: status.changed)
    }
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
    SystemCalls.status(of: path).status.map { FileIdentity(device: $0.device, number: $0.inode) }
  }

  /// The file that this program runs from, where the system shows it.
  static let ownFile = "/proc/self/exe"
}
