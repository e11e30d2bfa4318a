import PlainText

/// How much of a segment is proven to have been durable, and what its far end holds.
struct DurabilityProof {
  /// Everything before this offset was durable.
  var length: UInt64
  /// The evidence for that.
  var evidence: String
  /// The last event of a whole batch that verifies after the first hole; zero without one.
  var lastStranded: UInt64
}

extension HistoryJudge {
  /// A hole, with the facts known before the search for what follows it.
  struct Question {
    let hole: SegmentScanner.Hole
    /// The scanner's place before it.
    let before: SegmentScanner.Place
    let proof: DurabilityProof
    /// The last event that a checkpoint says was durable in the last segment; 0 in others.
    let claimed: UInt64
    /// Whether HEAD says that the journal was closed before it.
    let isClosedBefore: Bool
    /// A receipt that says so and was not seen before: the journal was closed since it was read.
    let newReceipt: HeadReceipt?
    /// Whether events are missing here according to the next segment.
    let missesEvents: Bool

    /// Where the unsound bytes begin.
    var start: UInt64 { hole.partial?.start ?? hole.position }
    var isProven: Bool {
      isClosedBefore || start < proof.length || claimed > before.sequence || missesEvents
    }
  }

  /// Gathers what is known about a hole.
  func question(
    _ hole: SegmentScanner.Hole, _ segment: WalkedSegment, _ place: SegmentPlace
  ) throws(JournalError) -> Question {
    let before = segment.scanner.place
    let proof = try durability(around: hole, segment, place)
    let receipt =
      place.isLast && hole.partial == nil ? try closingReceipt(at: hole.position, segment, place) : nil
    let isNew = receipt != nil && receipt != place.catalog.receipt
    return Question(
      hole: hole, before: before, proof: proof, claimed: place.isLast ? place.catalog.claimedSequence : 0,
      isClosedBefore: receipt != nil, newReceipt: isNew ? receipt : nil,
      missesEvents: missesEvents(after: before.sequence, place))
  }

  /// Determines what a hole means, and moves the scanner to where reading continues.
  mutating func rule(
    on question: Question, _ segment: WalkedSegment, _ place: SegmentPlace
  ) throws(JournalError) -> Ruling {
    let (hole, before, proof, claimed) = (question.hole, question.before, question.proof, question.claimed)
    let (scanner, catalog, nextEntry) = (segment.scanner, place.catalog, place.nextEntry)
    var isProven = question.isProven
    var behind = try scanner.resynchronize(after: hole)
    let hasEventsBehind = proof.lastStranded > hole.partial?.lastSequence ?? before.sequence
    if question.isClosedBefore || (!isProven && !hasEventsBehind) {
      // All of it is one unfinished write, regardless of how much bookkeeping has arrived.
      scanner.goBack(to: before)
      behind = nil
    }
    let undecided = behind == nil ? try undecidedEvents(after: hole, segment) : nil
    if undecided != nil { isProven = true }
    // If the file became shorter meanwhile, nothing follows.
    let limit = max(hole.position, scanner.limit)
    let end = behind == nil ? try scanner.window.endOfData(in: hole.position..<limit) : scanner.offset
    var continues = false
    if hole.partial == nil {
      if behind != nil {
        continues = scanner.sequence == before.sequence && scanner.chain == before.chain
      } else if let next = nextEntry {
        // Where what stands here is undecided, a file without a chain value says nothing of it.
        continues =
          next.header.firstSequence == before.sequence + 1
          && (next.knowsChain ? next.header.chainIn == before.chain : undecided == nil)
      } else if let head = catalog.head {
        continues = head.sequence == before.sequence && head.chain == before.chain && claimed <= before.sequence
      }
    }
    let shifted =
      continues || question.isClosedBefore || undecided != nil
      ? nil : try scanner.shiftedFrames(after: hole, last: hole.partial?.lastSequence ?? before.sequence, to: end)
    let facts = RecoveryFacts(
      deviceFailed: false, formatSupported: true, hole: try scanner.kind(of: hole, to: end), declaredEnd: false,
      eventsAfter: hasEventsBehind || shifted != nil, historyContinues: continues, provenDurable: isProven)
    let row = Recovery.row(for: facts)
    var finding = Finding(
      Recovery.verdict(for: facts), file: place.entry.file, byteRange: hole.position..<max(end, hole.position),
      cause: cause(of: hole, after: before.sequence, facts, isEvent: try isEvent(hole, facts, scanner)),
      evidence: isProven ? proof.evidence : row.reason,
      remedy: row.outcome.remedy)
    if behind == nil && scanner.isSearchExhausted {
      finding.cause += "; what lies after it claims to be more than there is, and was not searched to the end"
    }
    if question.isClosedBefore {
      finding.cause = "the last \((end - hole.position).grouped) bytes do not belong to the history"
      finding.evidence =
        "HEAD says that the journal was closed before them, and a writer that opens it changes HEAD first"
    } else if isProven && question.start >= proof.length {
      finding.evidence =
        claimed > before.sequence
        ? "\(catalog.claimant) says that event \(claimed.grouped) was durable"
        : "the next segment was begun after event \(((nextEntry?.header.firstSequence ?? 1) - 1).grouped)"
    }
    if let shifted { describe(shifted, in: &finding) }
    if let undecided { describe(undecided, missing: segment.missingOrdinal, in: &finding) }
    var ruling = conclude(finding, row.outcome, question, after: behind, scanner, place)
    // Where only shifted frames say that more followed, what is left of a cut batch may be an unfinished write.
    if !isProven, !hasEventsBehind {
      ruling.steps.removeAll { step in
        if case .events = step { true } else { false }
      }
    }
    if Invariants.areChecked {
      for case .finding(let finding) in ruling.steps { checkInvariants(finding, after: before.sequence) }
    }
    return ruling
  }

