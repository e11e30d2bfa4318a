import Journal
import SystemCalls

/// Calls on names within an open folder, which cannot be led elsewhere by a link. A failed call throws the system's number.
extension FileCalls {
  /// What an open file is.
  struct Status: Equatable {
    var device: UInt64
    var inode: UInt64
    var isFile: Bool
    var isFolder: Bool

    fileprivate init(_ status: FileStatus) {
      (device, inode) = (status.device, status.inode)
      (isFile, isFolder) = (status.kind == .file, status.kind == .folder)
    }
  }

  private static func check(_ error: Int32, _ operation: String) throws(FileSystemError) {
    if error != 0 { throw FileSystemError(error, during: operation) }
  }

  /// Opens a folder by its path.
  static func openFolder(_ path: String) throws(FileSystemError) -> Int32 {
    let (folder, error) = SystemCalls.open(path, .folder)
    try check(error, "open")
    return folder
  }

  /// Opens a file or folder within an open folder, for reading. Never follows a link, and never waits for a pipe.
  static func openEntry(_ name: String, in folder: Int32) throws(FileSystemError) -> Int32 {
    let (file, error) = SystemCalls.open(name, in: folder)
    try check(error, "open")
    return file
  }

  static func closeFile(_ file: Int32) { SystemCalls.close(file) }

  static func status(of file: Int32) throws(FileSystemError) -> Status {
    let (status, error) = SystemCalls.status(of: file)
    guard let status else { throw FileSystemError(error, during: "stat") }
    return Status(status)
  }

  /// What a name within an open folder leads to, which may be a link itself.
  static func status(of name: String, in folder: Int32) throws(FileSystemError) -> Status {
    let (status, error) = SystemCalls.status(of: name, in: folder)
    guard let status else { throw FileSystemError(error, during: "stat") }
    return Status(status)
  }

  /// Bytes of an open file, as far as it has them.
  static func read(_ file: Int32, count: Int, at offset: Int) throws(FileSystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let place = done
      let (read, error) = bytes.withUnsafeMutableBytes { buffer in
        SystemCalls.read(file, UnsafeMutableRawBufferPointer(rebasing: buffer[place...]), at: Int64(offset + place))
      }
      try check(error, "read")
      if read == 0 { break }
      done += read
    }
    bytes.removeLast(count - done)
    return bytes
  }

  /// The names in an open folder, in the order of their bytes.
  static func names(in folder: Int32) throws(FileSystemError) -> [String] {
    let (names, error) = SystemCalls.names(in: folder)
    try check(error, "list")
    return names.sorted()
  }

  static func remove(_ name: String, in folder: Int32) throws(FileSystemError) {
    try check(SystemCalls.removeFile(name, in: folder), "remove")
  }

  /// Takes a file's lock, until it is closed; `false` when another owner holds it.
  static func lock(_ file: Int32) throws(FileSystemError) -> Bool {
    let error = SystemCalls.lock(file)
    if error == wouldBlock { return false }
    try check(error, "lock")
    return true
  }

  static func sync(_ folder: Int32) throws(FileSystemError) {
    try check(SystemCalls.syncAll(folder), "sync directory")
  }
}
