#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

import SystemCalls

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
    let (found, error) = SystemCalls.status(of: path, followsLinks: false)
    guard let status = found else { return .failed(error) }
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
    let renaming = SystemCalls.rename(temporary, path)
    guard renaming == 0 else {
      removeFile(temporary)
      return .failed(renaming)
    }
    let (folder, opening) = SystemCalls.open(FileName.folder(of: path), .folder)
    guard opening == 0 else { return .failed(opening) }
    return finish(folder).map { .failed($0) } ?? .replaced
  }

  /// What keeps a file from being replaced, as far as it shows beforehand; `nil` if nothing does.
  static func obstacle(toReplacing path: String) -> Replacement? {
    let (found, error) = SystemCalls.status(of: path, followsLinks: false)
    guard let status = found else { return .failed(error) }
    guard status.kind == .file else { return .notAFile(isLink: status.kind == .link) }
    // A superuser may write any file.
    let isWritable = status.permissions & 0o222 != 0 && SystemCalls.mayAccess(path, .write)
    guard isWritable else { return .writeProtected }
    return status.linkCount > 1 ? .manyNames(Int(clamping: status.linkCount)) : nil
  }

  /// Writes a file whole, with the mode and the owner of another, and closes it; returns the error number of what failed.
  private static func fill(_ file: Int32, _ bytes: [UInt8], like status: SystemCalls.Status) -> Int32? {
    let (own, error) = SystemCalls.status(of: file)
    var failure: Int32? = error == 0 ? nil : error
    func attempt(_ call: () -> Int32) {
      guard failure == nil else { return }
      let error = call()
      if error != 0 { failure = error }
    }
    if let own, (own.owner, own.group) != (status.owner, status.group) {
      attempt { SystemCalls.setOwner(file, status.owner, group: status.group) }
    }
    attempt { SystemCalls.setPermissions(file, status.permissions) }
    attempt { bytes.withUnsafeBytes { SystemCalls.write($0, to: file) } }
    let unfinished = finish(file)
    return failure ?? unfinished
  }
}
