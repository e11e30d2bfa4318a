#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Finds the process that a journal belongs to.
extension Platform {
  /// Releases a lock, even if another descriptor shares the open file; does nothing where the file is not locked.
  static func unlock(_ file: Int32) {
    _ = flock(file, LOCK_UN)
  }

  /// The process that holds an exclusive lock on a file that names `stated`.
  static func lockHolder(_ file: Int32, stated: Int32?) -> LockHolder {
    #if canImport(Darwin)
      return .untold
    #else
      var status = stat()
      guard uninterrupted({ fstat(file, &status) }).error == 0 else { return .unseen }
      let device = UInt64(status.st_dev)
      // As the kernel decomposes a device's number: gnu_dev_major and gnu_dev_minor, which are macros.
      let major = (device >> 8 & 0xFFF) | (device >> 32 & 0xFFFF_F000)
      let minor = (device & 0xFF) | (device >> 12 & 0xFFFF_FF00)
      let list = contents(of: "/proc/locks")
      let inode = UInt64(status.st_ino)
      return lockHolder(inode: inode, major: major, minor: minor, stated: stated, in: list).map { .process($0) }
        ?? .unseen
    #endif
  }

  /// Finds the holder of a lock in the kernel's list, whose lines are `1: FLOCK  ADVISORY  WRITE 42 08:01:131 0 EOF`.
  ///
  /// On btrfs and overlayfs the device in the list is not the one that `stat` tells. There, a line with the file's
  /// inode counts when it names the same process as the file.
  static func lockHolder(
    inode: UInt64, major: UInt64, minor: UInt64, stated: Int32?, in list: String
  ) -> Int32? {
    var isConfirmed = false
    for line in list.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count >= 6, words[1] == "FLOCK", words[3] == "WRITE" else { continue }
      let place = words[5].split(separator: ":")
      guard place.count == 3, UInt64(place[2]) == inode, let number = Int32(words[4]), number > 0 else { continue }
      if UInt64(place[0], radix: 16) == major, UInt64(place[1], radix: 16) == minor { return number }
      if number == stated { isConfirmed = true }
    }
    return isConfirmed ? stated : nil
  }

  /// The text of a file of unknown length, up to 16 MiB of it.
  private static func contents(of path: String) -> String {
    let (file, error) = open(path, .read)
    guard error == 0 else { return "" }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < 16 << 20 {
      let (count, _) = buffer.withUnsafeMutableBytes { read(file, $0, at: Int64(bytes.count)) }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Takes an exclusive lock that the kernel drops when the file is closed in every process that has it by the same call
  /// to `open`: in this one and in those that were forked since.
  static func lock(_ file: Int32) -> Int32 {
    uninterrupted { flock(file, LOCK_EX | LOCK_NB) }.error
  }
}
