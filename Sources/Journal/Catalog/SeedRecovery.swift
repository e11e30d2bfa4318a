/// Finds frames of segments whose headers do not verify.
///
/// A frame's check and bytes give the only seed under which it verifies, and a journal's id and a segment's ordinal
/// give that segment's seed: a frame that gives the seed of a known segment belongs to that segment, regardless of the
/// header.
struct SeedRecovery {
  /// A frame, the seed under which it verifies, and the chain value after it.
  struct Frame {
    var offset: UInt64
    var header: FrameHeader
    var seed: UInt32
    var chain: UInt32
  }

  let window: FileWindow
  /// Where the segment begins in the file.
  let base: UInt64
  /// Bytes after this offset in the file are ignored.
  let limit: UInt64
  /// The number of bytes that candidates may still cost. A crafted file could otherwise make every eight bytes claim
  /// a checksum over megabytes.
  private var budget: UInt64

  init(window: FileWindow, base: UInt64 = 0, limit: UInt64) {
    self.window = window
    self.base = base
    self.limit = limit
    budget = 16 * min(limit, 1 << 40) + 1 << 20
  }

  /// The first wanted frame in some bytes of the file, usually chosen by its seed.
  mutating func first(
    in range: Range<UInt64>, where isWanted: (Frame) -> Bool
  ) throws(JournalError) -> Frame? {
    let end = min(range.upperBound, limit)
    let size = UInt64(Format.frameHeaderSize)
    let start = max(range.lowerBound, base)
    var position = base + ((start - base + 7) & ~7)
    var asked = position
    while end >= size, position <= end - size {
      if position - asked >= FileWindow.bytesBetweenHoles {
        // A frame's last header word is never zero, but those before it may be.
        let data = window.endOfHole(at: position, upTo: end)
        let next = max(position, data - min(data, size - 1))
        position = base + ((next - base) & ~7)
        asked = position
        continue
      }
      if let frame = try frame(at: position), isWanted(frame) { return frame }
      position += 8
    }
    return nil
  }

  /// A frame whose fields are in their ranges and whose padding is zero, with the seed that its check gives.
  mutating func frame(at position: UInt64) throws(JournalError) -> Frame? {
    guard position >= base, position <= limit, limit - position >= UInt64(Format.frameHeaderSize),
      let start = try window.bytes(at: position, Format.frameHeaderSize, keeping: position)
    else { return nil }
    let header = FrameHeader(start)
    guard header.isPlausible, header.type.rawValue <= FrameType.highestKnown,
      limit - position >= UInt64(header.size), budget >= UInt64(header.size)
    else { return nil }
    budget -= UInt64(header.size)
    guard let bytes = try window.bytes(at: position, header.size, keeping: position) else { return nil }
    let content = Format.frameHeaderSize + header.payloadLength
    for place in content..<header.size where bytes.load(fromByteOffset: place, as: UInt8.self) != 0 { return nil }
    let chain = Checksum.crc32(header.previous, UnsafeRawBufferPointer(start: bytes + 12, count: content - 12))
    let seed = Checksum.segmentSeed(
      ofCheck: header.check, offset: position - base, position: header.position, chain: chain)
    return Frame(offset: position, header: header, seed: seed, chain: chain)
  }
}
