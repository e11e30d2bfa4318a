/// Reads one segment from front to back and reports its contents: whole batches, bookkeeping frames, holes, the end.
///
/// Knows nothing of other files; its callers decide whether a hole is damage.
final class SegmentScanner {
  /// Consecutive frames that verified: the events of a whole batch, the rest of a damaged one, or a block of whole
  /// batches with the marks between them.
  struct Run {
    var start: UInt64
    var end: UInt64
    var firstSequence: UInt64
    var count: Int
    var chainBefore: UInt32
    var chainAfter: UInt32
    /// Whether the first frame says that everything before it was durable when it was written.
    var isDurableBefore: Bool
    /// Whether an event in it has no payload.
    var hasEventWithoutPayload: Bool
    /// The checksum over all bytes of a block, which its anchor states; `nil` for a batch.
    var blockChecksum: UInt32?

    var lastSequence: UInt64 { firstSequence + UInt64(count) - 1 }
  }

  /// A frame that verified and is not an event.
  struct Record {
    var type: FrameType
    var offset: UInt64
    var end: UInt64
    var payloadLength: Int
  }

  /// A place where no frame verifies that continues the history.
  struct Hole {
    enum Reason {
      /// The frame does not verify.
      case checksum
      /// The frame verifies but has the wrong sequence number or previous chain value.
      case discontinuity
      /// The data end within a batch.
      case unterminated
    }
    /// Where it begins.
    var position: UInt64
    /// Verified events of the batch that it interrupts; none when it begins at a batch's start.
    var partial: Run?
    var reason: Reason
  }

  enum Element {
    case batch(Run)
    case record(Record)
    case hole(Hole)
    /// The segment's first bytes, where the catalogue that its header states does not verify.
    case lostCatalog(Range<UInt64>)
    case end
  }

  let window: FileWindow
  let seed: UInt32
  /// Bytes after this offset are ignored.
  var limit: UInt64
  /// The last sequence number that this segment may hold.
  let lastAllowed: UInt64
  /// After the last element.
  private(set) var offset: UInt64
  /// The last event of the last element.
  private(set) var sequence: UInt64
  /// The chain value after it.
  private(set) var chain: UInt32
  /// Where the first frame begins.
  let start: UInt64
  /// Whether the header states a catalogue that was not read yet.
  private(set) var expectsCatalog = false
  /// The segment's catalogue, once its frame was read: where it ends, and its checksum. It is part of the first block.
  private(set) var catalog: (end: UInt64, checksum: UInt32)?
  /// Whether the next block may be verified as a whole, see ``nextBlock()``.
  var isAtBlock = true
  /// The frame that ends at ``offset``, as it was when it was read; `nil` after a place that is known from elsewhere.
  private(set) var lastFrame: (offset: UInt64, header: FrameHeader)?
  /// Bytes after the data that were zeros when they were read. New data begins where they do, so they are not read
  /// again as long as their beginning is zero.
  private var zeros: Range<UInt64> = 0..<0
  /// Bytes that searching for frames after holes may still read.
  var searchBudget: UInt64
  /// Whether a search was given up because the budget was used up; frames after it were not looked for.
  private(set) var isSearchExhausted = false

  init(
    window: FileWindow, seed: UInt32, limit: UInt64, offset: UInt64, sequence: UInt64, chain: UInt32,
    lastAllowed: UInt64 = .max - 1
  ) {
    self.window = window
    self.seed = seed
    self.limit = limit
    self.offset = offset
    start = offset
    self.sequence = sequence
    self.chain = chain
    self.lastAllowed = lastAllowed
    // A crafted file could otherwise make every eight bytes claim a checksum over megabytes.
    searchBudget = 16 * min(limit, 1 << 40) + 1 << 20
  }

  /// A scanner at a segment's first frame.
  ///
  /// - Parameters:
  ///   - window: The segment's file.
  ///   - header: Its header.
  ///   - limit: Where reading ends, as an offset in the file.
  ///   - chain: The chain value before the first event, where the header does not give it.
  ///   - lastAllowed: The last event that may be read.
  convenience init(
    _ window: FileWindow, after header: SegmentHeader, limit: UInt64, chain: UInt32? = nil,
    lastAllowed: UInt64 = .max - 1
  ) {
    self.init(
      window: window, seed: header.seed, limit: limit, offset: UInt64(header.size), sequence: header.firstSequence - 1,
      chain: chain ?? header.chainIn, lastAllowed: lastAllowed)
    expectsCatalog = header.catalogDigest != nil
  }

