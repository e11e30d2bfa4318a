extension HistoryWalker {
  /// Whether a writer has begun the first segment since the journal was last examined.
  func hasBegun() throws(JournalError) -> Bool {
    guard catalog.segments.isEmpty else { return false }
    var catalog = catalog
    try catalog.readSegments(directory)
    // Before the first segment, only JOURNAL tells this journal from another one.
    try checkIdentity(isAlone: catalog.segments.isEmpty)
    self.catalog = catalog
    return !catalog.segments.isEmpty
  }

  func endWithoutSegment() throws(JournalError) -> Step {
    let claimed = catalog.claimedSequence
    let head = catalog.head.flatMap { $0.ordinal > 0 ? $0.sequence : nil }
    guard catalog.segments.isEmpty, head != nil || claimed > 0 else { return .end }
    let last = max(head ?? 0, claimed)
    let first = catalog.firstSequence
    let isHead = head == last
    stop()
    return .finding(
      Finding(
        .tailLost, file: isHead ? Format.headName : catalog.claimingFile, byteRange: 0..<0,
        lostEvents: last >= first ? first...last : nil, cause: "there is no segment",
        evidence: "\(isHead ? "HEAD" : catalog.claimant) says that everything up to event \(grouped(last)) was durable",
        remedy: "restore the segments from a copy"))
  }

  /// Reads the trailer behind a footer; the segment then ends there.
  func seal(_ scanner: SegmentScanner, _ footer: SegmentScanner.Record) throws(JournalError) {
    sealedEnd = footer.end
    bareFooter = footer
    if try takeTrailer(scanner) { return }
    let proof = try durability(around: nil, scanner)
    guard proof.length > footer.end else { return }
    bareFooter = nil
    let end = footer.end + UInt64(Format.trailerSize)
    // This finding covers what is left of the trailer.
    sealedEnd = min(end, max(scanner.limit, footer.end))
    push(
      .finding(
        Finding(
          .indexDamaged, file: entry.file, byteRange: footer.end..<max(min(end, scanner.limit), footer.end),
          cause: "the trailer that leads to the footer is wrong", evidence: proof.evidence,
          remedy: Recovery.Outcome.indexDamaged.remedy)))
  }

  /// Reads the trailer behind a footer that has none yet; `false` when it is missing. The file may have been shorter
  /// when the footer was read, or still being written: footer and trailer are one write, but may become visible one
  /// after the other.
  @discardableResult
  func takeTrailer(_ scanner: SegmentScanner) throws(JournalError) -> Bool {
    guard let footer = bareFooter else { return false }
    let end = footer.end + UInt64(Format.trailerSize)
    guard end <= scanner.limit, let bytes = try scanner.window.copy(at: footer.end, Format.trailerSize),
      Trailer.footerOffset(bytes, seed: scanner.seed) == footer.offset
    else { return false }
    bareFooter = nil
    sealedEnd = end
    hasTrailer = true
    return true
  }

  /// The finding for what is missing at the end of the last segment, if anything proves a loss.
  func missingTail(_ scanner: SegmentScanner) throws(JournalError) -> Finding? {
    let end = validEnd
    let claimed = catalog.claimedSequence
    let last = scanner.sequence
    guard let head = catalog.head else {
      return claimed > last ? tailFinding(end, last, claimed, catalog.claimant, continues: false) : nil
    }
    let isAhead = (head.ordinal, head.offset) > (entry.header.ordinal, end)
    guard isAhead || claimed > last else { return nil }
    let continues = claimed <= last && head.sequence == last && head.chain == scanner.chain
    return tailFinding(
      end, last, max(claimed, isAhead ? head.sequence : 0), isAhead ? "HEAD" : catalog.claimant, continues: continues)
  }

  private func tailFinding(
    _ end: UInt64, _ last: UInt64, _ claimed: UInt64, _ witness: String, continues: Bool
  ) -> Finding {
    let facts = RecoveryFacts(
      deviceFailed: false, formatSupported: true, hole: .none, declaredEnd: false, eventsAfter: false,
      historyContinues: continues, provenDurable: true)
    return Finding(
      Recovery.verdict(for: facts), file: entry.file, byteRange: end..<end,
      lostEvents: claimed > last ? (last + 1)...claimed : nil,
      cause: continues
        ? "bytes without an event are missing at the end"
        : "the journal ends behind event \(grouped(last)), and there was more",
      evidence: "\(witness) says that everything up to event \(grouped(claimed)) was durable",
      remedy: Recovery.row(for: facts).outcome.remedy)
  }

  /// The finding for what is missing at the end of a segment that another one follows, if anything is.
  func missingEnd(_ scanner: SegmentScanner) -> Finding? {
    guard let next = successor, let statement else { return nil }
    let stated = statement.validLength
    guard validEnd < stated, scanner.sequence < next.header.firstSequence else { return nil }
    let continues = next.header.firstSequence == scanner.sequence + 1 && next.header.chainIn == scanner.chain
    let facts = RecoveryFacts(
      deviceFailed: false, formatSupported: true, hole: .none, declaredEnd: true, eventsAfter: false,
      historyContinues: continues, provenDurable: statement.durableLength > validEnd)
    let missing = next.header.firstSequence - 1
    let row = Recovery.row(for: facts)
    guard row.outcome != .clean else { return nil }
    return Finding(
      Recovery.verdict(for: facts), file: entry.file, byteRange: validEnd..<stated,
      lostEvents: missing > scanner.sequence ? (scanner.sequence + 1)...missing : nil,
      cause: continues ? "bytes without an event are missing at the end" : "the end of the segment is missing",
      evidence: "the header of \(next.file) says that \(grouped(stated)) bytes of it were valid",
      remedy: row.outcome.remedy)
  }

  /// Whether to report findings about the end at this place, which was not reported before.
  ///
  /// What follows a sound end may still be arriving, unless the journal was closed there.
  func claimReport(at end: UInt64, isClosed: Bool) -> Bool {
    defer {
      reportedEnd = end
      if isClosed { reportedClosedEnd = end }
    }
    return isClosed ? reportedClosedEnd != end : reportedEnd != end
  }

  /// The finding for what lies behind the end of the history in the current segment, if anything does.
  func remains(_ scanner: SegmentScanner, declared: Bool) throws(JournalError) -> Finding? {
    let givenUp = statement?.end == .damaged
    let isForeign = hasTrailer || statement?.end == .sealed
    let start = max(validEnd, givenUp ? statement?.validLength ?? 0 : 0)
    let size = try directory.size(of: scanner.window.file, entry.file)
    let end = start < size ? try scanner.window.endOfData(in: start..<size) : start
    // Reading on behind what is given up shows in the next segment whether the history is the same there.
    let last = givenUp ? successor.map { $0.header.firstSequence - 1 } ?? scanner.sequence : scanner.sequence
    guard end > start || (givenUp && scanner.sequence <= last) else { return nil }
    let facts = RecoveryFacts(
      deviceFailed: false, formatSupported: true, hole: .garbage, declaredEnd: declared, eventsAfter: false,
      historyContinues: isForeign && !givenUp, provenDurable: givenUp || isForeign)
    let evidence: String
    switch statement?.end {
    case _ where isForeign && !givenUp:
      evidence = "the segment is complete before them: its writer never wrote behind the end"
    case SegmentEnd.damaged?:
      evidence = "the header of \(successor?.file ?? "the next segment") says that it was damaged"
    case SegmentEnd.syncFailed?:
      evidence = "nothing proved that it was synced, and what had been written was written again to the next segment"
    default: evidence = Recovery.row(for: facts).reason
    }
    return Finding(
      Recovery.verdict(for: facts), file: entry.file, byteRange: start..<end,
      cause: givenUp
        ? "the owner went on behind event \(grouped(last)) and gave up what followed it here"
        : "the last \(grouped(end - start)) bytes do not belong to the history",
      evidence: evidence, remedy: Recovery.row(for: facts).outcome.remedy)
  }
}
