#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

import Journal

/// Calls on names within an open folder, which cannot be led elsewhere by a link. A failed call throws the system's number.
extension Platform {
  /// What an open file is.
  struct Status: Equatable {
    var device: UInt64
    var inode: UInt64
    var isFile: Bool
    var isFolder: Bool
  }

  private static func check<Value: SignedInteger>(
    _ operation: String, _ call: () -> Value
  ) throws(FileSystemError) -> Value {
    while true {
      let value = call()
      if value >= 0 { return value }
      if errno != EINTR { throw FileSystemError(errno, during: operation) }
    }
  }

  /// Opens a folder by its path.
  static func openFolder(_ path: String) throws(FileSystemError) -> Int32 {
    try check("open") { FileName.withPath(path) { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) } }
  }

  /// Opens a file or folder within an open folder, for reading. Never follows a link, and never waits for a pipe.
  static func openEntry(_ name: String, in folder: Int32) throws(FileSystemError) -> Int32 {
    try check("open") {
      FileName.withPath(name) { openat(folder, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
    }
  }

  static func closeFile(_ file: Int32) { _ = close(file) }

  static func status(of file: Int32) throws(FileSystemError) -> Status {
    var found = stat()
    _ = try check("stat") { fstat(file, &found) }
    return status(found)
  }

  /// What a name within an open folder leads to, which may be a link itself.
  static func status(of name: String, in folder: Int32) throws(FileSystemError) -> Status {
    var found = stat()
    _ = try check("stat") { FileName.withPath(name) { fstatat(folder, $0, &found, AT_SYMLINK_NOFOLLOW) } }
    return status(found)
  }

  private static func status(_ found: stat) -> Status {
    let kind = found.st_mode & S_IFMT
    return Status(
      device: UInt64(truncatingIfNeeded: found.st_dev), inode: UInt64(truncatingIfNeeded: found.st_ino),
      isFile: kind == S_IFREG, isFolder: kind == S_IFDIR)
  }

  /// Bytes of an open file, as far as it has them.
  static func read(_ file: Int32, count: Int, at offset: Int) throws(FileSystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let place = done
      let read = try check("read") {
        bytes.withUnsafeMutableBytes { buffer in
          let target = buffer.baseAddress.map { $0 + place }
          #if canImport(Darwin)
            return Darwin.pread(file, target, count - place, off_t(offset + place))
          #else
            return Glibc.pread(file, target, count - place, off_t(offset + place))
          #endif
        }
      }
      if read == 0 { break }
      done += read
    }
    bytes.removeLast(count - done)
    return bytes
  }

  /// The names in an open folder, in the order of their bytes.
  static func names(in folder: Int32) throws(FileSystemError) -> [String] {
    let copy = try check("open") { openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard let listed = fdopendir(copy) else {
      let code = errno
      closeFile(copy)
      throw FileSystemError(code, during: "list")
    }
    defer { closedir(listed) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(listed) else {
        guard errno == 0 || errno == EINTR else { throw FileSystemError(errno, during: "list") }
        if errno == EINTR { continue }
        return names.sorted()
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in FileName.text(bytes.prefix { $0 != 0 }) }
      if name != "." && name != ".." { names.append(name) }
    }
  }

  static func remove(_ name: String, in folder: Int32) throws(FileSystemError) {
    _ = try check("remove") { FileName.withPath(name) { unlinkat(folder, $0, 0) } }
  }

  /// Takes a file's lock, until it is closed; `false` when another owner holds it.
  static func lock(_ file: Int32) throws(FileSystemError) -> Bool {
    do throws(FileSystemError) { return try check("lock") { flock(file, LOCK_EX | LOCK_NB) } == 0 } catch {
      if error.code == EWOULDBLOCK { return false }
      throw error
    }
  }

  static func sync(_ folder: Int32) throws(FileSystemError) {
    _ = try check("sync directory") { fsync(folder) }
  }
}
