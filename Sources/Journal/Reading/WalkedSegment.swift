/// The segment that a walk is in: its open file, how far it was read, and how it ends.
final class WalkedSegment {
  let scanner: SegmentScanner
  let name: String
  let header: SegmentHeader
  /// The number of the missing segment that would say whether the end of this one belongs to the history; `nil` where
  /// that is known.
  let missingOrdinal: UInt64?
  /// Whether it continues where the last one was left, so that its header's totals can be compared.
  let continuesHistory: Bool
  /// Set after a footer and its trailer, where the segment ends for good.
  private(set) var sealedEnd: UInt64?
  /// Whether that trailer verified, so that no writer can have added anything after it.
  private(set) var hasTrailer = false
  /// The footer that ends the segment, until its trailer is found or reported.
  private(set) var bareFooter: SegmentScanner.Record?
  /// What proves that bytes of the segment were durable; `nil` until its first hole is found.
  var proof: DurabilityProof?
  /// The length of the segment when a hole in it was last given time to be filled.
  var awaitedLength: UInt64?

  init(
    _ entry: SegmentEntry, scanner: SegmentScanner, missingOrdinal: UInt64?, continuesHistory: Bool
  ) {
    (name, header) = (entry.file, entry.header)
    self.scanner = scanner
    self.missingOrdinal = missingOrdinal
    self.continuesHistory = continuesHistory
  }

  deinit {
    scanner.window.fileSystem.close(scanner.window.file)
  }

  /// The offset after the last byte that belongs to the history.
  var validEnd: UInt64 { max(scanner.offset, sealedEnd ?? 0) }

  /// Continues in another file, at the same place.
  func goOn(in file: OpenFile) {
    scanner.window.fileSystem.close(scanner.window.file)
    scanner.window.file = file
  }

  /// Opens another window on the file, without cached bytes.
  func freshWindow() -> FileWindow {
    FileWindow(fileSystem: scanner.window.fileSystem, file: scanner.window.file, name: name)
  }

  /// A scanner that begins at this one's place.
  ///
  /// - Parameter isBounded: whether it ends with the last event that belongs to the segment.
  func freshScanner(isBounded: Bool = true) -> SegmentScanner {
    SegmentScanner(
      window: freshWindow(), seed: scanner.seed, limit: scanner.limit, offset: scanner.offset,
      sequence: scanner.sequence, chain: scanner.chain, lastAllowed: isBounded ? scanner.lastAllowed : .max - 1)
  }

  // MARK: - The end

  /// Ends the segment with a footer.
  func seal(with footer: SegmentScanner.Record) {
    sealedEnd = footer.end
    bareFooter = footer
  }

  /// Reads the trailer after a footer that has none yet; `false` when it is missing. The file may have been shorter
  /// when the footer was read, or still being written: footer and trailer are one write, but may become visible one
  /// after another.
  @discardableResult
  func readTrailer() throws(JournalError) -> Bool {
    guard let footer = bareFooter else { return false }
    let end = footer.end + UInt64(Format.trailerSize)
    guard end <= scanner.limit, let bytes = try scanner.window.copy(at: footer.end, Format.trailerSize),
      Trailer.footerOffset(bytes, seed: scanner.seed) == footer.offset
    else { return false }
    bareFooter = nil
    sealedEnd = end
    hasTrailer = true
    return true
  }

  /// Ends the segment after the rest of a trailer that does not verify, and is reported.
  func giveUpTrailer(endingAt end: UInt64) {
    bareFooter = nil
    sealedEnd = end
  }

  /// Goes back before the footer.
  func unseal() {
    (sealedEnd, hasTrailer, bareFooter) = (nil, false, nil)
  }

  /// Checks what holds between any two steps of the walk; see ``Invariants``.
  func checkInvariants() {
    invariant(!hasTrailer || sealedEnd != nil, "a trailer ends a segment that has no end")
    if let bareFooter {
      invariant(!hasTrailer && sealedEnd == bareFooter.end, "the segment ends elsewhere than its bare footer")
    }
    invariant(
      scanner.sequence + 1 >= header.firstSequence, "event \(scanner.sequence) stands before \(header.firstSequence)")
    invariant(scanner.sequence <= scanner.lastAllowed, "event \(scanner.sequence) belongs to a later segment")
  }
}
