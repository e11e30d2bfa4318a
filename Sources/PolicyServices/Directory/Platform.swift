#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The system calls that read an administrator's folder.
enum Platform {
  /// Why a file or a folder cannot be read.
  enum Failure: Error, Equatable {
    /// It does not exist.
    case missing
    /// It is a folder, a pipe, a device or a socket.
    case notAFile
    /// It is longer than the limit.
    case tooLong
    /// It changed while it was read.
    case changed
    /// Any other error of the system, in its words.
    case system(String)

    init(_ number: Int32) {
      self = number == ENOENT || number == ENOTDIR ? .missing : .system(String(cString: strerror(number)))
    }
  }

  /// What tells two states of a file apart without reading it.
  struct Stamp: Equatable {
    private var identity: [Int64]

    init(_ status: stat) {
      #if canImport(Darwin)
        let (changed, modified) = (status.st_ctimespec, status.st_mtimespec)
      #else
        let (changed, modified) = (status.st_ctim, status.st_mtim)
      #endif
      identity = [
        Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino), Int64(status.st_size),
        Int64(modified.tv_sec), Int64(modified.tv_nsec), Int64(changed.tv_sec), Int64(changed.tv_nsec),
      ]
    }
  }

  /// The stamp of what a path leads to.
  static func stamp(_ path: String) throws(Failure) -> Stamp {
    var status = stat()
    guard stat(path, &status) == 0 else { throw Failure(errno) }
    return Stamp(status)
  }

  /// The names in a folder in the order of their bytes, without hidden ones, and whether each is a folder.
  static func entries(of folder: String, limit: Int) throws(Failure) -> [(name: String, isFolder: Bool)] {
    guard let directory = opendir(folder) else { throw Failure(errno) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard !name.hasPrefix(".") else { continue }
      guard names.count < limit else { throw .tooLong }
      names.append(name)
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { name in
      var status = stat()
      return (name, stat("\(folder)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR)
    }
  }

  /// The bytes of a regular file and its stamp. Never waits for another process to write to a pipe.
  static func contents(of path: String, limit: Int) throws(Failure) -> (bytes: [UInt8], stamp: Stamp) {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw errno == ENXIO ? .notAFile : Failure(errno) }
    defer { close(file) }
    let before = try status(of: file)
    guard before.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    guard before.st_size <= limit else { throw .tooLong }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(before.st_size))
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw Failure(errno) }
      if count == 0 { break }
      guard bytes.count + count <= limit else { throw .tooLong }
      bytes.append(contentsOf: buffer[..<count])
    }
    let stamp = Stamp(before)
    guard bytes.count == Int(before.st_size), try Stamp(status(of: file)) == stamp else { throw .changed }
    return (bytes, stamp)
  }

  private static func status(of file: Int32) throws(Failure) -> stat {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw Failure(errno) }
    return status
  }
}
