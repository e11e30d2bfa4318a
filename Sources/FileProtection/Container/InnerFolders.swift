import Journal

/// The folders directly within a folder of an app's container, and the files in them: never what a link leads to.
///
/// ```swift
/// let folders = InnerFolders(of: documents)
/// for folder in try folders.names() { print(folder, try folders.files(in: folder)) }
/// ```
///
/// A link in a folder's place would otherwise have an app read, encrypt or remove what is not its own. Links,
/// other file systems, and files of other kinds are passed over here, and neither read nor removed.
public struct InnerFolders: Sendable {
  private let root: String

  /// The folders within the folder at a path.
  public init(of root: String) { self.root = root }

  /// The names of the folders, in the order of their bytes.
  public func names() throws(FileSystemError) -> [String] {
    let folder = try FileCalls.openFolder(root)
    defer { FileCalls.closeFile(folder) }
    return try names(in: folder, by: \.isFolder)
  }

  /// The names of the files in a folder, in the order of their bytes.
  ///
  /// - Throws: `FileSystemError`, also if the name is that of a link or a file, or is a path.
  public func files(in name: String) throws(FileSystemError) -> [String] {
    try withFolder(name) { (folder) throws(FileSystemError) in try names(in: folder, by: \.isFile) }
  }

  /// Makes a folder that only this user may read, unless it is there.
  ///
  /// - Throws: `FileSystemError`, also if the name is that of a link or a file, or is a path.
  public func make(_ name: String) throws(FileSystemError) {
    try check(name)
    do throws(FileSystemError) { try PosixFileSystem().createDirectory("\(root)/\(name)") } catch {
      guard error.code == FileCalls.exists else { throw error }
      try withFolder(name) { _ in }
    }
  }

  /// Removes the files in a folder, and then the folder, unless something else is left in it.
  ///
  /// - Throws: `FileSystemError`, also if the name is that of a link or a file, or is a path. What could be removed is.
  public func remove(_ name: String) throws(FileSystemError) {
    var failure: FileSystemError?
    let isEmpty = try withFolder(name) { (folder) throws(FileSystemError) in
      for file in try names(in: folder, by: \.isFile) {
        do throws(FileSystemError) { try FileCalls.remove(file, in: folder) } catch { failure = failure ?? error }
      }
      return try FileCalls.names(in: folder).isEmpty
    }
    if let failure { throw failure }
    if isEmpty { try PosixFileSystem().remove("\(root)/\(name)") }
  }

  private func names(in folder: Int32, by isKind: (FileCalls.Status) -> Bool) throws(FileSystemError) -> [String] {
    let device = try FileCalls.status(of: folder).device
    var found: [String] = []
    for name in try FileCalls.names(in: folder) {
      do throws(FileSystemError) {
        let status = try FileCalls.status(of: name, in: folder)
        if isKind(status), status.device == device { found.append(name) }
      } catch {
        // Another process removed it meanwhile.
        guard error.meansMissing else { throw error }
      }
    }
    return found
  }

  /// Opens a folder by its name, not through a link.
  private func withFolder<Result>(
    _ name: String, _ body: (Int32) throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result {
    try check(name)
    let root = try FileCalls.openFolder(root)
    defer { FileCalls.closeFile(root) }
    let folder = try FileCalls.openEntry(name, in: root)
    defer { FileCalls.closeFile(folder) }
    guard try FileCalls.status(of: folder).isFolder else {
      throw FileSystemError(FileCalls.notADirectory, during: "open")
    }
    return try body(folder)
  }

  private func check(_ name: String) throws(FileSystemError) {
    if name.contains("/") || ["", ".", ".."].contains(name) {
      throw FileSystemError(FileCalls.invalidName, during: "open")
    }
  }
}
