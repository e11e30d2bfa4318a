import PlainText

/// Determines what the holes and the ends of a walk's segments mean, and words the findings. It does not move the walk:
/// its rulings say where the walk goes.
struct HistoryJudge {
  let directory: JournalDirectory
  /// Whether the walk continues after damage.
  let beyondDamage: Bool
  /// The end of the last segment when findings about it were returned, so that they are returned once.
  private var reportedEnd: UInt64?
  /// The end of a closed journal when what follows it was reported.
  private var reportedClosedEnd: UInt64?

  init(_ directory: JournalDirectory, beyondDamage: Bool) {
    self.directory = directory
    self.beyondDamage = beyondDamage
  }

  /// The findings about a place, and where the walk goes next.
  struct Ruling {
    enum Course: Equatable {
      /// Continue from the scanner's place.
      case readOn
      /// Nowhere, until the journal has grown: all of it was reported before.
      case rest
      /// To the next segment; `reportsGap` says that the steps report what is missing up to it.
      case leave(reportsGap: Bool)
      /// Nowhere, for good.
      case stop
    }

    var steps: [HistoryWalker.Step] = []
    var course = Course.readOn
  }

  /// Whether findings about an end of the last segment were returned.
  func hasReported(_ end: UInt64) -> Bool { reportedEnd == end }

  /// Checks what holds between any two steps of the walk; see ``Invariants``.
  func checkInvariants() {
    invariant(reportedClosedEnd == nil || reportedEnd != nil, "the end of a closed journal was reported, and no end")
  }

  /// Checks that events reported lost were not read before.
  func checkInvariants(_ finding: Finding, after sequence: UInt64) {
    guard let lost = finding.lostEvents else { return }
    invariant(lost.lowerBound > sequence, "event \(lost.lowerBound) is lost, and was read up to \(sequence)")
  }

  // MARK: - Headers

  /// What is wrong with the header or the name of the segment being entered.
  func findingOfHeader(_ entry: SegmentEntry) -> Finding? {
    if let fault = entry.headerFault {
      return Finding(
        .indexDamaged, file: entry.file, byteRange: 0..<min(entry.length, UInt64(entry.header.size)),
        cause: fault,
        evidence: entry.isProven
          ? "its frames verify as segment \(entry.header.ordinal) of journal \(entry.header.id)"
          : "its place among the other segments makes it number \(entry.header.ordinal)",
        remedy: "no event is lost by this; copy the journal to a sound device")
    }
    let (name, header) = (entry.name, entry.header)
    if name.firstSequence != header.firstSequence {
      return findingOfName(entry.file, "event", name.firstSequence, header: header.firstSequence, at: 48..<56)
    }
    if name.fits(ordinal: header.ordinal) { return nil }
    return findingOfName(entry.file, "segment", name.ordinal, header: header.ordinal, at: 40..<48)
  }

  /// A catalogue that the header of the segment states, and that does not verify after it.
  func findingOfLostCatalog(_ range: Range<UInt64>, _ entry: SegmentEntry) -> Finding {
    Finding(
      .indexDamaged, file: entry.file, byteRange: range, cause: "the catalogue of its events does not verify",
      evidence: "its header states the catalogue, which is durable before a segment is begun",
      remedy: "no event is lost by this; copy the journal to a sound device")
  }

  /// A file name with another number than the header, which verifies.
  private func findingOfName(
    _ file: String, _ what: String, _ named: UInt64, header: UInt64, at range: Range<UInt64>
  ) -> Finding {
    Finding(
      .indexDamaged, file: file, byteRange: range,
      cause: "the file's name says \(what) \(named.grouped), and its header \(what) \(header.grouped)",
      evidence: "the header verifies", remedy: "give the file the name that its header calls for")
  }

