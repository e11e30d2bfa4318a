#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The system calls that scenarios need: to read a scenario and its documents, and to damage a finished journal.
enum Platform {
  /// A system error number.
  struct SystemError: Error {
    /// The value of `errno`.
    var number: Int32

    /// The path is a directory, pipe, device or socket.
    static let notAFile = SystemError(number: ESPIPE)

    /// The system's description of the error.
    var reason: String {
      number == Self.notAFile.number ? "this is not a regular file" : String(cString: strerror(number))
    }
  }

  /// The error that calls of a dead process return.
  static let inputOutputError = EIO

  /// Reads a whole regular file of at most `limit` bytes; `nil` if it is longer. Never waits for another process to
  /// write to a pipe.
  static func contents(of path: String, limit: Int) throws(SystemError) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    // Opening a socket fails.
    guard file >= 0 else { throw errno == ENXIO ? .notAFile : SystemError(number: errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw SystemError(number: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = buffer.withUnsafeMutableBytes { retryingRead(file, $0) }
      guard count >= 0 else { throw SystemError(number: errno) }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else { return nil }
      bytes.append(contentsOf: buffer[..<count])
    }
  }

  /// Replaces the contents of an existing file.
  static func overwrite(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    let file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
    guard file >= 0 else { throw SystemError(number: errno) }
    defer { close(file) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { write(file, $0.baseAddress.map { $0 + written }, bytes.count - written) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw SystemError(number: errno) }
      written += count
    }
  }

  /// Removes a folder and the files in it as far as possible. Nested folders remain, and then so does the folder
  /// itself.
  static func removeFolder(_ path: String) {
    guard let folder = opendir(path) else { return }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    for name in names where name != "." && name != ".." { unlink(path + "/" + name) }
    rmdir(path)
  }

  /// Whether the path exists: as a file, a folder, or a dangling link.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  private static func retryingRead(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let count = read(file, buffer.baseAddress, buffer.count)
      if count >= 0 || errno != EINTR { return count }
    }
  }
}
