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
    return Finding(
      .lost, file: Format.identityName, byteRange: 76..<76, lostEvents: nil,
      cause: "whether there were events behind \(last) was not known when this journal was salvaged",
      evidence: "nothing that was salvaged said how far the original journal reached",
      remedy: "salvage the original files again, with their HEAD")
  }

  /// The events that were lost before this journal was salvaged: those replaced by an event without a payload,
  /// ``lostBeginning``, and possibly others at the end, ``unknownEnd``.
  ///
  /// They are not damage to this journal's bytes, so ``verify(_:)`` does not report them. Only a journal that names a
  /// parent can have been salvaged: this reads every byte of such a journal once, and nothing of any other.
  ///
  /// - Returns: a finding for each stretch, in order, with its first event's place; that of the beginning is byte 0.
  /// - Throws: `inputOutput`, `unsupportedFormat`.
  public func lostBeforeSalvage() throws(JournalError) -> [Finding] {
    guard identity.parent != nil else { return [] }
    var findings = lostBeginning.map { [Finding.lostBeginning($0, file: segments.first?.file ?? "")] } ?? []
    var cursor = try cursor(beyondDamage: true)
    while let item = try cursor.next() {
      guard case .event(let event) = item, event.payload.isEmpty else { continue }
      if let last = findings.last, let lost = last.lostEvents, lost.upperBound + 1 == event.sequence {
        findings[findings.count - 1] = .lostBeforeSalvage(
          lost.lowerBound...event.sequence, file: last.file, offset: last.byteRange.lowerBound)
      } else {
        findings.append(.lostBeforeSalvage(event.sequence...event.sequence, file: event.file, offset: event.offset))
      }
    }
    if let unknownEnd { findings.append(unknownEnd) }
    return findings
  }
}

extension Finding {
  fileprivate static func lostBeginning(_ events: ClosedRange<UInt64>, file: String) -> Finding {
    var finding = lostBeforeSalvage(events, file: file, offset: 0)
    finding.evidence =
      "the journal begins behind \(events.count == 1 ? "it" : "them"), and no checkpoint tells the state there"
    return finding
  }

  /// Events that a salvage replaced by events without a payload.
  ///
  /// - Parameters:
  ///   - events: their numbers.
  ///   - file: the file of the first one, by its name.
  ///   - offset: where its frame begins, in bytes.
  public static func lostBeforeSalvage(_ events: ClosedRange<UInt64>, file: String, offset: UInt64) -> Finding {
    let isOne = events.count == 1
    let names = isOne ? "event \(events.lowerBound) was" : "events \(events.lowerBound)–\(events.upperBound) were"
    return Finding(
      .lost, file: file, byteRange: offset..<offset, lostEvents: events,
      cause: "\(names) lost before this journal was salvaged",
      evidence: "\(isOne ? "an event" : "events") without any content keep\(isOne ? "s" : "") the place",
      remedy: "salvage the original files again, with a copy that still has \(isOne ? "it" : "them")")
  }
}
