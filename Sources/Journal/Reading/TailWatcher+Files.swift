import PlainText

/// Handles files that are removed, cut or replaced while they are read. No writer does that, so later data does not
/// continue what was read.
extension TailWatcher {
  /// How often to look for a segment without a name: a writer that renews the name removes it for a moment.
  private static let attempts = 4

  /// Continues in the file that the current segment's name leads to, usually the one that is open: a copy of the
  /// journal in its place is just as good.
  ///
  /// - Parameter listed: the names in the directory.
  /// - Throws: `conflict` when the file is another journal's, or gone, and no later segment follows it; `notAJournal` when
  ///   everything is gone.
  func followName(
    of segment: WalkedSegment, _ place: SegmentPlace, listed: JournalCatalog
  ) throws(JournalError) {
    let named: OpenFile?
    do throws(JournalError) {
      named = try openNamed(place)
    } catch {
      // It was retired since it was listed; the next pass finds its successor.
      guard error.code == .retired else { throw error }
      return
    }
    guard let current = named else {
      // Events read from a segment with successors stay valid: the segment was retired or moved. A reconstructed header
      // does not prove which journal it belongs to.
      let hasSuccessor = listed.segments.contains {
        $0.headerFault == nil && $0.header.ordinal > segment.header.ordinal
      }
      if hasSuccessor { return }
      try checkIdentity(of: place.catalog, isAlone: listed.segments.isEmpty)
      let sequence = segment.scanner.sequence
      throw JournalError(
        .conflict,
        "the file is gone, and with it what was read up to event \(sequence.grouped)",
        remedy: "read from the beginning what is there", file: place.entry.file, sequence: sequence)
    }
    do throws(JournalError) {
      try checkHeader(of: current, place)
    } catch {
      directory.fileSystem.close(current)
      throw error
    }
    segment.goOn(in: current)
  }

  /// - Throws: `conflict` when another journal has taken the place of this one.
  /// - Parameter isAlone: whether no segment exists, so that a missing `JOURNAL` means an empty directory.
  func checkIdentity(of catalog: JournalCatalog, isAlone: Bool) throws(JournalError) {
    guard let (bytes, _) = try directory.readSpare(Format.identityName, limit: Format.maximumHeaderSize + 1) else {
      guard isAlone else { return }
      throw JournalError(
        .notAJournal, "all files of the journal are gone", remedy: "find out what removed them", file: directory.path)
    }
    // A JOURNAL that was already wrong when reading began is not evidence.
    guard !catalog.isIdentityOverruled, case .sound(let identity) = JournalIdentity.read(bytes),
      identity.id != catalog.identity.id
    else { return }
    throw JournalError.replaced(catalog.identity.id, by: identity.id, file: Format.identityName)
  }

  /// - Throws: `conflict` when a file under the current segment's name belongs to another journal.
  func checkHeader(of file: OpenFile, _ place: SegmentPlace) throws(JournalError) {
    let entry = place.entry
    // A header that was wrong when the segment was entered proves nothing.
    guard entry.headerFault == nil else { return }
    let bytes = try directory.read(file, entry.file, at: 0, count: Format.maximumHeaderSize)
    guard case .sound(let header) = SegmentHeader.read(bytes) else {
      try checkIdentity(of: place.catalog, isAlone: false)
      return
    }
    let id = place.catalog.identity.id
    guard header.id != id else { return }
    throw JournalError.replaced(id, by: header.id, file: entry.file)
  }

  private func openNamed(_ place: SegmentPlace) throws(JournalError) -> OpenFile? {
    for attempt in 1...Self.attempts {
      do throws(JournalError) {
        return try open(place)
      } catch {
        guard error.errorNumber == OperatingSystem.noEntry else { throw error }
        if attempt < Self.attempts { directory.fileSystem.pause(nanoseconds: 200_000) }
      }
    }
    return nil
  }

  // MARK: - Opening

  /// Opens the current segment's file, or reports that it was retired since its name was read.
  func open(_ place: SegmentPlace) throws(JournalError) -> OpenFile {
    let entry = place.entry
    do throws(JournalError) {
      return try directory.open(entry.file)
    } catch {
      guard error.errorNumber == OperatingSystem.noEntry else { throw error }
      var fresh = place.catalog
      try fresh.readSegments(directory)
      if let retirement = fresh.retirement, retirement.firstOrdinal > entry.header.ordinal {
        throw retired(retirement, place)
      }
      // A writer that renews a segment's name renames the file, and renames it back.
      let moved = fresh.segments.first { $0.header.ordinal == entry.header.ordinal && $0.headerFault == nil }
      guard let moved else { throw error }
      return try directory.open(moved.file)
    }
  }

  /// Reports when segments before the current one, and events with them, were begun and retired again since the last
  /// one was entered: they are not missing.
  func checkRetirement(_ place: SegmentPlace, after lastSequence: UInt64) throws(JournalError) {
    guard place.index > 0, let retirement = place.catalog.retirement else { return }
    let ordinal = place.entry.header.ordinal
    let before = place.catalog.segments[place.index - 1].header.ordinal
    if before < retirement.firstOrdinal, ordinal != before + 1,
      lastSequence < retirement.firstSequence - 1
    {
      throw retired(retirement, place)
    }
  }

  private func retired(_ retirement: Retirement, _ place: SegmentPlace) -> JournalError {
    JournalError(
      .retired, "the events before \(retirement.firstSequence.grouped) were retired meanwhile",
      remedy: "open the journal again, and begin there", file: place.entry.file,
      sequence: place.entry.header.firstSequence)
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
