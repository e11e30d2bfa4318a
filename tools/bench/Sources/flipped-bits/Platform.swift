#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The operating system's calls that this program uses.
enum Platform {
  static var directoryForTemporaryFiles: String {
    getenv("TMPDIR").map { String(cString: $0) } ?? (access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")
  }

  /// Creates a directory that nobody else has.
  static func createTemporaryDirectory() throws -> String {
    var template = Array("\(directoryForTemporaryFiles)/flipped-bits.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure("no directory can be made below \(directoryForTemporaryFiles); set TMPDIR and try again")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Creates a directory, if it is not there.
  static func createDirectory(_ path: String) { _ = mkdir(path, 0o700) }

  static func remove(_ path: String) {
    if unlink(path) != 0 { _ = rmdir(path) }
  }

  /// Prints a line for people to the standard error output.
  static func note(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = write(2, bytes, bytes.count)
  }

  static func end(_ code: Int32) -> Never { exit(code) }
}

/// Why the program stops: one sentence for people.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
