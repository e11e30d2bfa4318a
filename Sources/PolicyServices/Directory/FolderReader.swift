#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

import SystemCalls

/// The system calls that read an administrator's folder.
enum FolderReader {
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
  typealias Stamp = FileStatus

  /// The stamp of what a path leads to.
  static func stamp(_ path: String) throws(Failure) -> Stamp {
    let (status, error) = SystemCalls.status(of: path)
    guard let status else { throw Failure(error) }
    return status
  }

  /// The names in a folder in the order of their bytes, without hidden ones, and whether each is a folder.
  static func entries(of folder: String, limit: Int) throws(Failure) -> [(name: String, isFolder: Bool)] {
    let (names, error) = SystemCalls.names(in: folder, limit: limit, skipsHidden: true)
    guard error == 0 else { throw Failure(error) }
    guard names.count <= limit else { throw .tooLong }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { name in
      (name, SystemCalls.status(of: "\(folder)/\(name)").status?.kind == .folder)
    }
  }

  /// The bytes of a regular file and its stamp. Never waits for another process to write to a pipe.
  static func contents(of path: String, limit: Int) throws(Failure) -> (bytes: [UInt8], stamp: Stamp) {
    switch SystemCalls.contents(of: path, limit: limit) {
    case .bytes(let bytes, let stamp):
      // What the path leads to now also tells whether the file was replaced.
      guard bytes.count == Int(stamp.size), try self.stamp(path) == stamp else { throw .changed }
      return (bytes, stamp)
    case .tooLong: throw .tooLong
    case .notAFile: throw .notAFile
    case .failed(let error): throw Failure(error)
    }
  }
}
