import Journal
import SystemCalls

/// The last change of a folder: as long as it is the same, no name came into the folder and none left it.
struct FolderChange: Equatable {
  var inode: UInt64
  /// When it was, by the clock that the file system reads.
  var time: Int64

  /// Whether a change from now on has another time.
  ///
  /// A time without nanoseconds is that of a file system that keeps whole seconds, and may be shared until its second is over.
  func isOver(at now: Int64) -> Bool {
    let second: Int64 = 1_000_000_000
    return time % second == 0 ? now / second != time / second : now != time
  }
}

extension FileCalls {
  /// The last change of an open folder.
  static func lastChange(of folder: Int32) throws(FileSystemError) -> FolderChange {
    let (status, error) = SystemCalls.status(of: folder)
    guard let status else { throw FileSystemError(error, during: "stat") }
    return FolderChange(inode: status.inode, time: status.changed)
  }

  /// The time that a change gets now. On Linux, it moves on by some milliseconds at once.
  static var changeTime: Int64 { SystemCalls.nanoseconds(.files) }

  /// The last change of an open folder, once a later one has another time: after some milliseconds at most, or at the end of the
  /// second where the file system keeps whole seconds. `nil` if changes keep coming.
  static func finalChange(of folder: Int32) throws(FileSystemError) -> FolderChange? {
    for _ in 0..<1_100 {
      let change = try lastChange(of: folder)
      if change.isOver(at: changeTime) { return change }
      SystemCalls.pause(nanoseconds: 1_000_000)
    }
    return nil
  }
}
