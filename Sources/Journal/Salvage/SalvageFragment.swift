/// One segment whose frames were found, and the evidence of their journal and their place in it.
struct SegmentTrace {
  /// How frames are verified.
  enum Evidence {
    /// A segment header that verifies.
    case header
    /// The seed that two successive frames have in common; the header does not verify.
    case seed
    /// A frame's chain value and number are those with which the next one continues. Their place is unknown.
    case link
  }

  var file: Int
  /// Where the segment begins in the file.
  var base: UInt64
  var evidence: Evidence
  /// `nil` for frames known only by their links.
  var seed: UInt32?
  var header: SegmentHeader?
  var id: JournalID?
  var ordinal: UInt64?
  /// After the last frame that verified.
  var end: UInt64
  /// The last event before that, and the chain value after it.
  var sequence: UInt64
  var chain: UInt32
  /// Where its catalogue is.
  var catalog: CatalogPlace?
  /// How much further on in the segment its frames were written than they stand: more than zero where bytes before them
  /// are missing, less where others were inserted.
  var shift: Int64 = 0
  /// Whether its frames, which are shifted, may be those of another segment in a payload.
  var isContradicted = false

  /// The offset in the segment at which a frame at a place of the file was written; `nil` outside the segment.
  @inline(__always)
  func offset(of position: UInt64) -> UInt64? {
    UInt64(exactly: Int64(truncatingIfNeeded: position &- base) &+ shift)
  }
}

/// The place of a CATALOG frame in a file, and the length of its payload.
struct CatalogPlace: Hashable, Sendable {
  var offset: UInt64
  var length: Int
}

/// Consecutive events without a payload: a salvage wrote them where others were lost, to keep their numbers.
struct LostPlace {
  var trace: Int
  var file: Int
  var events: ClosedRange<UInt64>
  var byteRange: Range<UInt64>
}

/// Consecutive events that follow each other in one file, with any bookkeeping between them.
struct SalvageFragment {
  /// A place in it from which frames can be followed.
  struct Mark {
    var sequence: UInt64
    var offset: UInt64
  }

  static let eventsPerMark: UInt64 = 1024

  var trace: Int
  var file: Int
  /// Where the first event's frame begins, and where the last one's ends.
  var start: UInt64
  var end: UInt64
  var first: UInt64
  var count: UInt64 = 0
  /// The chain values before the first event and after the last, in the file.
  var chainBefore: UInt32
  var chainAfter: UInt32
  /// The difference (in exclusive or) between those and the chain values of the history: zero except for events after
  /// lost ones in a salvage's copy.
  var differenceBefore: UInt32 = 0
  var differenceAfter: UInt32 = 0
  var marks: [Mark] = []

  var last: UInt64 { first + count - 1 }
  var events: ClosedRange<UInt64> { first...last }

  /// Where the history is before the first event.
  var from: SalvageRoute.Place { .init(sequence: first - 1, chain: chainBefore ^ differenceBefore) }
  /// Where the history is after the last event.
  var to: SalvageRoute.Place { .init(sequence: last, chain: chainAfter ^ differenceAfter) }

  mutating func add(at offset: UInt64, end: UInt64, chain: UInt32) {
    if count > 0, count % Self.eventsPerMark == 0 { marks.append(Mark(sequence: first + count, offset: offset)) }
    count += 1
    self.end = end
    chainAfter = chain
  }

  /// The nearest known place at or before an event.
  func mark(notBehind sequence: UInt64) -> Mark {
    let index = Int(min((sequence - first) / Self.eventsPerMark, UInt64(marks.count)))
    return index == 0 ? Mark(sequence: first, offset: start) : marks[index - 1]
  }
}

/// Follows the frames of a fragment once more, and proves each by the chain.
struct FragmentCursor: ~Copyable {
  struct Event {
    var sequence: UInt64
    var chainBefore: UInt32
    var payload: UnsafeRawBufferPointer
    var isLastOfBatch: Bool
  }

  let window: FileWindow
  private let end: UInt64
  private var offset: UInt64
  private var sequence: UInt64
  /// The chain value in the file after the last event; `nil` before the first.
  private var fileChain: UInt32?
  /// The history's chain value before the next event, where it differs from the file's.
  private var historyChain: UInt32?
  /// The chain value after the last event; `nil` before the first.
  private(set) var chain: UInt32?

  /// - Parameter inHistory: whether chain values are those of the history; otherwise they are the file's.
  init(_ fragment: SalvageFragment, at sequence: UInt64, _ window: FileWindow, inHistory: Bool = false) {
    self.window = window
    let differs = inHistory && fragment.differenceBefore != 0
    if differs { historyChain = fragment.from.chain }
    let mark = fragment.mark(notBehind: differs ? fragment.first : sequence)
    offset = mark.offset
    self.sequence = mark.sequence
    end = fragment.end
    // The following bytes may be ones that the device does not deliver.
    window.limit = end
  }

  /// The next event, whose payload is valid until the next call; `nil` after the last one.
  ///
  /// - Throws: `inputOutput`, also when the file's content has changed.
  mutating func next() throws(JournalError) -> Event? {
    while offset < end {
      guard let start = try window.bytes(at: offset, Format.frameHeaderSize, keeping: offset) else { throw changed() }
      let header = FrameHeader(start)
      guard header.isPlausible, UInt64(header.size) <= end - offset,
        let bytes = try window.bytes(at: offset, header.size, keeping: offset)
      else { throw changed() }
      offset += UInt64(header.size)
      guard header.type == .event else { continue }
      guard fileChain == nil || fileChain == header.previous else { throw changed() }
      let length = header.payloadLength
      let content = UnsafeRawBufferPointer(start: bytes + 12, count: 4 + length)
      let chainBefore = historyChain ?? header.previous
      fileChain = Checksum.crc32(header.previous, content)
      historyChain = historyChain.map { Checksum.crc32($0, content) }
      chain = historyChain ?? fileChain
      defer { sequence += 1 }
      return Event(
        sequence: sequence, chainBefore: chainBefore,
        payload: UnsafeRawBufferPointer(start: bytes + Format.frameHeaderSize, count: length),
        isLastOfBatch: header.isLastOfBatch)
    }
    return nil
  }

  private func changed() -> JournalError {
    JournalError(
      .inputOutput, "the file changed while it was read", remedy: "salvage a copy of it", file: window.name,
      offset: offset)
  }
}
