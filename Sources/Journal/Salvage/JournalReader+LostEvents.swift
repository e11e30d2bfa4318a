extension JournalReader {
  /// The events before the first one that a salvage did not find; `nil` when it found all of them, or when a checkpoint
  /// replaces them, as it does for events that were retired or are a parent's.
  public var lostBeginning: ClosedRange<UInt64>? {
    guard identity.isSalvaged, let last = identity.parent?.sequence, last > 0, checkpoints().isEmpty else { return nil }
    return 1...last
  }

  /// The finding that the journal this one was salvaged from may have continued after the last event; `nil` when its
  /// end is known, and once this journal itself was continued: everything from there on is its own.
  public var unknownEnd: Finding? {
    guard let last = identity.lastKnownOfParent, durableSequence <= last else { return nil }
    var finding = Finding(
      .lost, file: Format.identityName, byteRange: 76..<76, lostEvents: nil,
      cause: "whether there were events behind \(last) was not known when this journal was salvaged",
      evidence: "nothing that was salvaged said how far the original journal reached",
      remedy: "salvage the original files again, with their HEAD")
    finding.isFromSalvage = true
    return finding
  }

  /// The events that an event store takes for lost, although every byte verifies: those without a payload,
  /// ``lostBeginning``, and possibly others at the end, ``unknownEnd``. Usually a salvage found that they were lost.
  ///
  /// They are not damage to this journal's bytes, so ``verify(_:)`` does not report them. This reads every byte once, if
  /// there may be an event without a payload.
  ///
  /// - Parameter isAnyWithoutPayload: Whether there is such an event, as ``verify(_:)`` reports. Unless that is known, only a
  ///   journal that names a parent is read: a salvage wrote it, if any did.
  /// - Returns: a finding for each stretch, in order, with its first event's place; that of the beginning is byte 0.
  /// - Throws: `inputOutput`, `unsupportedFormat`.
  public func lostEvents(isAnyWithoutPayload: Bool? = nil) throws(JournalError) -> [Finding] {
    var findings = lostBeginning.map { [Finding.lostBeginning($0, file: segments.first?.file ?? "")] } ?? []
    if isAnyWithoutPayload ?? (identity.parent != nil) {
      var cursor = try cursor(beyondDamage: true)
      while let item = try cursor.next() {
        guard case .event(let event) = item, event.payload.isEmpty else { continue }
        if let last = findings.last, let lost = last.lostEvents, lost.upperBound + 1 == event.sequence {
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
  fileprivate static func lostBeginning(_ events: ClosedRange<UInt64>, file: String) -> Finding {
    var finding = lost(events, file: file, offset: 0, isSalvaged: true)
    finding.evidence =
      "the journal begins behind \(events.count == 1 ? "it" : "them"), and no checkpoint tells the state there"
    return finding
  }

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
