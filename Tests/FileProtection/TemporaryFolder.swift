import SystemCalls

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A folder of the system's own files, removed afterwards.
struct TemporaryFolder {
  let path: String

  static func with<Result>(_ body: (TemporaryFolder) throws -> Result) throws -> Result {
    var template = Array("/tmp/file-protection-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure() }
    let folder = TemporaryFolder(
      path: template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" })
    defer { folder.remove("") }
    return try body(folder)
  }

  struct Failure: Error {}

  @discardableResult
  func write(_ bytes: [UInt8], to name: String, mode: mode_t = 0o600) -> String {
    let path = "\(path)/\(name)"
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC, mode)
    defer { close(file) }
    chmod(path, mode)
    var done = 0
    while done < bytes.count {
      let place = done
      let count = bytes.withUnsafeBytes { writeBytes(file, $0.baseAddress.map { $0 + place }, bytes.count - place) }
      if count <= 0 { break }
      done += count
    }
    return path
  }

  func read(_ name: String) -> [UInt8] {
    let file = open("\(path)/\(name)", O_RDONLY)
    defer { close(file) }
    var status = stat()
    fstat(file, &status)
    var bytes = [UInt8](repeating: 0, count: max(0, Int(status.st_size)))
    let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    bytes.removeLast(bytes.count - max(0, count))
    return bytes
  }

  func mode(_ name: String) -> mode_t {
    var status = stat()
    stat("\(path)/\(name)", &status)
    return status.st_mode & 0o777
  }

  func exists(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }
  func rename(_ name: String, to new: String) { renamePath("\(path)/\(name)", "\(path)/\(new)") }
  func makeFolder(_ name: String) { mkdir("\(path)/\(name)", 0o700) }
  func link(_ name: String, to target: String) { symlink(target, "\(path)/\(name)") }

  var names: [String] { SystemCalls.names(in: path).names.sorted() }

  private func remove(_ name: String) {
    let path = name.isEmpty ? path : "\(path)/\(name)"
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      unlink(path)
      return
    }
    chmod(path, 0o700)
    for child in SystemCalls.names(in: path).names { remove(name.isEmpty ? child : "\(name)/\(child)") }
    rmdir(path)
  }
}

/// `write`, which a method of the folder hides.
private func writeBytes(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(file, bytes, count) }

/// `rename`, which a method of the folder hides.
private func renamePath(_ old: String, _ new: String) { rename(old, new) }
