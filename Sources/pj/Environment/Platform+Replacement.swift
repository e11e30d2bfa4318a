#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

import Journal

extension Platform {
  /// How replacing a file's contents ended.
  enum Replacement: Equatable {
    /// The file has the new contents, and keeps them through a power cut.
    case replaced
    /// The path is a link, or is none of a regular file: nothing was written.
    case notAFile(isLink: Bool)
    /// No one may write the file, as where a version control system has not checked it out, or this user may not: nothing was
    /// written. A rename would not ask.
    case writeProtected
    /// The file has this many names, and the others would keep the old contents: nothing was written.
    case manyNames(Int)
    /// Another process changed the file since it was read: nothing was written.
    case changed
    /// The system refused, with this error number: the file has its old contents.
    case failed(Int32)
  }

  /// Replaces a file's contents in one step: at every moment, also in a power cut, its name leads to the old contents or to the
  /// new ones, whole. The file keeps its mode and its owner.
  ///
  /// - Parameter old: What the file must still hold.
  static func replace(_ path: String, _ old: [UInt8], with new: [UInt8]) -> Replacement {
    if let obstacle = obstacle(toReplacing: path) { return obstacle }
    var status = stat()
    guard FileName.withPath(path, { lstat($0, &status) }) == 0 else { return .failed(errno) }
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let temporary = "\(path[..<slash]).\(path[slash...]).pj-\(getpid())"
    let file: Int32
    switch create(temporary) {
    case .success(let descriptor): file = descriptor
    case .failure(let error): return .failed(error.value)
    }
    if let error = fill(file, new, like: status) {
      removeFile(temporary)
      return .failed(error)
    }
    guard case .bytes(let current) = contents(of: path, limit: old.count), current == old else {
      removeFile(temporary)
      return .changed
    }
    guard FileName.withPath(temporary, { from in FileName.withPath(path) { rename(from, $0) } }) == 0 else {
      let error = errno
      removeFile(temporary)
      return .failed(error)
    }
    let folder = FileName.withPath(slash == path.startIndex ? "." : String(path[..<slash])) {
      open($0, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    }
    guard folder >= 0 else { return .failed(errno) }
    return finish(folder).map { .failed($0) } ?? .replaced
  }

  /// What keeps a file from being replaced, as far as it shows beforehand; `nil` if nothing does.
  static func obstacle(toReplacing path: String) -> Replacement? {
    var status = stat()
    guard FileName.withPath(path, { lstat($0, &status) }) == 0 else { return .failed(errno) }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG else { return .notAFile(isLink: kind == S_IFLNK) }
    // A superuser may write any file.
    let isWritable = status.st_mode & 0o222 != 0 && FileName.withPath(path) { access($0, W_OK) } == 0
    guard isWritable else { return .writeProtected }
    return status.st_nlink > 1 ? .manyNames(Int(status.st_nlink)) : nil
  }

  /// Writes a file whole, with the mode and the owner of another, and closes it; returns the error number of what failed.
  private static func fill(_ file: Int32, _ bytes: [UInt8], like status: stat) -> Int32? {
    var own = stat()
    var failure: Int32?
    if fstat(file, &own) != 0 { failure = errno }
    if failure == nil, (own.st_uid, own.st_gid) != (status.st_uid, status.st_gid),
      fchown(file, status.st_uid, status.st_gid) != 0
    {
      failure = errno
    }
    if failure == nil, fchmod(file, status.st_mode & 0o7777) != 0 { failure = errno }
    if failure == nil {
      switch bytes.withUnsafeBytes({ write($0, to: file) }) {
      case .written: break
      case .readerIsGone: failure = EPIPE
      case .failed(let error): failure = error
      }
    }
    let unfinished = finish(file)
    return failure ?? unfinished
  }
}
