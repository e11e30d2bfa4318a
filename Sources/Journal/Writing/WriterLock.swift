import Synchronization

/// The right to write a journal: a lock on the file `LOCK`, and an entry in a list of this process.
///
/// The list exists because some network file systems grant a file lock twice within one process.
final class WriterLock: Sendable {
  private static let held = Mutex<Set<String>>([])

  private let directory: JournalDirectory
  private let file: OpenFile
  private let key: String
  private var fileSystem: any FileSystem { directory.fileSystem }

  /// Takes the right, or throws an error that names its holder. Writes nothing: ``sign()`` does.
  init(_ directory: JournalDirectory) throws(JournalError) {
    let fileSystem = directory.fileSystem
    self.directory = directory
    let key: String
    do {
      key = try fileSystem.identity(of: directory.path)
    } catch {
      throw JournalError.system(error, file: directory.path)
    }
    guard Self.held.withLock({ $0.insert(key).inserted }) else {
      throw Self.refusal("this process", directory)
    }
    var opened: OpenFile?
    do {
      let file = try fileSystem.open(directory.path(of: Format.lockName), .createOrUpdate)
      opened = file
      guard try fileSystem.lock(file) else {
        let owner = Self.owner(file, directory)
        fileSystem.close(file)
        _ = Self.held.withLock { $0.remove(key) }
        throw Self.refusal(owner, directory)
      }
      self.file = file
      self.key = key
    } catch let error as FileSystemError {
      if let opened { fileSystem.close(opened) }
      _ = Self.held.withLock { $0.remove(key) }
      throw JournalError.system(error, file: Format.lockName)
    } catch let error as JournalError {
      throw error
    } catch {
      throw JournalError(.inputOutput, "the lock failed", remedy: "try again", file: Format.lockName)
    }
  }

  /// Writes this process's number into the file, for the messages of others.
  func sign() throws(JournalError) {
    let line = Array("\(fileSystem.processIdentifier)\n".utf8)
    do throws(FileSystemError) {
      do throws(FileSystemError) {
        // Written over the previous number: emptying the file first would give up its place on the device and wait
        // for a new one.
        try directory.fileSystem.writeAll(file, line, at: 0)
        if try fileSystem.size(of: file) > UInt64(line.count) {
          try fileSystem.setSize(of: file, to: UInt64(line.count))
        }
      } catch {
        // The number is only for messages: a process that finds no room for it still has the lock.
        guard error.meansNoRoom else { throw error }
        // The previous holder's number would be wrong.
        try fileSystem.setSize(of: file, to: 0)
      }
    } catch {
      throw JournalError.system(error, file: Format.lockName)
    }
  }

  deinit {
    fileSystem.close(file)
    _ = Self.held.withLock { $0.remove(key) }
  }

  /// The process that has a journal open for writing, as far as that shows without trying the lock, which could keep a
  /// writer from it; `nil` if none shows.
  static func visibleOwner(_ directory: JournalDirectory) -> String? {
    if let key = try? directory.fileSystem.identity(of: directory.path), held.withLock({ $0.contains(key) }) {
      return "this process"
    }
    guard let file = try? directory.open(Format.lockName) else { return nil }
    defer { directory.fileSystem.close(file) }
    guard case .process(let number) = directory.fileSystem.lockHolder(of: file, stated: statedOwner(file, directory))
    else { return nil }
    return "process \(number)"
  }

  /// The process that holds the lock, as the system names it: an owner has the lock a moment before it writes its
  /// number, and until then the file names the previous one; in another namespace the number belongs to another
  /// process.
  private static func owner(_ file: OpenFile, _ directory: JournalDirectory) -> String {
    let stated = statedOwner(file, directory)
    let number: Int32? =
      switch directory.fileSystem.lockHolder(of: file, stated: stated) {
      case .process(let number): number
      case .unseen: nil
      case .untold: stated
      }
    return number.map { "process \($0)" } ?? "another process"
  }

  /// The number in the file; `nil` if it holds none.
  private static func statedOwner(_ file: OpenFile, _ directory: JournalDirectory) -> Int32? {
    let bytes = (try? directory.read(file, Format.lockName, at: 0, count: 20)) ?? []
    // Complete only with the end of the line.
    guard let end = bytes.firstIndex(of: 0x0A), bytes[..<end].allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int32(String(decoding: bytes[..<end], as: UTF8.self))
  }

  static func refusal(_ owner: String, _ directory: JournalDirectory) -> JournalError {
    JournalError(
      .locked, "\(owner) has the journal open for writing", remedy: "close it there, or open it for reading",
      file: directory.path)
  }
}

extension JournalReader {
  /// Why the journal cannot be opened for writing: another process, or this one, has it open. `nil` where that does not
  /// show; only opening it tells for certain. Reads, and locks nothing.
  public var lockedError: JournalError? {
    WriterLock.visibleOwner(directory).map { WriterLock.refusal($0, directory) }
  }
}
