/// Events at the end of a segment whose missing successor would say whether they belong to the history.
extension HistoryWalker {
  /// The whole batches that verify behind a hole, or in its place, and that the missing segment may have continued or
  /// given up; `nil` without such batches.
  func undecidedEvents(
    behind hole: SegmentScanner.Hole, _ scanner: SegmentScanner
  ) throws(JournalError) -> ClosedRange<UInt64>? {
    guard missingOrdinal != nil else { return nil }
    let ahead = SegmentScanner(
      window: window(on: scanner), seed: scanner.seed, limit: scanner.limit, offset: scanner.offset,
      sequence: scanner.sequence, chain: scanner.chain)
    var events: ClosedRange<UInt64>?
    while true {
      switch try ahead.next() {
      case .batch(let run):
        guard run.firstSequence > scanner.lastAllowed else { continue }
        events = min(events?.lowerBound ?? run.firstSequence, run.firstSequence)...run.lastSequence
      case .record: continue
      case .hole(let hole): if try ahead.resynchronize(behind: hole) == nil { return events }
      case .end: return events
      }
    }
  }

  /// Reports such events as undecided.
  func describe(_ events: ClosedRange<UInt64>, in finding: inout Finding) {
    let isOne = events.count == 1
    let names =
      isOne
      ? "event \(grouped(events.lowerBound))" : "events \(grouped(events.lowerBound))–\(grouped(events.upperBound))"
    finding.strandedEvents = events
    finding.cause =
      "\(names) \(isOne ? "verifies" : "verify") here, and whether the history went on with \(isOne ? "it" : "them") is unknown"
    finding.evidence =
      "segment \(missingOrdinal ?? 0), which says where this one ends, is missing; a write that was refused may have left "
      + (isOne ? "it" : "them")
  }
}
