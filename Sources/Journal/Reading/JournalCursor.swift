/// Serves a journal's events in order, one at a time, in constant memory.
///
/// At the current end ``next()`` returns `nil`. Called again later, it looks again and continues where it stopped: it
/// skips no event and repeats none, even across segments and while a writer is active. A cursor that stopped at
/// damage stays there. A cursor belongs to one thread at a time.
///
/// A cursor of ``ReadLimit/written`` may serve events that their writer then takes back, because a write or a sync
/// failed. It never continues with another history: it throws `conflict` once it encounters one.
public struct JournalCursor: ~Copyable {
  private let walker: HistoryWalker
  private let coverage: ReadCoverage?
  private var position: UInt64
  private var durable: UInt64?
  /// What the small files and the headers said when the durable end was last determined.
  private var catalog: JournalCatalog
  /// HEAD and the names in the directory at that time; `nil` before.
  private var evidence: (head: [UInt8], names: [String])?
  private var watch = NamesWatch()
  /// An event that was read and is served once it is durable.
  private var awaited: UInt64?
  /// Whether everything readable was served.
  private var isAtEnd = false

  private var run: (run: SegmentScanner.Run, isWhole: Bool)? {
    didSet { isInCutBatch = run.map { !$0.isWhole } ?? false }
  }
  private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  private var place = 0
  private var sequence: UInt64 = 0
  private var left = 0
  private var segment = SegmentName(firstSequence: 0, ordinal: 0)
  /// A run whose bytes could not be read yet.
  private var unread: (run: SegmentScanner.Run, isWhole: Bool)?

  init(walker: HistoryWalker, after sequence: UInt64, durable: UInt64?, coverage: ReadCoverage?) {
    self.walker = walker
    self.coverage = coverage
    catalog = walker.catalog
    position = sequence
    self.durable = durable
  }

  /// The last event served, or the one after which the cursor began.
  public var lastSequence: UInt64 { position }

  /// Whether the last event served is left of a damaged batch: its writer never meant it to exist without the others,
  /// so no state exists after it.
  package private(set) var isInCutBatch = false

  /// Returns the next event or finding; `nil` if none exists yet.
  ///
  /// The event's payload is valid until the next call. Amortised O(length of the payload).
  ///
  /// - Throws: `inputOutput` when the device fails, which can be retried; `unsupportedFormat`; `conflict` when events
  ///   that were served have gone: the writer took them back before they were durable, or the files were cut or
  ///   replaced; `notAJournal` when the files are gone.
  public mutating func next() throws(JournalError) -> JournalItem? {
    if let event = nextAtHand() { return .event(event) }
    // Events after this point are usually known to be durable before they are read.
    if isAtEnd, durable != nil, try isDurableByHead(position + 1) { walker.forgetBytes() }
    isAtEnd = false
    while true {
      if let sequence = awaited {
        guard try isDurable(sequence) else { return nil }
        awaited = nil
      }
      if left > 0 {
        if let durable, sequence > durable {
          guard let (run, isWhole) = run, isWhole else {
            // No writer changes what is left of a damaged batch.
            guard try isDurable(sequence) else { return nil }
            walker.forgetBytes()
            continue
          }
          // Until it is durable, it may be cut off and replaced by other events.
          walker.readAgain(run)
          left = 0
          awaited = sequence
          continue
        }
        if let event = nextInRun() { return .event(event) }
        continue
      }
      if let unread {
        bytes = try walker.bytes(of: unread.run)
        run = unread
        self.unread = nil
        place = 0
        sequence = unread.run.firstSequence
        left = unread.run.count
        continue
      }
      switch try walker.next() {
      case .segment(let entry): segment = entry.name
      case .events(let run, let isWhole):
        coverage?.add(run.firstSequence...run.lastSequence)
        if run.lastSequence > position { unread = (run, isWhole) }
      case .record: continue
      case .finding(let finding):
        coverage?.add(finding)
        return .finding(finding)
      case .end:
        isAtEnd = true
        return nil
      }
    }
  }

  /// Returns the next event if it is read and verified already, as nearly all are; `nil` where ``next()`` has to look for
  /// what comes. The event's payload is valid until the next call. O(1).
  package mutating func nextAtHand() -> JournalEvent? {
    left > 0 && durable == nil ? nextInRun() : nil
  }

  @inline(__always)
  private mutating func nextInRun() -> JournalEvent? {
    guard let run = run?.run, let start = bytes.baseAddress, place + Format.frameHeaderSize <= bytes.count else {
      left = 0
      return nil
    }
    let header = FrameHeader(start + place)
    let end = place + header.size
    guard header.type == .event else {
      // A mark between two batches of a block.
      place = end
      return nil
    }
    let payload = UnsafeRawBufferPointer(
      start: start + place + Format.frameHeaderSize, count: min(header.payloadLength, bytes.count - place - 16))
    // The next frame of the run, verified before, begins with the chain value after this event.
    let chain = left > 1 && end + 16 <= bytes.count ? FrameHeader(start + end).previous : run.chainAfter
    let number = sequence
    let offset = run.start + UInt64(place)
    place = end
    sequence += 1
    left -= 1
    guard number > position else { return nil }
    position = number
    return JournalEvent(
      sequence: number, chain: chain, payload: payload, segment: segment, offset: offset,
      isLastOfBatch: header.isLastOfBatch)
  }

  private func readHead() throws(JournalError) -> [UInt8] {
    try walker.directory.readSpare(Format.headName, limit: Format.headSize)?.bytes ?? []
  }

  /// Whether HEAD alone says that the event is durable.
  private mutating func isDurableByHead(_ sequence: UInt64) throws(JournalError) -> Bool {
    isDurable(sequence, by: HeadReceipt.read(try readHead(), of: catalog.identity.id).newest)
  }

  private mutating func isDurable(_ sequence: UInt64, by receipt: HeadReceipt?) -> Bool {
    guard let receipt, receipt.sequence >= sequence, receipt.ordinal == catalog.segments.last?.header.ordinal else {
      return false
    }
    durable = max(durable ?? 0, receipt.sequence)
    return true
  }

  /// Whether the event is known to be durable by now. Usually HEAD alone says so; the rest is read only when the
  /// names in the directory have changed.
  private mutating func isDurable(_ sequence: UInt64) throws(JournalError) -> Bool {
    let bytes = try readHead()
    let receipt = HeadReceipt.read(bytes, of: catalog.identity.id).newest
    if isDurable(sequence, by: receipt) { return true }
    // A later segment may overrule HEAD, and says itself that everything before it is durable; so does a checkpoint.
    let directory = walker.directory
    let before = evidence
    let searches = catalog.searches
    let listed = try watch.listing(at: directory) { () throws(JournalError) in
      let names = try directory.names()
      let isSame = names == before?.names
      return (names: names, catalog: isSame ? nil : try JournalCatalog(directory, searches: searches))
    }
    if let catalog = listed?.catalog {
      guard catalog.identity.id == self.catalog.identity.id else {
        throw JournalError.replaced(self.catalog.identity.id, by: catalog.identity.id, file: Format.identityName)
      }
      self.catalog = catalog
    } else {
      if before?.head == bytes { return false }
      if receipt == nil { try walker.checkIdentity(isAlone: false) }
      catalog.replaceReceipt(receipt)
    }
    evidence = (bytes, listed?.names ?? before?.names ?? [])
    let known = JournalReader(directory: directory, catalog: catalog).durableSequence
    durable = max(durable ?? 0, known)
    return sequence <= known
  }
}
