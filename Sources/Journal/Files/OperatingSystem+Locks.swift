import SystemCalls

/// Finds the process that a journal belongs to.
extension OperatingSystem {
  /// The process that holds an exclusive lock on a file that names `stated`.
  static func lockHolder(_ file: Int32, stated: Int32?) -> LockHolder {
    #if canImport(Darwin)
      return .untold
    #else
      guard let status = SystemCalls.status(of: file).status else { return .unseen }
      let device = status.device
      // As the kernel decomposes a device's number: gnu_dev_major and gnu_dev_minor, which are macros.
      let major = (device >> 8 & 0xFFF) | (device >> 32 & 0xFFFF_F000)
      let minor = (device & 0xFF) | (device >> 12 & 0xFFFF_FF00)
      guard case .bytes(let bytes, _) = SystemCalls.contents(of: "/proc/locks", limit: 16 << 20) else { return .unseen }
      let list = String(decoding: bytes, as: UTF8.self)
      let holder = lockHolder(inode: status.inode, major: major, minor: minor, stated: stated, in: list)
      return holder.map { .process($0) } ?? .unseen
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
}