  /// Moves the scanner to where reading continues, and says what the hole costs.
  private mutating func conclude(
    _ finding: Finding, _ outcome: Recovery.Outcome, _ question: Question, after next: FrameHeader?,
    _ scanner: SegmentScanner, _ place: SegmentPlace
  ) -> Ruling {
    let (hole, before, proof) = (question.hole, question.before, question.proof)
    var ruling = Ruling(steps: [.finding(finding)])
    if outcome == .indexDamaged || outcome == .torn {
      guard next == nil else { return ruling }
      scanner.goBack(to: before)
      if !place.isLast {
        ruling.course = .leave(reportsGap: false)
      } else if !claimReport(at: before.offset, isClosed: question.isClosedBefore) {
        // The next writer begins another segment, which this walk finds on the next call.
        ruling = Ruling(course: .rest)
      }
      return ruling
    }
    var finding = finding
    let verified = hole.partial?.lastSequence ?? before.sequence
    let resumed: UInt64? =
      next != nil
      ? scanner.sequence
      : place.nextEntry.map { $0.header.firstSequence - 1 }
        ?? max(place.catalog.head?.sequence ?? 0, place.catalog.claimedSequence)
    if let resumed, resumed > verified { finding.lostEvents = (verified + 1)...resumed }
    if next != nil, proof.lastStranded > scanner.sequence, outcome == .unsyncedGap {
      finding.strandedEvents = (scanner.sequence + 1)...proof.lastStranded
    }
    guard beyondDamage else {
      scanner.goBack(to: before)
      return Ruling(steps: [.finding(finding)], course: .stop)
    }
    ruling.steps = (hole.partial.map { [.events($0, isWhole: false)] } ?? []) + [.finding(finding)]
    if next == nil { ruling.course = place.isLast ? .stop : .leave(reportsGap: true) }
    return ruling
  }

  /// The receipt in HEAD that says that the journal was closed with its end at this place.
  ///
  /// If HEAD still holds the receipt seen at the last reading, no writer has been active in between.
  private func closingReceipt(
    at offset: UInt64, _ segment: WalkedSegment, _ place: SegmentPlace
  ) throws(JournalError) -> HeadReceipt? {
    guard let (bytes, _) = try directory.readSpare(Format.headName, limit: Format.headSize),
      let receipt = HeadReceipt.read(bytes, of: place.catalog.identity.id).newest, receipt.isClean,
      receipt.ordinal == place.entry.header.ordinal, receipt.offset == offset,
      receipt.sequence == segment.scanner.sequence, receipt.chain == segment.scanner.chain
    else { return nil }
    return receipt
  }

  /// Whether the next segment's first event proves that this one held more, where its header cannot say so.
  private func missesEvents(after sequence: UInt64, _ place: SegmentPlace) -> Bool {
    guard let next = place.successor, next.headerFault != nil else { return false }
    return next.header.firstSequence - 1 > sequence
  }

  /// What proves that bytes of this segment were durable; computed once, at its first hole.
  func durability(
    around hole: SegmentScanner.Hole?, _ segment: WalkedSegment, _ place: SegmentPlace
  ) throws(JournalError) -> DurabilityProof {
    if let proof = segment.proof { return proof }
    var proof = DurabilityProof(length: 0, evidence: "", lastStranded: 0)
    func claim(_ length: UInt64, _ evidence: @autoclosure () -> String) {
      if length > proof.length {
        proof.length = length
        proof.evidence = evidence()
      }
    }
    if let next = place.nextEntry {
      if let statement = place.statement {
        claim(statement.durableLength, "the header of \(next.file) says that it was durable")
      }
    } else if let head = place.catalog.head {
      let evidence = "HEAD says that everything up to event \(head.sequence.grouped) was durable"
      if head.ordinal == place.entry.header.ordinal { claim(head.offset, evidence) }
      if head.ordinal > place.entry.header.ordinal { claim(.max, evidence + ", in segment \(head.ordinal)") }
    }
    if let hole {
      let ahead = segment.freshScanner()
      var element = SegmentScanner.Element.hole(hole)
      search: while true {
        switch element {
        case .batch(let run):
          if run.isDurableBefore {
            claim(run.start, "event \(run.firstSequence.grouped) was written when everything before it was durable")
          }
          proof.lastStranded = run.lastSequence
        case .record(let record):
          if record.type == .mark, let payload = try ahead.window.copy(at: record.offset + 16, record.payloadLength),
            let mark = Mark(payload), mark.durableOffset <= record.offset
          {
            claim(mark.durableOffset, "a mark says that event \(mark.durableSequence.grouped) was durable")
          }
        case .lostCatalog: break
        case .hole(let hole):
          if try ahead.resynchronize(after: hole) == nil { break search }
        case .end: break search
        }
        element = try ahead.next()
      }
    }
    segment.proof = proof
    return proof
  }

