import PlainText

/// Keeps a walk in step with a writer: checks its end again, and notices when what was read is changed, taken back or
/// removed. ``JournalFollower`` serves what such a walk finds.
struct TailWatcher {
  let directory: JournalDirectory
  /// Whether a writer may be active, so that an unfinished write is given time to finish.
  private let mayHaveWriter: Bool
  /// When the names in the directory were last listed.
  private var names = NamesWatch()
  /// Whether they were listed at the current end: a reader that looks again is following the journal.
  private var hasListed = false

  init(_ directory: JournalDirectory, mayHaveWriter: Bool) {
    self.directory = directory
    self.mayHaveWriter = mayHaveWriter
  }

  // MARK: - The end

  /// Checks again how long the last segment is, and whether another one follows it.
  ///
  /// An error leaves both unchanged: a successor whose predecessor was not checked again would miss its end.
  ///
  /// - Parameter news: receives findings about files that have come since.
  mutating func refresh(
    _ segment: WalkedSegment, _ place: inout SegmentPlace, _ news: inout [Finding]
  ) throws(JournalError) {
    let scanner = segment.scanner
    // Copies, because listing must not hold this follower while it changes them.
    var (names, hasListed) = (names, hasListed)
    defer { (self.names, self.hasListed) = (names, hasListed) }
    // The list before the size: the valid length that the next segment states then never exceeds the size examined.
    let look = try names.listing(at: directory) { () throws(JournalError) -> (JournalCatalog, UInt64) in
      (try listAgain(segment, place, &hasListed), try directory.size(of: scanner.window.file, place.entry.file))
    }
    let size: UInt64
    if let (listed, sizeThen) = look {
      size = sizeThen
      let known = Set(place.catalog.repeated.map(\.name))
      place.catalog = listed
      news += listed.findingsOfRepeated(besides: known)
    } else {
      size = try directory.size(of: scanner.window.file, place.entry.file)
    }
    scanner.limit = place.limit(ofSize: size)
    scanner.window.invalidate()
    segment.proof = nil
  }

  /// The contents of the directory, with the segments that this walk has passed at their places.
  private func listAgain(
    _ segment: WalkedSegment, _ place: SegmentPlace, _ hasListed: inout Bool
  ) throws(JournalError) -> JournalCatalog {
    var listed = place.catalog
    try listed.readSegments(directory)
    if hasListed { try followName(of: segment, place, listed: listed) }
    hasListed = true
    // Segments that were retired, removed or restored meanwhile do not move those that this walk has passed.
    listed.continueSegments(place.catalog.segments)
    if segment.scanner.sequence < place.entry.header.firstSequence, try isEmpty(segment, place) {
      // A writer whose directory could not be synced reinstalls the segment that it begins: until something is written
      // to it, the name may lead to another file.
      segment.goOn(in: try open(place))
    }
    return listed
  }

  /// Whether a segment ends with its header, or with the catalogue after that.
  private func isEmpty(_ segment: WalkedSegment, _ place: SegmentPlace) throws(JournalError) -> Bool {
    let size = try directory.size(of: segment.scanner.window.file, place.entry.file)
    let header = UInt64(place.entry.header.size)
    guard place.entry.header.catalogDigest != nil, size > header else { return size <= header }
    return try segment.scanner.readCatalog().map { size <= $0.end } ?? false
  }

  /// Whether a writer has begun the first segment since the journal was last examined.
  func hasBegun(_ place: inout SegmentPlace) throws(JournalError) -> Bool {
    guard place.catalog.segments.isEmpty else { return false }
    var catalog = place.catalog
    try catalog.readSegments(directory)
    // Before the first segment, only JOURNAL distinguishes this journal from another one.
    try checkIdentity(of: catalog, isAlone: catalog.segments.isEmpty)
    place.catalog = catalog
    return !catalog.segments.isEmpty
  }

  // MARK: - Holes

  /// Whether rereading its place still finds a hole.
  func finds(_ hole: SegmentScanner.Hole, again segment: WalkedSegment) throws(JournalError) -> Bool {
    guard case .hole(let other) = try segment.freshScanner().next() else { return false }
    return other.position == hole.position
  }

