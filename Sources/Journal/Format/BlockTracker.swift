/// The content of the next anchor, updated with each frame: the block since the last anchor.
final class BlockTracker {
  private(set) var start: UInt64
  private(set) var firstSequence: UInt64
  private(set) var chainBefore: UInt32
  private(set) var eventCount = 0
  var labels = LabelRange.empty
  private var sum: UInt32 = 0
  // Small writes are gathered: most of the time for a few bytes goes into beginning and ending the checksum.
  private let staging = UnsafeMutableRawBufferPointer.allocate(byteCount: 32 << 10, alignment: 16)
  private var staged = 0

  init(start: UInt64, firstSequence: UInt64, chain: UInt32) {
    self.start = start
    self.firstSequence = firstSequence
    chainBefore = chain
  }

  deinit {
    staging.deallocate()
  }

  /// Begins the next block.
  func restart(at start: UInt64, firstSequence: UInt64, chain: UInt32) {
    self.start = start
    self.firstSequence = firstSequence
    chainBefore = chain
    eventCount = 0
    labels = .empty
    sum = 0
    staged = 0
  }

  /// Adds whole frames, `events` of which are events.
  func add(_ bytes: UnsafeRawBufferPointer, events: Int) {
    eventCount += events
    if bytes.count > staging.count - staged { flush() }
    guard bytes.count <= staging.count / 2, let address = staging.baseAddress, let source = bytes.baseAddress else {
      flush()
      sum = Checksum.crc32(sum, bytes)
      return
    }
    (address + staged).copyMemory(from: source, byteCount: bytes.count)
    staged += bytes.count
  }

  /// Adds a block that was verified as a whole, when nothing was added before but the catalogue that begins it.
  func add(block checksum: UInt32, events: Int) {
    eventCount += events
    sum = checksum
    staged = 0
  }

  private func flush() {
    sum = Checksum.crc32(sum, UnsafeRawBufferPointer(rebasing: staging[..<staged]))
    staged = 0
  }

  /// The checksum over everything added.
  func checksum() -> UInt32 {
    flush()
    return sum
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
