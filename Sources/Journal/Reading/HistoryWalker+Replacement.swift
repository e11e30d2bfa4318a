/// Files that are taken away, cut or replaced while they are read. No writer does that, so nothing that follows
/// continues what was read.
extension HistoryWalker {
  /// How often a segment is looked for that has no name: a writer that makes the name anew takes it away for a moment.
  private static let attempts = 4

  /// Continues in the file that the current segment's name leads to, usually the one that is open: a copy of the
  /// journal in its place is just as good.
  ///
  /// - Parameter listed: the names in the directory.
  /// - Throws: `conflict` when the file is another journal's, or gone, and no later segment follows it; `notAJournal` when
  ///   everything is gone.
  func followName(listed: JournalCatalog) throws(JournalError) {
    let named: OpenFile?
    do throws(JournalError) {
      named = try openNamed()
    } catch {
      // It was retired since it was listed; the next look finds what follows it.
      guard error.code == .outOfRange else { throw error }
      return
    }
    guard let current = named else {
      // What was read of a segment that others follow stays read: the segment was retired or moved.
      // A reconstructed header does not prove which journal it belongs to.
      let hasSuccessor = listed.segments.contains {
        $0.headerFault == nil && $0.header.ordinal > entry.header.ordinal
      }
      if hasSuccessor { return }
      try checkIdentity(isAlone: listed.segments.isEmpty)
      throw JournalError(
        .conflict,
        "the file is gone, and with it what was read up to event \(grouped(lastSequence))",
        remedy: "read from the beginning what is there", file: entry.file, sequence: lastSequence)
    }
    do throws(JournalError) {
      try checkHeader(of: current)
    } catch {
      directory.fileSystem.close(current)
      throw error
    }
    goOn(in: current)
  }

  /// - Throws: `conflict` when another journal has taken the place of this one.
  /// - Parameter isAlone: whether no segment exists, so that a missing `JOURNAL` means an empty directory.
  func checkIdentity(isAlone: Bool) throws(JournalError) {
    guard let (bytes, _) = try directory.readSpare(Format.identityName, limit: Format.maximumHeaderSize + 1) else {
      guard isAlone else { return }
      throw JournalError(
        .notAJournal, "all files of the journal are gone", remedy: "find out who took them away", file: directory.path)
    }
    // Nothing is told by a JOURNAL that was wrong when reading began.
    guard !catalog.isIdentityOverruled, case .sound(let identity) = JournalIdentity.read(bytes),
      identity.id != catalog.identity.id
    else { return }
    throw JournalError.replaced(catalog.identity.id, by: identity.id, file: Format.identityName)
  }

  /// - Throws: `conflict` when a file under the current segment's name belongs to another journal.
  func checkHeader(of file: OpenFile) throws(JournalError) {
    // A header that was wrong when the segment was entered proves nothing.
    guard entry.headerFault == nil else { return }
    let bytes = try directory.read(file, entry.file, at: 0, count: Format.maximumHeaderSize)
    guard case .sound(let header) = SegmentHeader.read(bytes) else {
      try checkIdentity(isAlone: false)
      return
    }
    guard header.id != catalog.identity.id else { return }
    throw JournalError.replaced(catalog.identity.id, by: header.id, file: entry.file)
  }

  /// The error that ends a walk whose last segment has become shorter than what was read of it.
  func cutOff(_ scanner: SegmentScanner) -> JournalError {
    JournalError(
      .conflict,
      "the file became shorter while it was read, and what was read up to event \(grouped(scanner.sequence)) is not in it "
        + "any more", remedy: "read from the beginning what is there", file: entry.file, sequence: scanner.sequence)
  }

  private func openNamed() throws(JournalError) -> OpenFile? {
    for attempt in 1...Self.attempts {
      do throws(JournalError) {
        return try openCurrent()
      } catch {
        guard error.errorNumber == Platform.noEntry else { throw error }
        if attempt < Self.attempts { directory.fileSystem.pause(nanoseconds: 200_000) }
      }
    }
    return nil
  }
}

extension JournalError {
  /// The error for another journal in the place of the one being read.
  static func replaced(_ id: JournalID, by other: JournalID, file: String) -> JournalError {
    JournalError(
      .conflict, "journal \(id), which was read here, was replaced by journal \(other)",
      remedy: "read the other one from its beginning, and look for this one where it was moved to", file: file)
  }
}
