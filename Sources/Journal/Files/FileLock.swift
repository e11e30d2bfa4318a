import Synchronization

/// An exclusive lock on a file, which names its holder, and an entry in a list of this process.
///
/// The list exists because some network file systems grant a file lock twice within one process.
package final class FileLock: Sendable {
  /// Why the lock was not taken.
  package enum Failure: Error {
    /// A program has it: `this process`, `process 17` or `another process`.
    case held(by: String)
    /// The system refused a call.
    case system(FileSystemError)
  }

  private static let held = Mutex<Set<String>>([])

  private let fileSystem: any FileSystem
  private let path: String
  private let file: OpenFile
  private let key: String

  /// Takes the lock. Writes nothing: ``sign()`` does.
  ///
  /// - Parameters:
  ///   - path: The file, which is created if it is missing.
  ///   - key: What the lock is of, by whatever path it is found.
  ///   - isRemovable: Whether those that have the lock may call ``removeFile()``.
  package init(
    _ path: String, of key: String, isRemovable: Bool = false, _ fileSystem: any FileSystem
  ) throws(Failure) {
    guard Self.held.withLock({ $0.insert(key).inserted }) else { throw .held(by: "this process") }
    do throws(Failure) {
      file = try Self.locked(path, isRemovable: isRemovable, fileSystem)
    } catch {
      _ = Self.held.withLock { $0.remove(key) }
      throw error
    }
    self.fileSystem = fileSystem
    self.path = path
    self.key = key
  }

  private static func locked(
    _ path: String, isRemovable: Bool, _ fileSystem: any FileSystem
  ) throws(Failure) -> OpenFile {
    var opened: OpenFile?
    do throws(FileSystemError) {
      // Others lock the file that has the name now: if the holder before removed this one, so does this program.
      for attempt in 1... {
        let file = try fileSystem.open(path, .createOrUpdate)
        opened = file
        guard try fileSystem.lock(file) else { break }
        if !isRemovable { return file }
        if try fileSystem.isNamed(file, path) { return file }
        fileSystem.close(file)
        opened = nil
        // A symbolic link never matches.
        if attempt == 100 { throw FileSystemError(OperatingSystem.isLink, during: "open") }
      }
    } catch {
      if let opened { fileSystem.close(opened) }
      throw .system(error)
    }
    let number = opened.flatMap { holder(of: $0, fileSystem) }
    if let opened { fileSystem.close(opened) }
    throw .held(by: number.map { "process \($0)" } ?? "another process")
  }

  deinit {
    fileSystem.close(file)
    _ = Self.held.withLock { $0.remove(key) }
  }

  /// Removes the file, when all is done for which the lock was taken. Safe where all take the lock as `isRemovable`: one that has
  /// opened the file before and gets the lock on it finds that the name is another file's, or free, and tries again.
  package func removeFile() throws(FileSystemError) { try fileSystem.remove(path) }

  /// Writes this process's number into the file, for the messages of others.
  package func sign() throws(FileSystemError) {
    let line = Array("\(fileSystem.processIdentifier)\n".utf8)
    do throws(FileSystemError) {
      // Written over the previous number: emptying the file first would give up its place on the device and wait for a
      // new one.
      try fileSystem.writeAll(file, line, at: 0)
      if try fileSystem.size(of: file) > UInt64(line.count) {
        try fileSystem.setSize(of: file, to: UInt64(line.count))
      }
    } catch {
      // The number is only for messages: a process that finds no room for it still has the lock.
      guard error.meansNoRoom else { throw error }
      // The previous holder's number would be wrong.
      try fileSystem.setSize(of: file, to: 0)
    }
  }

  /// Who has a lock, as far as that shows without trying it, which could keep another from it; `nil` if no program shows.
  static func visibleHolder(
    of key: String?, _ file: () -> OpenFile?, _ fileSystem: any FileSystem
  ) -> String? {
    if let key, held.withLock({ $0.contains(key) }) { return "this process" }
    guard let file = file() else { return nil }
    defer { fileSystem.close(file) }
    guard case .process(let number) = fileSystem.lockHolder(of: file, stated: stated(file, fileSystem)) else {
      return nil
    }
    return "process \(number)"
  }

  /// The process that has a lock, as the system names it: a holder has the lock a moment before it writes its number, and
  /// until then the file names the previous one; in another namespace the number belongs to another process.
  private static func holder(of file: OpenFile, _ fileSystem: any FileSystem) -> Int32? {
    let stated = stated(file, fileSystem)
    return switch fileSystem.lockHolder(of: file, stated: stated) {
    case .process(let number): number
    case .unseen: nil
    case .untold: stated
    }
  }

  /// The number in the file; `nil` if it holds none.
  private static func stated(_ file: OpenFile, _ fileSystem: any FileSystem) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 20)
    let count = (try? bytes.withUnsafeMutableBytes { try fileSystem.read(file, into: $0, at: 0) }) ?? 0
    // Complete only with the end of the line.
    guard let end = bytes[..<count].firstIndex(of: 0x0A), bytes[..<end].allSatisfy({ (0x30...0x39).contains($0) })
    else {
      return nil
    }
    return Int32(String(decoding: bytes[..<end], as: UTF8.self))
  }
}