  /// A scanner's place, and how much it may still read in searches.
  struct Place {
    var offset: UInt64
    var sequence: UInt64
    var chain: UInt32
    var isAtBlock: Bool
    var lastFrame: (offset: UInt64, header: FrameHeader)?
    var searchBudget: UInt64
    var isSearchExhausted: Bool
  }

  /// Its place; setting it goes back there.
  var place: Place {
    get {
      Place(
        offset: offset, sequence: sequence, chain: chain, isAtBlock: isAtBlock, lastFrame: lastFrame,
        searchBudget: searchBudget, isSearchExhausted: isSearchExhausted)
    }
    set {
      (offset, sequence, chain) = (newValue.offset, newValue.sequence, newValue.chain)
      isAtBlock = newValue.isAtBlock
      lastFrame = newValue.lastFrame
      (searchBudget, isSearchExhausted) = (newValue.searchBudget, newValue.isSearchExhausted)
    }
  }

  /// Continues from a place that is known from elsewhere.
  func resume(at offset: UInt64, sequence: UInt64, chain: UInt32) {
    if offset != self.offset { lastFrame = nil }
    self.offset = offset
    self.sequence = sequence
    self.chain = chain
    isAtBlock = false
  }

  /// Goes back to an earlier place, with its knowledge of the frame before; the cost of later searches stays spent.
  func goBack(to place: Place) {
    resume(at: place.offset, sequence: place.sequence, chain: place.chain)
    lastFrame = place.lastFrame
  }

  /// Reads the next element. The window keeps an element's bytes until the next call.
  func next() throws(JournalError) -> Element {
    guard Invariants.areChecked else { return try readNext() }
    let before = place
    let element = try readNext()
    checkInvariants(after: element, from: before)
    return element
  }

  private func readNext() throws(JournalError) -> Element {
    if expectsCatalog {
      if offset == self.start, try !hasCatalog() {
        let lost = try skipCatalog()
        expectsCatalog = false
        return .lostCatalog(lost)
      }
      expectsCatalog = false
    }
    let start = offset
    var position = start
    var running = chain
    var last = sequence
    var count = 0
    var durableBefore = false
    var lacksPayload = false
    func run() -> Run? {
      count == 0
        ? nil
        : Run(
          start: start, end: position, firstSequence: sequence + 1, count: count, chainBefore: chain,
          chainAfter: running, isDurableBefore: durableBefore, hasEventWithoutPayload: lacksPayload)
    }
    while true {
      guard let (header, after) = try frame(at: position, keeping: start) else {
        if try isEnd(position) {
          return count == 0 ? .end : .hole(Hole(position: position, partial: run(), reason: .unterminated))
        }
        return .hole(Hole(position: position, partial: run(), reason: .checksum))
      }
      let end = position + UInt64(header.size)
      guard header.type == .event else {
        guard header.previous == running, header.sequenceBits == UInt32(truncatingIfNeeded: last) & Format.sequenceMask,
          count == 0
        else { return .hole(Hole(position: position, partial: run(), reason: .discontinuity)) }
        if header.type == .catalog, position == self.start,
          let bytes = try window.bytes(at: position, header.size, keeping: position)
        {
          catalog = (end, Checksum.crc32(0, UnsafeRawBufferPointer(start: bytes, count: header.size)))
        }
        offset = end
        isAtBlock = header.type == .anchor || catalog?.end == end
        lastFrame = (position, header)
        return .record(
          Record(type: header.type, offset: position, end: end, payloadLength: header.payloadLength))
      }
      guard header.previous == running, last < lastAllowed,
        header.sequenceBits == UInt32(truncatingIfNeeded: last + 1) & Format.sequenceMask,
        count < Format.maximumBatchEvents, end - start <= UInt64(Format.maximumBatchLength)
      else { return .hole(Hole(position: position, partial: run(), reason: .discontinuity)) }
      if count == 0 { durableBefore = header.isDurableBefore }
      if header.payloadLength == 0 { lacksPayload = true }
      count += 1
      last += 1
      running = after
      guard header.isLastOfBatch else {
        position = end
        continue
      }
      lastFrame = (position, header)
      let batch = Run(
        start: start, end: end, firstSequence: sequence + 1, count: count, chainBefore: chain, chainAfter: running,
        isDurableBefore: durableBefore, hasEventWithoutPayload: lacksPayload)
      offset = end
      sequence = last
      chain = running
      return .batch(batch)
    }
  }

  /// The frame at `position`, when one verifies there, and the chain value after it.
  @inline(__always)
  func frame(at position: UInt64, keeping keep: UInt64) throws(JournalError) -> (FrameHeader, UInt32)? {
    guard position <= limit, limit - position >= UInt64(Format.frameHeaderSize),
      let start = try window.bytes(at: position, Format.frameHeaderSize, keeping: keep)
    else { return nil }
    let header = FrameHeader(start)
    guard header.isPlausible, limit - position >= UInt64(header.size),
      let bytes = try window.bytes(at: position, header.size, keeping: keep),
      let after = header.verifiedChain(bytes, at: position, seed: seed)
    else { return nil }
    return (header, after)
  }