  /// Whether a writer completed the place meanwhile, or is doing so: checks a few times before calling a tail torn.
  ///
  /// A writer may be suspended in the middle of a write, so the waits grow, up to a sixteenth of a second in all.
  ///
  /// - Parameter isReported: whether the hole was reported before. It is then checked once more, because a writer may
  ///   have been active, but without waiting.
  mutating func hasGrown(
    _ segment: WalkedSegment, _ place: inout SegmentPlace, isReported: Bool, _ news: inout [Finding]
  ) throws(JournalError) -> Bool {
    guard mayHaveWriter else { return false }
    let scanner = segment.scanner
    // Once for each length, so that a file with many holes does not cause a wait at each of them.
    guard isReported || segment.awaitedLength != scanner.limit else { return false }
    let before = scanner.place
    for wait in 0..<(isReported ? 1 : 7) {
      if !isReported { directory.fileSystem.pause(nanoseconds: 500_000 << UInt64(wait)) }
      try refresh(segment, &place, &news)
      if !place.isLast { return true }
      let element = try scanner.next()
      scanner.goBack(to: before)
      if case .hole = element { continue }
      return true
    }
    if !isReported { segment.awaitedLength = scanner.limit }
    return false
  }

  // MARK: - What was taken back

  // Events may be read before they are durable, and their writer may take them back. A failed write is cut off, and
  // later events are written in its place; what could not be synced is written again to another segment, possibly
  // incomplete.

  /// - Throws: `conflict` when the segment at `place` begins again with numbers that were read before, and the last of
  ///   those events is now different or missing. The chain sums up all events, so others before it may differ too.
  func checkRepeated(_ place: SegmentPlace, after reached: HistoryWalker.Reached?) throws(JournalError) {
    guard place.isRepeating(after: reached), let reached, let chain = reached.chain else { return }
    guard try ChainIndex(directory).chain(after: reached.sequence) != chain else { return }
    throw takenBack(reached.sequence, place)
  }

  /// Checks whether the bytes that were read last are still in their place. Returns whether it moved the scanner back
  /// before them, where reading must continue.
  ///
  /// - Parameter window: a window on the segment's file without cached bytes.
  /// - Throws: `conflict` when the events that were read are different or gone.
  func putsBack(
    _ segment: WalkedSegment, _ place: SegmentPlace, in window: FileWindow
  ) throws(JournalError) -> Bool {
    guard mayHaveWriter, place.entry.knowsChain else { return false }
    let scanner = segment.scanner
    let header = place.entry.header
    let isCut = scanner.limit < scanner.offset
    if !isCut, try scanner.isLastFrameThere(in: window) { return false }
    let again = SegmentScanner(segment.freshWindow(), after: header, limit: scanner.limit)
    reading: while again.sequence < scanner.sequence {
      switch try again.next() {
      case .batch, .record, .lostCatalog: continue
      case .hole:
        try checkHeader(of: scanner.window.file, place)
        if isCut { throw cutOff(scanner, place) }
        // No writer writes what does not verify: the device changed bytes that were already read, and reading again
        // finds it.
        return false
      case .end: break reading
      }
    }
    guard again.sequence == scanner.sequence, again.chain == scanner.chain else {
      // The header stays when a writer takes events back.
      if scanner.limit < UInt64(header.size) { throw cutOff(scanner, place) }
      throw takenBack(scanner.sequence, place)
    }
    // Not even the header is whole.
    if scanner.limit < again.offset { throw cutOff(scanner, place) }
    // A frame without an event was taken back; the history continues in its place.
    scanner.resume(at: again.offset, sequence: again.sequence, chain: again.chain)
    segment.unseal()
    return true
  }

  private func takenBack(_ sequence: UInt64, _ place: SegmentPlace) -> JournalError {
    JournalError(
      .conflict,
      "the history no longer holds what was read up to event \(sequence.grouped): it was not durable yet, or the file was "
        + "changed",
      remedy: "open the journal again, and read from an event on that was durable", file: place.entry.file,
      sequence: sequence)
  }

  /// The error that ends a walk whose last segment has become shorter than what was read of it.
  private func cutOff(_ scanner: SegmentScanner, _ place: SegmentPlace) -> JournalError {
    JournalError(
      .conflict,
      "the file became shorter while it was read, and what was read up to event \(scanner.sequence.grouped) is not in it "
        + "any more", remedy: "read from the beginning what is there", file: place.entry.file,
      sequence: scanner.sequence)
  }
}
