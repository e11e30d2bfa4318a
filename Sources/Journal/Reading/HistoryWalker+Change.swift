/// Events that were read before they were durable and that their writer has taken back since. A failed write is cut
/// off, and later events are written in its place; what could not be synced is written again to another segment,
/// possibly incomplete.
extension HistoryWalker {
  /// Whether the segment being entered begins again with numbers that were read in the one before it. It does when
  /// events not known to be durable were written again or given up there, or the owner continued before damage.
  func isRepeating(_ entry: SegmentEntry) -> Bool {
    guard let reached, index > 0, entry.header.firstSequence <= reached.sequence else { return false }
    // The segments between may have been retired.
    if isFirstKept { return true }
    return entry.header.ordinal == catalog.segments[index - 1].header.ordinal &+ 1
      && [.syncFailed, .torn, .damaged].contains(entry.header.predecessor.end)
  }

  /// - Throws: `conflict` when a segment begins again with numbers that were read before, and the last of those
  ///   events is now different or missing. The chain sums up all events, so others before it may differ too.
  func checkRepeated(_ entry: SegmentEntry) throws(JournalError) {
    guard isRepeating(entry), let reached, let chain = reached.chain else { return }
    guard try ChainIndex(directory).chain(after: reached.sequence) != chain else { return }
    throw takenBack(reached.sequence)
  }

  /// Checks whether what was read last still stands where it was read. Returns whether the scanner was put back
  /// before it, where reading must continue.
  ///
  /// - Parameter window: a window on the segment's file without cached bytes.
  /// - Throws: `conflict` when the events that were read are different or gone.
  func isPutBack(_ scanner: SegmentScanner, _ window: FileWindow) throws(JournalError) -> Bool {
    guard mayHaveWriter, entry.knowsChain else { return false }
    let isCut = scanner.limit < scanner.offset
    if !isCut, try scanner.isLastFrameThere(in: window) { return false }
    let again = SegmentScanner(
      window: self.window(on: scanner), seed: scanner.seed, limit: scanner.limit, offset: UInt64(entry.header.size),
      sequence: entry.header.firstSequence - 1, chain: entry.header.chainIn)
    reading: while again.sequence < scanner.sequence {
      switch try again.next() {
      case .batch, .record: continue
      case .hole:
        try checkHeader(of: scanner.window.file)
        if isCut { throw cutOff(scanner) }
        // No writer writes what does not verify: the device changed bytes that were already read, and reading again
        // finds it.
        return false
      case .end: break reading
      }
    }
    guard again.sequence == scanner.sequence, again.chain == scanner.chain else {
      // The header stays when a writer takes events back.
      if scanner.limit < UInt64(entry.header.size) { throw cutOff(scanner) }
      throw takenBack(scanner.sequence)
    }
    // Not even the header is whole.
    if scanner.limit < again.offset { throw cutOff(scanner) }
    // A frame without an event was taken back; the history continues where it stood.
    scanner.resume(at: again.offset, sequence: again.sequence, chain: again.chain)
    (sealedEnd, hasTrailer, bareFooter) = (nil, false, nil)
    return true
  }

  /// Opens another window on the current segment's file.
  func window(on scanner: SegmentScanner) -> FileWindow {
    FileWindow(fileSystem: directory.fileSystem, file: scanner.window.file, name: entry.file)
  }

  private func takenBack(_ sequence: UInt64) -> JournalError {
    JournalError(
      .conflict,
      "the history has no more what was read up to event \(grouped(sequence)): it was not durable yet, or somebody changed "
        + "the file",
      remedy: "open the journal again, and read from an event on that was durable", file: entry.file,
      sequence: sequence)
  }
}