  /// Whether an event is missing at a hole, and not only a frame without one.
  private func isEvent(
    _ hole: SegmentScanner.Hole, _ facts: RecoveryFacts, _ scanner: SegmentScanner
  ) throws(JournalError) -> Bool {
    if facts.historyContinues { return false }
    // What is left of a frame that was cut short says what it was.
    guard facts.hole == .short, hole.partial == nil,
      let start = try scanner.window.bytes(at: hole.position, Format.frameHeaderSize, keeping: hole.position)
    else { return true }
    let header = FrameHeader(start)
    return !header.isPlausible || !header.type.isReadable || header.type == .event
  }

  /// - Parameter sequence: the last event before the hole; the scanner may have moved on after it by then.
  private func cause(
    of hole: SegmentScanner.Hole, after sequence: UInt64, _ facts: RecoveryFacts, isEvent: Bool
  ) -> String {
    let next = ((hole.partial?.lastSequence ?? sequence) + 1).grouped
    let missing = isEvent ? "event \(next)" : "a frame without an event"
    switch (hole.reason, facts.hole) {
    case (.unterminated, _): return "the batch that begins with event \((sequence + 1).grouped) is not complete"
    case (.discontinuity, _): return "a frame verifies here, but it does not continue the history with event \(next)"
    case (_, .zero): return "there are zeros where \(missing) should be"
    case (_, .short): return "the write of \(missing) is not complete"
    case (.checksum, .garbage), (.checksum, .none): return "the checksum of \(missing) is wrong"
    }
  }

  /// Says how many bytes are missing or too many before events that are whole.
  private func describe(_ frames: ShiftedFrames, in finding: inout Finding) {
    let (first, last) = (frames.events.lowerBound, frames.events.upperBound)
    let count = frames.missing.magnitude
    let bytes = count.counted("byte is", "bytes are")
    finding.strandedEvents = frames.events
    finding.cause += "; before byte \(frames.start.grouped), \(bytes) \(frames.missing > 0 ? "missing" : "too many")"
    finding.cause +=
      first == last
      ? ", and event \(first.grouped) stands whole after them"
      : ", and events \(first.grouped)–\(last.grouped) stand whole after them"
    finding.remedy += ", or salvage the journal, which finds such events"
  }

  // MARK: - Undecided events

  // Events at the end of a segment whose missing successor would say whether they belong to the history.

  /// The whole batches that verify after a hole, or in its place, and that the missing segment may have continued or
  /// given up; `nil` without such batches.
  private func undecidedEvents(
    after hole: SegmentScanner.Hole, _ segment: WalkedSegment
  ) throws(JournalError) -> ClosedRange<UInt64>? {
    guard segment.missingOrdinal != nil else { return nil }
    let ahead = segment.freshScanner(isBounded: false)
    var events: ClosedRange<UInt64>?
    while true {
      switch try ahead.next() {
      case .batch(let run):
        guard run.firstSequence > segment.scanner.lastAllowed else { continue }
        events = min(events?.lowerBound ?? run.firstSequence, run.firstSequence)...run.lastSequence
      case .record, .lostCatalog: continue
      case .hole(let hole): if try ahead.resynchronize(after: hole) == nil { return events }
      case .end: return events
      }
    }
  }

  /// Reports such events as undecided.
  private func describe(
    _ events: ClosedRange<UInt64>, missing ordinal: UInt64?, in finding: inout Finding
  ) {
    let isOne = events.count == 1
    let names =
      isOne
      ? "event \(events.lowerBound.grouped)" : "events \(events.lowerBound.grouped)–\(events.upperBound.grouped)"
    finding.strandedEvents = events
    finding.cause =
      "\(names) \(isOne ? "verifies" : "verify") here, and whether the history went on with \(isOne ? "it" : "them") is unknown"
    finding.evidence =
      "segment \(ordinal ?? 0), which says where this one ends, is missing; a write that was refused may have left "
      + (isOne ? "it" : "them")
  }
}
