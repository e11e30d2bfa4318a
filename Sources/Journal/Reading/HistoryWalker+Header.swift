/// Findings about a segment before any of its frames is read.
extension HistoryWalker {
  /// Reports what is wrong with the header or the name of the segment being entered.
  func noteHeader(_ entry: SegmentEntry) {
    if let fault = entry.headerFault {
      push(
        .finding(
          Finding(
            .indexDamaged, file: entry.file, byteRange: 0..<min(entry.length, UInt64(Format.segmentHeaderSize)),
            cause: fault,
            evidence: entry.isProven
              ? "its frames verify as segment \(entry.header.ordinal) of journal \(entry.header.id)"
              : "its place among the other segments makes it number \(entry.header.ordinal)",
            remedy: "no event is lost by this; copy the journal to a sound device")))
    } else if entry.name.firstSequence != entry.header.firstSequence {
      noteName(entry.file, "event", entry.name.firstSequence, header: entry.header.firstSequence, at: 48..<56)
    } else if !entry.name.fits(ordinal: entry.header.ordinal) {
      noteName(entry.file, "segment", entry.name.ordinal, header: entry.header.ordinal, at: 40..<48)
    }
  }

  /// Reports a file name with another number than the header, which verifies.
  private func noteName(_ file: String, _ what: String, _ named: UInt64, header: UInt64, at range: Range<UInt64>) {
    push(
      .finding(
        Finding(
          .indexDamaged, file: file, byteRange: range,
          cause: "the file's name says \(what) \(grouped(named)), and its header \(what) \(grouped(header))",
          evidence: "the header verifies", remedy: "give the file the name that its header calls for")))
  }

  /// Reports why the segment being entered does not continue what was read before.
  func noteContinuity(_ entry: SegmentEntry) {
    let first = entry.header.firstSequence
    var cause: String?
    continuesHistory = false
    if let reached {
      let before = catalog.segments[index - 1].header.ordinal
      if isRepeating(entry) { return }
      if entry.header.ordinal != before + 1, !isFirstKept {
        cause = "segment \(before + 1) should come here, and this is segment \(entry.header.ordinal)"
      } else if first != reached.sequence + 1 {
        cause =
          "event \(grouped(reached.sequence + 1)) should come here, and this segment begins with event "
          + grouped(first)
      } else if let chain = reached.chain, entry.knowsChain {
        continuesHistory = chain == entry.header.chainIn
        if !continuesHistory { cause = "the segment continues another history: the chain values differ" }
      }
    } else if index == 0 {
      cause = catalog.faultOfStart(entry)
    }
    guard let cause else { return }
    let expected = reached.map { $0.sequence + 1 } ?? catalog.firstSequence
    push(
      .finding(
        Finding(
          .damaged, file: entry.file, byteRange: 0..<0, lostEvents: expected < first ? expected...(first - 1) : nil,
          cause: cause, evidence: "a segment is begun only when everything before it is durable",
          remedy: "restore the missing file from a copy")))
    if !beyondDamage { stop() }
  }
}
