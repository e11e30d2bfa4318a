/// The right to write a journal: a lock on the file `LOCK`.
final class WriterLock: Sendable {
  private let lock: FileLock

  /// Takes the right, or throws an error that names its holder. Writes nothing: ``sign()`` does.
  init(_ directory: JournalDirectory) throws(JournalError) {
    let key: String
    do throws(FileSystemError) {
      key = try directory.fileSystem.identity(of: directory.path)
    } catch {
      throw JournalError.system(error, file: directory.path)
    }
    do throws(FileLock.Failure) {
      lock = try FileLock(directory.path(of: Format.lockName), of: key, directory.fileSystem)
    } catch {
      switch error {
      case .held(let holder): throw Self.refusal(holder, directory)
      case .system(let error): throw JournalError.system(error, file: Format.lockName)
      }
    }
  }

  /// Writes this process's number into the file, for the messages of others.
  func sign() throws(JournalError) {
    do throws(FileSystemError) {
      try lock.sign()
    } catch {
      throw JournalError.system(error, file: Format.lockName)
    }
  }

  /// The process that has a journal open for writing, as far as that shows without trying the lock, which could keep a
  /// writer from it; `nil` if none shows.
  static func visibleOwner(_ directory: JournalDirectory) -> String? {
    FileLock.visibleHolder(
      of: try? directory.fileSystem.identity(of: directory.path), { try? directory.open(Format.lockName) },
      directory.fileSystem)
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
