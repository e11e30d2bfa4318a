import PlainText

/// What is missing at the end of a segment, or follows it.
extension HistoryJudge {
  /// The finding for a journal that has no segment, if anything proves that it had one.
  func findingWithoutSegment(_ catalog: JournalCatalog) -> Finding? {
    let claimed = catalog.claimedSequence
    let head = catalog.head.flatMap { $0.ordinal > 0 ? $0.sequence : nil }
    guard catalog.segments.isEmpty, head != nil || claimed > 0 else { return nil }
    let last = max(head ?? 0, claimed)
    let first = catalog.firstSequence
    let isHead = head == last
    return Finding(
      .tailLost, file: isHead ? Format.headName : catalog.claimingFile, byteRange: 0..<0,
      lostEvents: last >= first ? first...last : nil, cause: "there is no segment",
      evidence: "\(isHead ? "HEAD" : catalog.claimant) says that everything up to event \(last.grouped) was durable",
      remedy: "restore the segments from a copy")
  }

  /// The finding for a footer without its trailer, if anything proves that it had one. It covers what is left of it.
  func missingTrailer(
    _ footer: SegmentScanner.Record, _ segment: WalkedSegment, _ place: SegmentPlace
  ) throws(JournalError) -> Finding? {
    let limit = segment.scanner.limit
    let proof = try durability(around: nil, segment, place)
    guard proof.length > footer.end else { return nil }
    let end = max(min(footer.end + UInt64(Format.trailerSize), limit), footer.end)
    segment.giveUpTrailer(endingAt: end)
    return Finding(
      .indexDamaged, file: place.entry.file, byteRange: footer.end..<end,
      cause: "the trailer that leads to the footer is wrong", evidence: proof.evidence,
      remedy: Recovery.Outcome.indexDamaged.remedy)
  }

  /// The finding for what is missing at the end of the last segment, if anything proves a loss.
  func missingTail(of segment: WalkedSegment, _ place: SegmentPlace) -> Finding? {
    let (catalog, file) = (place.catalog, place.entry.file)
    let end = segment.validEnd
    let claimed = catalog.claimedSequence
    let last = segment.scanner.sequence
    guard let head = catalog.head else {
      return claimed > last ? tailFinding(file, end, last, claimed, catalog.claimant, continues: false) : nil
    }
    // Also where HEAD names a later event than the bytes hold up to its place: one of the two is not what was written.
    let isAhead = (head.ordinal, head.offset) > (place.entry.header.ordinal, end) || head.sequence > last
    guard isAhead || claimed > last else { return nil }
    let continues = claimed <= last && head.sequence == last && head.chain == segment.scanner.chain
    return tailFinding(
      file, end, last, max(claimed, isAhead ? head.sequence : 0), isAhead ? "HEAD" : catalog.claimant,
      continues: continues)
  }

  private func tailFinding(
    _ file: String, _ end: UInt64, _ last: UInt64, _ claimed: UInt64, _ witness: String, continues: Bool
  ) -> Finding {
    let facts = RecoveryFacts(
      deviceFailed: false, formatSupported: true, hole: .none, declaredEnd: false, eventsAfter: false,
      historyContinues: continues, provenDurable: true)
    return Finding(
      Recovery.verdict(for: facts), file: file, byteRange: end..<end,
      lostEvents: claimed > last ? (last + 1)...claimed : nil,
      cause: continues
        ? "bytes without an event are missing at the end"
        : "the journal ends after event \(last.grouped), and there was more",
      evidence: "\(witness) says that everything up to event \(claimed.grouped) was durable",
      remedy: Recovery.row(for: facts).outcome.remedy)
  }

  /// The finding for what is missing at the end of a segment that another one follows, if anything is.
  func missingEnd(of segment: WalkedSegment, _ place: SegmentPlace) -> Finding? {
    guard let next = place.successor, let statement = place.statement else { return nil }
    let (scanner, validEnd) = (segment.scanner, segment.validEnd)
    let stated = statement.validLength
    guard validEnd < stated, scanner.sequence < next.header.firstSequence else { return nil }
    let continues = next.header.firstSequence == scanner.sequence + 1 && next.header.chainIn == scanner.chain
    // Whatever durable length the header states: a segment is begun only when everything before it is durable.
    let facts = RecoveryFacts(
      deviceFailed: false, formatSupported: true, hole: .none, declaredEnd: true, eventsAfter: false,
      historyContinues: continues, provenDurable: true)
    let missing = next.header.firstSequence - 1
    let row = Recovery.row(for: facts)
    return Finding(
      Recovery.verdict(for: facts), file: place.entry.file, byteRange: validEnd..<stated,
      lostEvents: missing > scanner.sequence ? (scanner.sequence + 1)...missing : nil,
      cause: continues ? "bytes without an event are missing at the end" : "the end of the segment is missing",
      evidence: "the header of \(next.file) says that \(stated.grouped) bytes of it were valid",
      remedy: row.outcome.remedy)
  }

  /// The finding for what follows the end of the history in the current segment, if anything does.
  func remains(
    of segment: WalkedSegment, _ place: SegmentPlace, declared: Bool
  ) throws(JournalError) -> Finding? {
    let (scanner, statement, successor) = (segment.scanner, place.statement, place.successor)
    let givenUp = statement?.end == .damaged
    let isForeign = segment.hasTrailer || statement?.end == .sealed
    let start = max(segment.validEnd, givenUp ? statement?.validLength ?? 0 : 0)
    let size = try directory.size(of: scanner.window.file, place.entry.file)
    let end = start < size ? try scanner.window.endOfData(in: start..<size) : start
    // After given-up bytes, the next segment shows whether the history continues unchanged.
    let last = givenUp ? successor.map { $0.header.firstSequence - 1 } ?? scanner.sequence : scanner.sequence
    guard end > start || (givenUp && scanner.sequence <= last) else { return nil }
    let facts = RecoveryFacts(
      deviceFailed: false, formatSupported: true, hole: .garbage, declaredEnd: declared, eventsAfter: false,
      historyContinues: isForeign && !givenUp, provenDurable: givenUp || isForeign)
    let evidence: String
    switch statement?.end {
    case _ where isForeign && !givenUp:
      evidence = "the segment is complete before them: its writer never wrote after the end"
    case SegmentEnd.damaged?:
      evidence = "the header of \(successor?.file ?? "the next segment") says that it was damaged"
    case SegmentEnd.syncFailed?:
      evidence = "nothing proved that it was synced, and what had been written was written again to the next segment"
    default: evidence = Recovery.row(for: facts).reason
    }
    return Finding(
      Recovery.verdict(for: facts), file: place.entry.file, byteRange: start..<end,
      cause: givenUp
        ? "the owner went on after event \(last.grouped) and gave up what followed it here"
        : "the last \((end - start).grouped) bytes do not belong to the history",
      evidence: evidence, remedy: Recovery.row(for: facts).outcome.remedy)
  }
}
