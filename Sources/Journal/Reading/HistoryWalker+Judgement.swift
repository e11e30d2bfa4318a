/// How much of a segment is proven to have been durable, and what its far end holds.
struct DurabilityProof {
  /// Everything before this offset was durable.
  var length: UInt64
  /// The evidence for that.
  var evidence: String
  /// The last event of a whole batch that verifies behind the first hole; zero without one.
  var lastStranded: UInt64
}

extension HistoryWalker {
  /// Determines what a hole means, reports it, and continues where that is right. Returns whether there is nothing
  /// more to report for now.
  func explain(_ hole: SegmentScanner.Hole, _ scanner: SegmentScanner) throws(JournalError) -> Bool {
    let before = scanner.place
    let proof = try durability(around: hole, scanner)
    let start = hole.partial?.start ?? hole.position
    let claimed = isLast ? catalog.claimedSequence : 0
    var isClosedBefore = false
    if isLast, hole.partial == nil, let receipt = try closingReceipt(at: hole.position) {
      guard receipt == catalog.receipt else {
        // The journal was closed since: what was read before HEAD said so is read again.
        try refresh(scanner)
        catalog.take(receipt)
        return false
      }
      isClosedBefore = true
    }
    var isProven =
      isClosedBefore || start < proof.length || claimed > before.sequence || missesEvents(behind: before.sequence)
    if isLast {
      // The window may have been filled before a writer came by here, and the proof found after it.
      // What was read before it may have been taken back since it was checked; this is then no hole in the history.
      guard try survives(hole, scanner), try !isPutBack(scanner, window(on: scanner)) else {
        try refresh(scanner)
        return false
      }
      if !isProven, try hasGrown(scanner) { return false }
    }

    var behind = try scanner.resynchronize(behind: hole)
    let hasEventsBehind = proof.lastStranded > hole.partial?.lastSequence ?? before.sequence
    if isClosedBefore || (!isProven && !hasEventsBehind) {
      // All of it is one unfinished write, however much of its bookkeeping has arrived.
      scanner.goBack(to: before)
      behind = nil
    }
    let undecided = behind == nil ? try undecidedEvents(behind: hole, scanner) : nil
    if undecided != nil { isProven = true }
    // If the file became shorter meanwhile, nothing follows.
    let limit = max(hole.position, scanner.limit)
    let end = behind == nil ? try scanner.window.endOfData(in: hole.position..<limit) : scanner.offset
    var continues = false
    if hole.partial == nil {
      if behind != nil {
        continues = scanner.sequence == before.sequence && scanner.chain == before.chain
      } else if let next = nextEntry {
        continues =
          next.header.firstSequence == before.sequence + 1 && (!next.knowsChain || next.header.chainIn == before.chain)
      } else if let head = catalog.head {
        continues = head.sequence == before.sequence && head.chain == before.chain && claimed <= before.sequence
      }
    }
    let facts = RecoveryFacts(
      deviceFailed: false, formatSupported: true, hole: try scanner.kind(of: hole, to: end), declaredEnd: false,
      eventsAfter: hasEventsBehind, historyContinues: continues, provenDurable: isProven)
    let row = Recovery.row(for: facts)
    var finding = Finding(
      Recovery.verdict(for: facts), file: entry.file, byteRange: hole.position..<max(end, hole.position),
      cause: cause(of: hole, behind: before.sequence, facts), evidence: isProven ? proof.evidence : row.reason,
      remedy: row.outcome.remedy)
    if behind == nil && scanner.isSearchExhausted {
      finding.cause += "; what lies behind it claims to be more than there is, and was not searched to the end"
    }
    if isClosedBefore {
      finding.cause = "the last \(grouped(end - hole.position)) bytes do not belong to the history"
      finding.evidence = "HEAD says that the journal was closed before them, and whoever opens it changes that first"
    } else if isProven && start >= proof.length {
      finding.evidence =
        claimed > before.sequence
        ? "\(catalog.claimant) says that event \(grouped(claimed)) was durable"
        : "the next segment was begun behind event \(grouped((nextEntry?.header.firstSequence ?? 1) - 1))"
    }
    if let undecided { describe(undecided, in: &finding) }
    return conclude(
      &finding, row.outcome, hole, before: before, behind: behind, scanner, proof, isClosed: isClosedBefore)
  }

  /// Reports a hole and moves to where reading continues.
  private func conclude(
    _ finding: inout Finding, _ outcome: Recovery.Outcome, _ hole: SegmentScanner.Hole,
    before: SegmentScanner.Place, behind: FrameHeader?, _ scanner: SegmentScanner,
    _ proof: DurabilityProof, isClosed: Bool
  ) -> Bool {
    if outcome == .indexDamaged || outcome == .torn {
      guard behind == nil else {
        push(.finding(finding))
        return false
      }
      scanner.goBack(to: before)
      if isLast {
        // The next writer begins another segment, which this walk finds when it is asked again.
        guard claimReport(at: before.offset, isClosed: isClosed) else { return true }
        push(.finding(finding))
      } else {
        push(.finding(finding))
        leaveLater()
      }
      return false
    }
    let verified = hole.partial?.lastSequence ?? before.sequence
    let resumed: UInt64? =
      behind != nil
      ? scanner.sequence
      : nextEntry.map { $0.header.firstSequence - 1 }
        ?? max(catalog.head?.sequence ?? 0, catalog.claimedSequence)
    if let resumed, resumed > verified { finding.lostEvents = (verified + 1)...resumed }
    if behind != nil, proof.lastStranded > scanner.sequence, outcome == .unsyncedGap {
      finding.strandedEvents = (scanner.sequence + 1)...proof.lastStranded
    }
    guard beyondDamage else {
      scanner.goBack(to: before)
      push(.finding(finding))
      stop()
      return false
    }
    if let partial = hole.partial { push(.events(partial, isWhole: false)) }
    push(.finding(finding))
    if behind == nil {
      if isLast { stop() } else { leaveLater(reportedGap: true) }
    }
    return false
  }

