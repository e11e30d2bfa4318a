import SystemCalls

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A folder of its own for one test, removed when the test lets go of it.
final class TemporaryFolder {
  /// Where it is.
  let path: String

  init() throws {
    var template = Array("\(TemporaryFolder.parent)/simulation-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure(errno: errno) }
    path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }

  deinit {
    Files.remove(path)
  }

  private static var parent: String {
    getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  }

  struct Failure: Error {
    var errno: Int32
  }
}

/// What tests need to look at files and folders.
enum Files {
  /// The content of every file below a folder, by its name, in the order of the names.
  static func contents(of folder: String) -> [(name: String, bytes: [UInt8])] {
    names(in: folder).sorted().map { ($0, bytes(of: folder + "/" + $0)) }
  }

  static func bytes(of path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { return bytes }
      bytes.append(contentsOf: buffer[..<count])
    }
  }

  static func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "wb") else { throw TemporaryFolder.Failure(errno: errno) }
    fputs(text, file)
    fclose(file)
  }

  static func names(in folder: String) -> [String] { SystemCalls.names(in: folder).names }

  /// Removes a folder with everything in it.
  static func remove(_ path: String) {
    for name in names(in: path) where unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
    rmdir(path)
  }

  /// Copies a folder of files.
  static func copy(_ path: String, to target: String) throws {
    guard mkdir(target, 0o755) == 0 else { throw TemporaryFolder.Failure(errno: errno) }
    for (name, bytes) in contents(of: path) {
      guard let file = fopen("\(target)/\(name)", "wb") else { throw TemporaryFolder.Failure(errno: errno) }
      fwrite(bytes, 1, bytes.count, file)
      fclose(file)
    }
  }

  /// Whether the switch is set with which golden files are written instead of compared.
  static var updatesGoldens: Bool {
    getenv("UPDATE_JOURNALS").map { String(cString: $0) } == "1"
  }
}
