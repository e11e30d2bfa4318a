extension JournalWriter {
  /// Creates a journal of events that are known already, and closes it. After an error, nothing of it is left.
  ///
  /// - Parameter fill: Appends the events.
  /// - Throws: What ``create(at:id:createdNanoseconds:parent:options:fileSystem:)`` and `fill` throw.
  package static func create(
    at path: String, id: JournalID, createdNanoseconds: Int64, options: JournalOptions, fileSystem: any FileSystem,
    _ fill: (JournalWriter) throws(JournalError) -> Void
  ) throws(JournalError) {
    let place = NewJournalPlace(JournalDirectory(path: path, fileSystem: fileSystem), id)
    do throws(JournalError) {
      let journal = try create(
        at: path, id: id, createdNanoseconds: createdNanoseconds, options: options, fileSystem: fileSystem)
      do throws(JournalError) {
        try fill(journal)
        try journal.close()
      } catch {
        try? journal.close()
        throw error
      }
    } catch {
      // What prevents its creation belongs to others.
      if error.code != .alreadyExists, error.code != .locked { place.clear() }
      throw error
    }
  }
}
