#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

import Journal

/// A moment, as the file system writes it.
struct FileTime: Equatable {
  var seconds: Int64
  var nanoseconds: Int64

  init(_ time: timespec) { (seconds, nanoseconds) = (Int64(time.tv_sec), Int64(time.tv_nsec)) }
}

/// The last change of a folder: as long as it is the same, no name came into the folder and none left it.
struct FolderChange: Equatable {
  var inode: UInt64
  var time: FileTime
}

extension Platform {
  /// The last change of an open folder.
  static func lastChange(of folder: Int32) throws(FileSystemError) -> FolderChange {
    var found = stat()
    guard fstat(folder, &found) == 0 else { throw FileSystemError(errno, during: "stat") }
    #if canImport(Darwin)
      let time = FileTime(found.st_ctimespec)
    #else
      let time = FileTime(found.st_ctim)
    #endif
    return FolderChange(inode: UInt64(truncatingIfNeeded: found.st_ino), time: time)
  }

  /// The time that a change gets now. On Linux, it moves on by some milliseconds at once.
  static func changeTime() -> FileTime {
    var now = timespec()
    #if canImport(Darwin)
      clock_gettime(CLOCK_REALTIME, &now)
    #else
      clock_gettime(CLOCK_REALTIME_COARSE, &now)
    #endif
    return FileTime(now)
  }

  /// Waits until a change gets another time than all those before; 100 ms at most.
  static func waitForNextChangeTime() {
    let start = changeTime()
    var pause = timespec(tv_sec: 0, tv_nsec: 1_000_000)
    for _ in 0..<100 where changeTime() == start { nanosleep(&pause, nil) }
  }
}