  /// Why the segment being entered does not continue what was read before; and whether it is proven that it does.
  func continuity(
    of place: SegmentPlace, after reached: HistoryWalker.Reached?
  ) -> (finding: Finding?, isProven: Bool) {
    let (catalog, entry) = (place.catalog, place.entry)
    let first = entry.header.firstSequence
    var cause: String?
    var isProven = false
    if let reached {
      let before = catalog.segments[place.index - 1].header.ordinal
      if place.isRepeating(after: reached) { return (nil, false) }
      if entry.header.ordinal != before + 1, !place.isFirstKept {
        cause = "segment \(before + 1) should come here, and this is segment \(entry.header.ordinal)"
      } else if first != reached.sequence + 1 {
        cause =
          "event \((reached.sequence + 1).grouped) should come here, and this segment begins with event "
          + first.grouped
      } else if let chain = reached.chain, entry.knowsChain {
        isProven = chain == entry.header.chainIn
        if !isProven { cause = "the segment continues another history: the chain values differ" }
      }
    } else if place.index == 0 {
      cause = catalog.faultOfStart(entry)
    }
    guard let cause else { return (nil, isProven) }
    let expected = reached.map { $0.sequence + 1 } ?? catalog.firstSequence
    let finding = Finding(
      .damaged, file: entry.file, byteRange: 0..<0, lostEvents: expected < first ? expected...(first - 1) : nil,
      cause: cause, evidence: "a segment is begun only when everything before it is durable",
      remedy: "restore the missing file from a copy")
    return (finding, false)
  }

  /// What the events of a segment of another domain cost, which are not served: they mean something else.
  func ruleOnOtherDomain(
    _ place: SegmentPlace, after reached: HistoryWalker.Reached?
  ) -> Ruling {
    let (catalog, entry) = (place.catalog, place.entry)
    let first = reached.map { $0.sequence + 1 } ?? catalog.firstSequence
    let last =
      place.nextEntry.map { $0.header.firstSequence - 1 } ?? max(catalog.head?.sequence ?? 0, catalog.claimedSequence)
    let finding = Finding(
      .damaged, file: entry.file, byteRange: 156..<220, lostEvents: first <= last ? first...last : nil,
      cause: catalog.domains(of: entry), evidence: "both verify, and a journal has one domain",
      remedy: "restore the file from a copy, or salvage the journal without it")
    let goesOn = beyondDamage && !place.isLast
    return Ruling(steps: [.finding(finding)], course: goesOn ? .leave(reportsGap: true) : .stop)
  }

  // MARK: - Ends

  /// What is missing at the end of the last segment, or follows it.
  mutating func judgeEnd(of segment: WalkedSegment, _ place: SegmentPlace) throws(JournalError) -> Ruling {
    guard reportedEnd != segment.validEnd else { return Ruling() }
    var finding = missingTail(of: segment, place)
    // Without a footer, everything up to the limit was examined, and anything after it was added later.
    if finding == nil, segment.sealedEnd != nil { finding = try remains(of: segment, place, declared: true) }
    reportedEnd = segment.validEnd
    guard let finding else { return Ruling() }
    return Ruling(
      steps: [.finding(finding)], course: finding.isDamage && !beyondDamage ? .stop : .readOn)
  }

  /// What is missing at the end of a segment with a successor, or follows that end.
  func judgeLeftEnd(of segment: WalkedSegment, _ place: SegmentPlace) throws(JournalError) -> Ruling {
    let missing = missingEnd(of: segment, place)
    let isGivenUp = place.statement?.end == .damaged
    let rest = missing == nil || isGivenUp ? try remains(of: segment, place, declared: true) : nil
    let isGap = missing.map { $0.verdict != .indexDamaged } ?? false
    let first = [missing].compactMap(\.self).map { HistoryWalker.Step.finding($0) }
    if isGap && !beyondDamage { return Ruling(steps: first, course: .stop) }
    return Ruling(
      steps: first + [rest].compactMap(\.self).map { .finding($0) }, course: .leave(reportsGap: isGap))
  }

  /// Whether to report findings about the end at this place, which was not reported before.
  ///
  /// What follows a sound end may still be arriving, unless the journal was closed there.
  mutating func claimReport(at end: UInt64, isClosed: Bool) -> Bool {
    defer {
      reportedEnd = end
      if isClosed { reportedClosedEnd = end }
    }
    return isClosed ? reportedClosedEnd != end : reportedEnd != end
  }
}
