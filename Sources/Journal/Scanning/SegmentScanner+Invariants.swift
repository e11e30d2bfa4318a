extension SegmentScanner {
  /// Checks one step; see ``Invariants``.
  ///
  /// - A batch or a record begins at the scanner's previous place, ends at its current one, and is whole within the
  ///   limit.
  /// - A batch continues the events and the chain; nothing else changes either.
  /// - A hole or the end moves nothing: the caller decides what follows.
  func checkInvariants(after element: Element, from before: Place) {
    switch element {
    case .batch(let run):
      check(run, from: before)
      invariant(
        run.count <= Format.maximumBatchEvents && run.end - run.start <= UInt64(Format.maximumBatchLength),
        "\(run.count) events in \(run.end - run.start) bytes are no batch")
    case .record(let record):
      invariant(
        record.offset == before.offset && record.end == offset && offset <= limit,
        "a record at \(record.offset)..<\(record.end) was read from \(before.offset) to \(offset)")
      invariant(
        sequence == before.sequence && chain == before.chain, "a record moved the history to event \(sequence)")
    case .hole(let hole):
      invariant(hole.position >= offset, "a hole at \(hole.position) begins before \(offset)")
      if let partial = hole.partial {
        invariant(
          partial.start == offset && partial.end == hole.position && partial.count > 0
            && partial.firstSequence == sequence + 1, "a cut batch at \(partial.start) does not begin at \(offset)")
      }
      checkUnmoved(from: before)
    case .lostCatalog(let range):
      invariant(
        range == before.offset..<offset && sequence == before.sequence && chain == before.chain,
        "a lost catalogue at \(range) was passed from \(before.offset) to \(offset)")
    case .end: checkUnmoved(from: before)
    }
    if let lastFrame {
      invariant(
        lastFrame.offset + UInt64(lastFrame.header.size) == offset, "the last frame does not end at \(offset)")
    }
  }

  /// Checks a run of whole batches that the scanner has just passed.
  func check(_ run: Run, from before: Place) {
    invariant(
      run.start == before.offset && run.end == offset && offset <= limit && run.start < run.end,
      "events at \(run.start)..<\(run.end) were read from \(before.offset) to \(offset)")
    invariant(
      run.count > 0 && run.firstSequence == before.sequence + 1 && run.lastSequence == sequence
        && sequence <= lastAllowed, "events \(run.firstSequence)–\(run.lastSequence) follow event \(before.sequence)")
    invariant(run.chainBefore == before.chain && run.chainAfter == chain, "events at \(run.start) break the chain")
  }

  private func checkUnmoved(from before: Place) {
    invariant(
      offset == before.offset && sequence == before.sequence && chain == before.chain,
      "the scanner moved from \(before.offset) to \(offset) without an element")
  }
}
