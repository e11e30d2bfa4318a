#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

import SystemCalls

/// The system calls that scenarios need: to read a scenario and its documents, and to damage a finished journal.
enum ScenarioFiles {
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
    switch SystemCalls.contents(of: path, limit: limit) {
    case .bytes(let bytes, _): return bytes
    case .tooLong: return nil
    case .notAFile: throw .notAFile
    case .failed(let error): throw SystemError(number: error)
    }
  }

  /// Replaces the contents of an existing file.
  static func overwrite(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    let (file, error) = SystemCalls.open(path, .overwrite)
    guard error == 0 else { throw SystemError(number: error) }
    defer { SystemCalls.close(file) }
    let failure = bytes.withUnsafeBytes { SystemCalls.write($0, to: file) }
    if failure != 0 { throw SystemError(number: failure) }
  }

  /// Removes a folder and the files in it as far as possible. Nested folders remain, and then so does the folder
  /// itself.
  static func removeFolder(_ path: String) {
    for name in SystemCalls.names(in: path).names { _ = SystemCalls.removeFile("\(path)/\(name)") }
    _ = SystemCalls.remove(path)
  }

  /// Whether the path exists: as a file, a folder, or a dangling link.
  static func exists(_ path: String) -> Bool { SystemCalls.status(of: path, followsLinks: false).status != nil }
}
