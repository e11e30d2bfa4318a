import Journal
import SystemCalls

/// The last change of a folder: as long as it is the same, no name came into the folder and none left it.
struct FolderChange: Equatable {
  var inode: UInt64
  /// When it was, by the clock that the file system reads.
  var time: Int64
}

extension Platform {
  /// The last change of an open folder.
  static func lastChange(of folder: Int32) throws(FileSystemError) -> FolderChange {
    let (status, error) = SystemCalls.status(of: folder)
    guard let status else { throw FileSystemError(error, during: "stat") }
    return FolderChange(inode: status.inode, time: status.changed)
  }

  /// The time that a change gets now. On Linux, it moves on by some milliseconds at once.
  static var changeTime: Int64 { SystemCalls.nanoseconds(.files) }

  /// Waits until a change gets another time than all those before; 100 ms at most.
  static func waitForNextChangeTime() {
    let start = changeTime
    for _ in 0..<100 where changeTime == start { SystemCalls.pause(nanoseconds: 1_000_000) }
  }
}
