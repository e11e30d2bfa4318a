import Journal
import Synchronization
import SystemCalls

/// The file of a ``FileKeyStore`` and what is beside it: how it is opened, replaced and locked.
final class KeyFile: Sendable {
  let path: String
  private let fileSystem: any FileSystem
  private let leftBehind = Mutex(LeftBehind())

  /// Files with keys that were destroyed since or will be.
  private struct LeftBehind {
    /// Lost their name, or may have: not overwritten yet, because what was to replace them may not be durable.
    var files: [OpenFile] = []
    /// Why one could not be overwritten.
    var failure: FileSystemError?
  }

  /// How often the lock is tried, a millisecond apart.
  private static let maximumTries = 5_000
  /// Old files that are held open at most.
  private static let maximumLeftCount = 16

  init(_ path: String, _ fileSystem: any FileSystem) {
    self.path = path
    self.fileSystem = fileSystem
  }

  deinit {
    for file in leftBehind.withLock({ $0.files }) { fileSystem.close(file) }
  }

  // MARK: Reading

  /// Opens the file for reading. A link is refused, as it is for writing: a change would replace the link, and leave every
  /// destroyed key where it leads.
  func open() throws(KeyStoreError) -> OpenFile {
    for _ in 0..<Self.maximumTries {
      let file: OpenFile
      do throws(FileSystemError) {
        file = try fileSystem.open(path, .read)
      } catch {
        throw error.meansMissing && isLink() ? link : self.error(error)
      }
      do throws(FileSystemError) {
        if try fileSystem.isNamed(file, path) { return file }
      } catch {
        fileSystem.close(file)
        throw self.error(error)
      }
      fileSystem.close(file)
      // Otherwise, another process has replaced it since.
      if isLink() { throw link }
    }
    throw KeyStoreError(
      .unavailable, "the key file \(path) is another one each time it is opened", remedy: "End what replaces it")
  }

  private func isLink() -> Bool {
    do throws(FileSystemError) {
      fileSystem.close(try fileSystem.open(path, .update))
      return false
    } catch {
      return error.code == FileCalls.link
    }
  }

  private var link: KeyStoreError {
    KeyStoreError(
      .unavailable, "the key file \(path) is a symbolic link, and a destroyed key would stay where it leads",
      remedy: "Give the path to which it leads")
  }

  func close(_ file: OpenFile) { fileSystem.close(file) }

  func size(of file: OpenFile) throws(KeyStoreError) -> UInt64 {
    try call { () throws(FileSystemError) in try fileSystem.size(of: file) }
  }

  func read(_ file: OpenFile, _ range: Range<Int>) throws(KeyStoreError) -> [UInt8] {
    try call { () throws(FileSystemError) in
      try fileSystem.bytes(of: file, in: UInt64(range.lowerBound)..<UInt64(range.upperBound))
    }
  }

  // MARK: Writing

  /// Makes what another process wrote durable.
  func sync() throws(KeyStoreError) {
    let file = try open()
    defer { fileSystem.close(file) }
    try call { () throws(FileSystemError) in
      try fileSystem.sync(file)
      try fileSystem.syncDirectory(FileName.folder(of: path))
    }
  }

  /// Replaces the file, durably before it returns, and overwrites the old one where it was: the keys in it that were destroyed,
  /// or will be.
  func replace(by bytes: [UInt8]) throws(KeyStoreError) {
    let old = openOld(path)
    let draft = path + ".new"
    // What a process left that died while it wrote may hold a key that was destroyed since.
    if let left = openOld(draft) { overwrite(left) }
    do throws(FileSystemError) {
      try fileSystem.replace(path, by: draft, bytes)
    } catch {
      if let old { keep(old, after: error) }
      throw self.error(error)
    }
    let kept = leftBehind.withLock { left in
      defer { left.files = [] }
      return left.files
    }
    for file in kept { overwrite(file) }
    if let old { overwrite(old) }
  }

  /// Opens what is to be overwritten; `nil` if it is not there.
  private func openOld(_ path: String) -> OpenFile? {
    do throws(FileSystemError) { return try fileSystem.open(path, .update) } catch {
      if !error.meansMissing { recordFailure(error) }
      return nil
    }
  }

  /// Holds on to a file that lost its name, or may have, to what may not be durable: until then, it may be needed.
  private func keep(_ file: OpenFile, after failure: FileSystemError) {
    // The next change finds it by its name.
    if (try? fileSystem.isNamed(file, path)) == true { return fileSystem.close(file) }
    let isKept = leftBehind.withLock { left in
      guard left.files.count < Self.maximumLeftCount else { return false }
      left.files.append(file)
      return true
    }
    guard !isKept else { return }
    recordFailure(failure)
    fileSystem.close(file)
  }

  /// Leaves nothing of a file that lost its name, as far as the device lets it, and closes it.
  private func overwrite(_ file: OpenFile) {
    defer { fileSystem.close(file) }
    do throws(FileSystemError) {
      // Larger ones are nothing that a key store wrote.
      let size = min(try fileSystem.size(of: file), UInt64(KeyTable.maximumByteCount))
      try fileSystem.writeAll(file, [UInt8](repeating: 0, count: Int(size)), at: 0)
      try fileSystem.sync(file)
    } catch {
      recordFailure(error)
    }
  }

  private func recordFailure(_ failure: FileSystemError) {
    leftBehind.withLock { $0.failure = $0.failure ?? failure }
  }

  /// Why something could not be overwritten since this was last asked; `nil` if everything was.
  func takeFailure() -> FileSystemError? {
    leftBehind.withLock { left in
      defer { left.failure = nil }
      return left.failure
    }
  }

  func locked<Value>(_ body: () throws(KeyStoreError) -> Value) throws(KeyStoreError) -> Value {
    let lock = try call { () throws(FileSystemError) in try fileSystem.open(path + ".lock", .createOrUpdate) }
    defer { fileSystem.close(lock) }
    var tries = 0
    while try call({ () throws(FileSystemError) in try !fileSystem.lock(lock) }) {
      tries += 1
      guard tries < Self.maximumTries else {
        throw KeyStoreError(
          .unavailable, "another process holds the lock of the key file \(path)",
          remedy: "End that process, and try again")
      }
      fileSystem.pause(nanoseconds: 1_000_000)
    }
    return try body()
  }

  private func call<Value>(_ body: () throws(FileSystemError) -> Value) throws(KeyStoreError) -> Value {
    do throws(FileSystemError) { return try body() } catch { throw self.error(error) }
  }

  private func error(_ error: FileSystemError) -> KeyStoreError {
    KeyStoreError(
      error.meansMissing ? .missing : .unavailable, "the key file \(path): \(error)",
      remedy: "Check the path, its permissions and the device")
  }
}