  /// Whether the data end here: at the limit, or before zeros that reach to it.
  func isEnd(_ position: UInt64) throws(JournalError) -> Bool {
    if position >= limit { return true }
    let rest = Int(min(limit - position, UInt64(Format.frameHeaderSize)))
    if let start = try window.bytes(at: position, rest, keeping: position) {
      if UnsafeRawBufferPointer(start: start, count: rest).contains(where: { $0 != 0 }) { return false }
    }
    let unread = zeros.contains(position) ? min(zeros.upperBound, limit) : position
    guard try window.isZero(in: unread..<limit) else { return false }
    zeros = position..<limit
    return true
  }

  /// Whether the frame before ``offset`` is still as it was read, as far as that is known.
  ///
  /// - Parameter window: The window in which to check it.
  func isLastFrameThere(in window: FileWindow) throws(JournalError) -> Bool {
    guard let lastFrame else { return true }
    let place = lastFrame.offset
    guard let bytes = try window.bytes(at: place, Format.frameHeaderSize, keeping: place) else { return false }
    return FrameHeader(bytes) == lastFrame.header
  }

  /// The form of the hole up to `end`.
  func kind(of hole: Hole, to end: UInt64) throws(JournalError) -> RecoveryFacts.Hole {
    if hole.reason == .unterminated { return .short }
    guard end >= hole.position + UInt64(Format.frameHeaderSize),
      let start = try window.bytes(at: hole.position, Format.frameHeaderSize, keeping: hole.position)
    else { return .short }
    let bytes = UnsafeRawBufferPointer(start: start, count: Format.frameHeaderSize)
    if bytes.allSatisfy({ $0 == 0 }) { return .zero }
    let header = FrameHeader(start)
    return header.isPlausible && hole.position + UInt64(header.size) > end ? .short : .garbage
  }

  /// Finds the first frame after a hole that verifies and can belong to the rest of this history, and continues there.
  ///
  /// `last` is the last event before the hole. Returns `nil`, and changes nothing, when it finds none, or when the
  /// search has used up its budget.
  func resynchronize(after hole: Hole) throws(JournalError) -> FrameHeader? {
    let last = hole.partial?.lastSequence ?? sequence
    let first = hole.position + (hole.reason == .discontinuity ? 0 : 8)
    var position = (first + 7) & ~7
    var asked = position
    while limit >= 16, position <= limit - 16 {
      if position - asked >= FileWindow.bytesBetweenHoles {
        // A frame's last header word is never zero, but those before it may be.
        let data = window.endOfHole(at: position, upTo: limit)
        position = max(position, (data - min(data, 15)) & ~7)
        asked = position
        continue
      }
      guard let start = try window.bytes(at: position, Format.frameHeaderSize, keeping: position) else { return nil }
      let header = FrameHeader(start)
      if let found = plausibleSequence(of: header, at: position, after: last, hole: hole.position) {
        let cost = UInt64(header.size)
        guard searchBudget >= cost else {
          isSearchExhausted = true
          return nil
        }
        searchBudget -= cost
        if let (_, chain) = try frame(at: position, keeping: position),
          try !window.showsMove(
            of: header, at: position, writtenAt: position, chain: chain, seed: seed, limit: limit)
        {
          resume(at: position, sequence: header.type == .event ? found - 1 : found, chain: header.previous)
          return header
        }
      }
      position += 8
    }
    return nil
  }

  /// The sequence number of a candidate, from cheap tests alone: its type is in use, its length fits the file, and the
  /// events that its number implies would fit in the hole.
  @inline(__always)
  private func plausibleSequence(
    of header: FrameHeader, at position: UInt64, after last: UInt64, hole: UInt64
  ) -> UInt64? {
    guard header.isPlausible, limit - position >= UInt64(header.size) else { return nil }
    let isEvent = header.type == .event
    guard header.type.isReadable else { return nil }
    let distance = UInt64((header.sequenceBits &- UInt32(truncatingIfNeeded: last)) & Format.sequenceMask)
    let room = (position - hole) / UInt64(Format.frameHeaderSize)
    guard distance <= room + (isEvent ? 1 : 0), distance > 0 || !isEvent else { return nil }
    let (sequence, overflow) = last.addingReportingOverflow(distance)
    return overflow || sequence > lastAllowed ? nil : sequence
  }
}
