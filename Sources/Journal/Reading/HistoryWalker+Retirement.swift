extension HistoryWalker {
  /// Opens the current segment's file, or reports that it was retired since its name was read.
  func openCurrent() throws(JournalError) -> OpenFile {
    do throws(JournalError) {
      return try directory.open(entry.file)
    } catch {
      guard error.errorNumber == Platform.noEntry else { throw error }
      var fresh = catalog
      try fresh.readSegments(directory)
      if let retirement = fresh.retirement, retirement.firstOrdinal > entry.header.ordinal { throw retired(retirement) }
      // A writer that renews a segment's name renames the file, and renames it back.
      let moved = fresh.segments.first { $0.header.ordinal == entry.header.ordinal && $0.headerFault == nil }
      guard let moved else { throw error }
      return try directory.open(moved.file)
    }
  }

  /// Reports when segments before the current one, and events with them, were begun and retired again since the last
  /// one was entered: they are not missing.
  func checkRetirement() throws(JournalError) {
    guard index > 0, let retirement = catalog.retirement else { return }
    let before = catalog.segments[index - 1].header.ordinal
    if before < retirement.firstOrdinal, entry.header.ordinal != before + 1,
      lastSequence < retirement.firstSequence - 1
    {
      throw retired(retirement)
    }
  }

  /// Whether the kept segments begin with the current one, so that those between the last one and this one were
  /// retired.
  var isFirstKept: Bool { catalog.retirement?.firstOrdinal == entry.header.ordinal }

  private func retired(_ retirement: Retirement) -> JournalError {
    JournalError(
      .outOfRange, "the events before \(grouped(retirement.firstSequence)) were retired meanwhile",
      remedy: "open the journal again, and begin there", file: entry.file, sequence: entry.header.firstSequence)
  }
}
