extension JournalWriter {
  /// Creates a journal of events that are known already, and closes it. After an error, nothing of it is left; a process that
  /// ends in between leaves a journal that is marked as unfinished.
  ///
  /// - Parameter fill: Appends the events.
  /// - Throws: What ``create(at:id:createdNanoseconds:parent:options:fileSystem:)`` and `fill` throw.
  package static func create(
    at path: String, id: JournalID, createdNanoseconds: Int64, options: JournalOptions, fileSystem: any FileSystem,
    _ fill: (JournalWriter) throws(JournalError) -> Void
  ) throws(JournalError) {
    let place = NewJournalPlace(JournalDirectory(path: path, fileSystem: fileSystem), id)
    var options = options
    options.isUnfinished = true
    try place.begin {
      () throws(JournalError) in
      try create(at: path, id: id, createdNanoseconds: createdNanoseconds, options: options, fileSystem: fileSystem)
    } with: { (journal) throws(JournalError) in
      try fill(journal)
      try journal.close()
      try markFinished(at: path, fileSystem: fileSystem)
    }
  }
}
