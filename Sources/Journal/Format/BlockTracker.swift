/// The content of the next anchor, updated with each frame: the block since the last anchor.
final class BlockTracker {
  private(set) var start: UInt64
  private(set) var firstSequence: UInt64
  private(set) var chainBefore: UInt32
  private(set) var eventCount = 0
  var labels = LabelRange.empty
  /// The checksum over everything added.
  var checksum: UInt32 {
    gathered.isEmpty ? summed : gathered.withUnsafeBytes { Checksum.crc32(summed, $0) }
  }
  /// The checksum over what precedes the gathered bytes.
  private var summed: UInt32 = 0
  /// The last small batches. zlib takes far less time for one large piece than for many small ones.
  private var gathered: [UInt8] = []
  private static let mostGathered = 4 << 10

  init(start: UInt64, firstSequence: UInt64, chain: UInt32) {
    self.start = start
    self.firstSequence = firstSequence
    chainBefore = chain
  }

  /// Begins the next block.
  func restart(at start: UInt64, firstSequence: UInt64, chain: UInt32) {
    self.start = start
    self.firstSequence = firstSequence
    chainBefore = chain
    eventCount = 0
    labels = .empty
    gathered.removeAll(keepingCapacity: true)
    summed = 0
  }

  /// Adds whole frames, `events` of which are events.
  func add(_ bytes: UnsafeRawBufferPointer, events: Int) {
    eventCount += events
    if gathered.count + bytes.count <= Self.mostGathered {
      gathered.append(contentsOf: bytes)
    } else {
      summed = Checksum.crc32(checksum, bytes)
      gathered.removeAll(keepingCapacity: true)
    }
  }

  /// Adds a block that was verified as a whole, when nothing was added before but the catalogue that begins it.
  func add(block checksum: UInt32, events: Int) {
    eventCount += events
    gathered.removeAll(keepingCapacity: true)
    summed = checksum
  }

  /// The block as the footer lists it.
  var indexEntry: IndexEntry {
    IndexEntry(
      firstSequence: firstSequence, offset: start, chain: chainBefore, eventCount: UInt32(clamping: eventCount),
      labels: labels)
  }
}

extension HistoryDigest {
  /// Adds every event of some consecutive frames that verified.
  func add(frames bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    var place = 0
    while bytes.count - place >= Format.frameHeaderSize {
      let header = FrameHeader(start + place)
      guard header.size <= bytes.count - place else { return }
      defer { place += header.size }
      guard header.type == .event else { continue }
      add(UnsafeRawBufferPointer(start: start + place + 12, count: 4 + header.payloadLength))
    }
  }
}
