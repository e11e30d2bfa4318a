#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

import Journal
import SystemCalls

extension Platform {
  /// How replacing a file's contents ended.
  package enum Replacement: Equatable {
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
    /// The file has the new contents, and what keeps them through a power cut failed with this error number.
    case unproven(Int32)

    /// Whether the file has the new contents.
    package var isWritten: Bool {
      switch self {
      case .replaced, .unproven: true
      case .notAFile, .writeProtected, .manyNames, .changed, .failed: false
      }
    }
  }

  /// Replaces a file's contents in one step: at every moment, also in a power cut, its name leads to the old contents or to the
  /// new ones, whole. The file keeps its mode and its owner.
  ///
  /// - Parameters:
  ///   - old: What the file must still hold.
  ///   - fileSystem: Renames the file, and makes that durable.
  package static func replace(
    _ path: String, _ old: [UInt8], with new: [UInt8], _ fileSystem: any FileSystem
  ) -> Replacement {
    if let obstacle = obstacle(toReplacing: path) { return obstacle }
    let (found, error) = SystemCalls.status(of: path, followsLinks: false)
    guard let status = found else { return .failed(error) }
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let temporary = "\(path[..<slash]).\(path[slash...]).pj-\(getpid())"
    let (file, creating) = SystemCalls.open(temporary, .create)
    guard creating == 0 else { return .failed(creating) }
    if let error = fill(file, new, like: status) {
      removeFile(temporary)
      return .failed(error)
    }
    guard case .bytes(let current) = contents(of: path, limit: old.count), current == old else {
      removeFile(temporary)
      return .changed
    }
    let written = SystemCalls.status(of: temporary, followsLinks: false).status
    do throws(FileSystemError) {
      try fileSystem.rename(temporary, to: path)
    } catch {
      // A file system on another machine may report an error for what it has done.
      let found = SystemCalls.status(of: path, followsLinks: false).status
      guard let found, let written, found.isSameFile(as: written) else {
        removeFile(temporary)
        return .failed(error.code)
      }
    }
    do throws(FileSystemError) {
      try fileSystem.syncDirectory(FileName.folder(of: path))
      return .replaced
    } catch {
      return .unproven(error.code)
    }
  }

  /// What keeps a file from being replaced, as far as it shows beforehand; `nil` if nothing does.
  package static func obstacle(toReplacing path: String) -> Replacement? {
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