  /// The receipt in HEAD that says that the journal was closed with its end at this place.
  ///
  /// If HEAD still holds the receipt seen at the last reading, no writer has been active in between.
  private func closingReceipt(at offset: UInt64) throws(JournalError) -> HeadReceipt? {
    guard let (bytes, _) = try directory.readSpare(Format.headName, limit: Format.headSize),
      let receipt = HeadReceipt.read(bytes, of: catalog.identity.id).newest, receipt.isClean,
      receipt.ordinal == entry.header.ordinal, receipt.offset == offset, receipt.sequence == lastSequence,
      receipt.chain == lastChain
    else { return nil }
    return receipt
  }

  /// Whether rereading its place still finds the hole.
  private func survives(_ hole: SegmentScanner.Hole, _ scanner: SegmentScanner) throws(JournalError) -> Bool {
    let again = SegmentScanner(
      window: FileWindow(fileSystem: directory.fileSystem, file: scanner.window.file, name: entry.file),
      seed: scanner.seed, limit: scanner.limit, offset: scanner.offset, sequence: scanner.sequence,
      chain: scanner.chain, lastAllowed: scanner.lastAllowed)
    guard case .hole(let other) = try again.next() else { return false }
    return other.position == hole.position
  }

  /// Whether a writer completed the place meanwhile, or is doing so: checks a few times before calling a tail torn.
  ///
  /// A writer may be suspended in the middle of a write, so the waits grow, up to a sixteenth of a second in all.
  private func hasGrown(_ scanner: SegmentScanner) throws(JournalError) -> Bool {
    guard mayHaveWriter else { return false }
    // What was reported before is looked at once more, because a writer may have come by, and not waited for.
    let isReported = reportedEnd == scanner.offset
    // Once for each length, so that a file with many holes does not cause a wait at each of them.
    guard isReported || awaitedLength != scanner.limit else { return false }
    let place = scanner.place
    for wait in 0..<(isReported ? 1 : 7) {
      if !isReported { directory.fileSystem.pause(nanoseconds: 500_000 << UInt64(wait)) }
      try refresh(scanner)
      if !isLast { return true }
      let element = try scanner.next()
      scanner.goBack(to: place)
      if case .hole = element { continue }
      return true
    }
    if !isReported { awaitedLength = scanner.limit }
    return false
  }

  /// Whether the next segment's first event proves that this one held more, where its header cannot say so.
  private func missesEvents(behind sequence: UInt64) -> Bool {
    guard let next = successor, next.headerFault != nil else { return false }
    return next.header.firstSequence - 1 > sequence
  }

  /// What proves that bytes of this segment were durable; computed once, when its first hole is met.
  func durability(
    around hole: SegmentScanner.Hole?, _ scanner: SegmentScanner
  ) throws(JournalError) -> DurabilityProof {
    if let proof { return proof }
    var proof = DurabilityProof(length: 0, evidence: "", lastStranded: 0)
    func claim(_ length: UInt64, _ evidence: @autoclosure () -> String) {
      if length > proof.length {
        proof.length = length
        proof.evidence = evidence()
      }
    }
    if let next = nextEntry {
      if let statement { claim(statement.durableLength, "the header of \(next.file) says that it was durable") }
    } else if let head = catalog.head {
      let place = "HEAD says that everything up to event \(grouped(head.sequence)) was durable"
      if head.ordinal == entry.header.ordinal { claim(head.offset, place) }
      if head.ordinal > entry.header.ordinal { claim(.max, place + ", in segment \(head.ordinal)") }
    }
    if let hole {
      let ahead = SegmentScanner(
        window: FileWindow(fileSystem: directory.fileSystem, file: scanner.window.file, name: entry.file),
        seed: scanner.seed, limit: scanner.limit, offset: scanner.offset, sequence: scanner.sequence,
        chain: scanner.chain, lastAllowed: scanner.lastAllowed)
      var element = SegmentScanner.Element.hole(hole)
      search: while true {
        switch element {
        case .batch(let run):
          if run.isDurableBefore {
            claim(run.start, "event \(grouped(run.firstSequence)) was written when everything before it was durable")
          }
          proof.lastStranded = run.lastSequence
        case .record(let record):
          if record.type == .mark, let payload = try ahead.window.copy(at: record.offset + 16, record.payloadLength),
            let mark = Mark(payload), mark.durableOffset <= record.offset
          {
            claim(mark.durableOffset, "a mark says that event \(grouped(mark.durableSequence)) was durable")
          }
        case .hole(let hole):
          if try ahead.resynchronize(behind: hole) == nil { break search }
        case .end: break search
        }
        element = try ahead.next()
      }
    }
    self.proof = proof
    return proof
  }

  /// - Parameter sequence: the last event before the hole; the scanner may have moved on behind it by then.
  private func cause(of hole: SegmentScanner.Hole, behind sequence: UInt64, _ facts: RecoveryFacts) -> String {
    let next = grouped((hole.partial?.lastSequence ?? sequence) + 1)
    switch (hole.reason, facts.hole) {
    case (.unterminated, _): return "the batch that begins with event \(grouped(sequence + 1)) is not complete"
    case (.discontinuity, _): return "a frame verifies here, but it does not continue the history with event \(next)"
    case (_, .zero): return "there are zeros where event \(next) should be"
    case (_, .short): return "the write of event \(next) is not complete"
    default:
      return facts.historyContinues
        ? "the checksum of a frame without an event is wrong" : "the checksum of event \(next) is wrong"
    }
  }
}
