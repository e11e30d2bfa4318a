extension JournalReader {
  /// The events before the first one that are lost, in order. A salvage did not find them, and the salvages and forks of
  /// what it wrote still say so. Events that were retired, or that a fork's parent has, are not among them.
  ///
  /// A salvage of an earlier version did not record whether these events were lost or retired: then all of them count as
  /// lost, unless `KEPT` says that they were retired.
  public var lostBeforeFirst: [ClosedRange<UInt64>] {
    if let recorded = identity.lostBeforeFirst { return recorded }
    guard identity.isSalvaged, let last = identity.parent?.sequence, last > 0, catalog.retirement == nil,
      catalog.retirementFault == nil
    else { return [] }
    return [1...last]
  }

  /// Those of ``lostBeforeFirst`` directly before the first event; `nil` where that one is the first of all, or those
  /// before it were retired or are a parent's.
  public var lostBeginning: ClosedRange<UInt64>? {
    lostBeforeFirst.last.flatMap { $0.upperBound + 1 == firstSequence ? $0 : nil }
  }

  /// The findings about ``lostBeforeFirst``, in order.
  public var lossesBeforeFirst: [Finding] {
    let isRecorded = identity.lostBeforeFirst != nil
    let hasState = !checkpoints().isEmpty
    return lostBeforeFirst.map { events in
      var finding = Finding.lost(
        events, file: segments.first?.file ?? "", offset: 0, isSalvaged: identity.isSalvaged)
      let them = events.count == 1 ? "it" : "them"
      finding.evidence =
        hasState
        ? "JOURNAL says so, and a checkpoint tells only the state after \(them)"
        : "the journal begins after \(them), and no checkpoint tells the state there"
      if !identity.isSalvaged { finding.remedy = "fork a copy of the parent that still has \(them)" }
      if !isRecorded, hasState {
        finding.cause += ", or retired"
        finding.evidence = "JOURNAL does not say which, and a checkpoint tells only the state after \(them)"
      }
      return finding
    }
  }

  /// The finding that the journal this one was salvaged from may have continued after the last event; `nil` when its
  /// end is known, and once this journal itself was continued: everything from there on is its own.
  public var unknownEnd: Finding? {
    guard let last = identity.lastKnownOfParent, durableSequence <= last else { return nil }
    var finding = Finding(
      .lost, file: Format.identityName, byteRange: 76..<76, lostEvents: nil,
      cause: "whether there were events after \(last) was not known when this journal was salvaged",
      evidence: "nothing that was salvaged said how far the original journal reached",
      remedy: "salvage the original files again, with their HEAD")
    finding.isFromSalvage = true
    return finding
  }

  /// The events that an event store takes for lost, although every byte verifies: those without a payload,
  /// ``lostBeforeFirst``, and possibly others at the end, ``unknownEnd``. Usually a salvage found that they were lost.
  ///
  /// They are not damage to this journal's bytes, so ``verify(_:)`` does not report them. This reads every byte once, if
  /// there may be an event without a payload.
  ///
  /// - Parameter isAnyWithoutPayload: Whether there is such an event, as ``verify(_:)`` reports. Unless that is known, only a
  ///   journal that names a parent is read: a salvage wrote it, if any did.
  /// - Returns: a finding for each stretch, in order, with its first event's place; of those before the first event, byte 0.
  /// - Throws: `inputOutput`, `unsupportedFormat`.
  public func lostEvents(isAnyWithoutPayload: Bool? = nil) throws(JournalError) -> [Finding] {
    var findings = lossesBeforeFirst
    if isAnyWithoutPayload ?? (identity.parent != nil) {
      var cursor = try cursor(beyondDamage: true)
      while let item = try cursor.next() {
        guard case .event(let event) = item, event.payload.isEmpty else { continue }
        if let last = findings.last, last.byteRange.lowerBound > 0, let lost = last.lostEvents,
          lost.upperBound + 1 == event.sequence
        {
          findings[findings.count - 1] = .lost(
            lost.lowerBound...event.sequence, file: last.file, offset: last.byteRange.lowerBound,
            isSalvaged: identity.isSalvaged)
        } else {
          findings.append(
            .lost(
              event.sequence...event.sequence, file: event.file, offset: event.offset, isSalvaged: identity.isSalvaged))
        }
      }
    }
    if let unknownEnd { findings.append(unknownEnd) }
    return findings
  }
}

extension Finding {
  /// Events without a payload: a salvage replaces lost events by them, and an event store writes none.
  ///
  /// - Parameters:
  ///   - events: their numbers.
  ///   - file: the file of the first one, by its name.
  ///   - offset: where its frame begins, in bytes.
  ///   - isSalvaged: whether a salvage wrote the journal, as far as it says.
  public static func lost(
    _ events: ClosedRange<UInt64>, file: String, offset: UInt64, isSalvaged: Bool
  ) -> Finding {
    let isOne = events.count == 1
    let names = isOne ? "event \(events.lowerBound) " : "events \(events.lowerBound)–\(events.upperBound) "
    let (are, them) = isOne ? ("is", "it") : ("are", "them")
    var finding = Finding(
      .lost, file: file, byteRange: offset..<offset, lostEvents: events,
      cause: names + (isSalvaged ? "\(isOne ? "was" : "were") lost before this journal was salvaged" : "\(are) lost"),
      evidence: "\(isOne ? "an event" : "events") without any content keep\(isOne ? "s" : "") the place",
      remedy: isSalvaged
        ? "salvage the original files again, with a copy that still has \(them)"
        : "salvage the files, with a copy that still has \(them)")
    finding.isFromSalvage = isSalvaged
    return finding
  }
}
