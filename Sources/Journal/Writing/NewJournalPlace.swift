/// The directory of a journal that is to be created, as it was before: what a failed creation leaves there differs from
/// everything else.
package struct NewJournalPlace {
  private let directory: JournalDirectory
  private let id: JournalID
  /// The names in the directory; `nil` when it did not exist.
  private let before: Set<String>?

  /// Looks at the directory before the journal is created.
  package init(at path: String, id: JournalID, fileSystem: any FileSystem) {
    self.init(JournalDirectory(path: path, fileSystem: fileSystem), id)
  }

  init(_ directory: JournalDirectory, _ id: JournalID) {
    self.directory = directory
    self.id = id
    before = (try? directory.fileSystem.list(directory.path)).map { Set($0) }
  }

  /// Creates a journal and begins it. After an error it is closed, and nothing of it is left.
  @discardableResult
  func begin(
    _ create: () throws(JournalError) -> JournalWriter, with beginning: (JournalWriter) throws(JournalError) -> Void
  ) throws(JournalError) -> JournalWriter {
    do throws(JournalError) {
      let journal = try create()
      do throws(JournalError) {
        try beginning(journal)
        return journal
      } catch {
        try? journal.close()
        throw error
      }
    } catch {
      // What prevents its creation belongs to others.
      if error.code != .alreadyExists, error.code != .locked { clear() }
      throw error
    }
  }

  /// Removes the new journal's files, under the writer's lock, and then the directory if it was made for them. Leaves what was
  /// there before, and everything when another journal has taken the place.
  ///
  /// - Parameter others: The names of further files that were written for it.
  package func clear(with others: [String] = []) {
    guard let names = try? directory.names(), let lock = try? WriterLock(directory) else { return }
    withExtendedLifetime(lock) {
      if let bytes = (try? directory.read(Format.identityName, limit: Format.maximumHeaderSize))??.bytes {
        guard case .sound(let identity) = JournalIdentity.read(bytes), identity.id == id else { return }
      }
      for name in names + [Format.lockName]
      where (directory.isJournalFile(name) || others.contains(name)) && before?.contains(name) != true {
        try? directory.fileSystem.remove(directory.path(of: name))
      }
    }
    if before == nil { try? directory.fileSystem.remove(directory.path) }
  }
}

extension JournalDirectory {
  /// Whether a writer that creates a journal makes files with this name.
  func isJournalFile(_ name: String) -> Bool {
    let stem = name.hasSuffix(".tmp") ? String(name.dropLast(4)) : name
    return [Format.lockName, Format.identityName, Format.headName].contains(stem) || SegmentName(stem) != nil
      || Checkpoint.isName(stem)
  }
}
