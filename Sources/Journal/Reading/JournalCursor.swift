/// Serves a journal's events in order, one at a time, in constant memory.
///
/// At the end of what is there ``next()`` returns `nil`; asked again later, it looks again, and goes on where it stopped:
/// no event is left out and none comes twice, also across segments and while a writer is at work. A cursor that stopped
/// at damage stays there. A cursor belongs to one thread at a time.
public struct JournalCursor: ~Copyable {
  private let walker: HistoryWalker
  private var position: UInt64
  private var durable: UInt64?
  /// What the small files and the headers said when they were last asked how much is durable.
  private var catalog: JournalCatalog
  /// HEAD and the names in the directory as they were then; `nil` before.
  private var evidence: (head: [UInt8], names: [String])?

  private var run: SegmentScanner.Run?
  private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  private var place = 0
  private var sequence: UInt64 = 0
  private var left = 0
  private var currentFile = ""
  /// A run whose bytes could not be read yet.
  private var unread: SegmentScanner.Run?

  init(walker: HistoryWalker, behind sequence: UInt64, durable: UInt64?) {
    self.walker = walker
    catalog = walker.catalog
    position = sequence
    self.durable = durable
  }

  /// The last event that was served, or behind which the cursor began.
  public var lastSequence: UInt64 { position }

  /// The next event or finding; `nil` when there is none yet.
  ///
  /// The event's payload is valid until the next call. Amortised O(length of the payload).
  ///
  /// - Throws: `inputOutput` when the device fails, which can be tried again; `unsupportedFormat`.
  public mutating func next() throws(JournalError) -> JournalItem? {
    while true {
      if left > 0 {
        if let durable, sequence > durable, try !isDurable(sequence) { return nil }
        if let event = nextInRun() { return .event(event) }
        continue
      }
      if let run = unread {
        bytes = try walker.bytes(of: run)
        unread = nil
        self.run = run
        place = 0
        sequence = run.firstSequence
        left = run.count
        continue
      }
      switch try walker.next() {
      case .segment(let entry): currentFile = entry.file
      case .events(let run, _): if run.lastSequence > position { unread = run }
      case .record: continue
      case .finding(let finding): return .finding(finding)
      case .end: return nil
      }
    }
  }

  private mutating func nextInRun() -> JournalEvent? {
    guard let run, let start = bytes.baseAddress, place + Format.frameHeaderSize <= bytes.count else {
      left = 0
      return nil
    }
    let header = FrameHeader(start + place)
    let end = place + header.size
    guard header.type == .event else {
      // A mark, between two batches of a block.
      place = end
      return nil
    }
    let payload = UnsafeRawBufferPointer(
      start: start + place + Format.frameHeaderSize, count: min(header.payloadLength, bytes.count - place - 16))
    // The chain after an event is what the next frame of the run, verified before, begins with.
    let chain = left > 1 && end + 16 <= bytes.count ? FrameHeader(start + end).previous : run.chainAfter
    let number = sequence
    let offset = run.start + UInt64(place)
    place = end
    sequence += 1
    left -= 1
    guard number > position else { return nil }
    position = number
    return JournalEvent(sequence: number, chain: chain, payload: payload, file: currentFile, offset: offset)
  }

  /// Whether the event is known to be durable by now. Mostly HEAD alone says so; all the rest is read only when HEAD or the
  /// names in the directory are others than the last time.
  private mutating func isDurable(_ sequence: UInt64) throws(JournalError) -> Bool {
    let bytes = try walker.directory.read(Format.headName, limit: Format.headSize)?.bytes ?? []
    let receipt = HeadReceipt.read(bytes, of: catalog.identity.id).newest
    if let receipt, receipt.sequence >= sequence, receipt.ordinal == catalog.segments.last?.header.ordinal {
      durable = max(durable ?? 0, receipt.sequence)
      return true
    }
    // A later segment may overrule HEAD, and says itself that everything before it is durable; so does a checkpoint.
    let names = try walker.directory.names()
    if let evidence, evidence.head == bytes, evidence.names == names { return false }
    catalog = try JournalCatalog(walker.directory)
    evidence = (bytes, names)
    let known = JournalReader(directory: walker.directory, catalog: catalog).durableSequence
    durable = max(durable ?? 0, known)
    return sequence <= known
  }
}
