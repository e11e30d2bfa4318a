/// The blocks of a segment that has no footer, found from its last anchor backwards.
///
/// An anchor says where its block begins, and the previous anchor directly precedes that place. A closed journal ends
/// with an anchor, so only the anchors and the first frame of each block are read.
struct AnchorIndex {
  /// The blocks in order.
  private(set) var entries: [IndexEntry] = []
  /// The history digest after each block, as its anchor states it.
  private(set) var digests: [[UInt8]?] = []

  /// Finds the blocks of a segment up to the receipt's place.
  ///
  /// It trusts only self-proving evidence: anchors and first frames must verify, and each must agree with the next one
  /// in place, number and chain, from the receipt to the segment's header. `nil` where anything does not, or where no
  /// anchor precedes the receipt's place.
  ///
  /// - Parameter sequence: the search ends at the block that holds the event after this one.
  init?(
    _ directory: JournalDirectory, _ scanner: SegmentScanner, _ entry: SegmentEntry, before receipt: HeadReceipt,
    after sequence: UInt64 = 0
  ) {
    guard receipt.ordinal == entry.header.ordinal, entry.headerFault == nil, receipt.offset % 8 == 0,
      receipt.offset <= scanner.limit, receipt.sequence >= entry.header.firstSequence
    else { return nil }
    let start = UInt64(entry.header.size)
    var end = receipt.offset
    var last = receipt.sequence
    var chain = receipt.chain
    guard var bytes = Self.read(directory, scanner, from: end, before: start) else { return nil }
    while end > start {
      guard let (anchor, place) = Self.anchor(bytes, endingAt: end, scanner),
        anchor.chain == chain, place.previous == chain,
        place.sequenceBits == UInt32(truncatingIfNeeded: last) & Format.sequenceMask,
        anchor.blockStart >= start, anchor.blockStart < end - Self.anchorLength, anchor.blockStart % 8 == 0,
        anchor.eventCount > 0, UInt64(anchor.eventCount) <= last + 1 - entry.header.firstSequence,
        let next = Self.read(directory, scanner, from: anchor.blockStart, before: start)
      else { return nil }
      last -= UInt64(anchor.eventCount)
      end = anchor.blockStart
      bytes = next
      guard let first = Self.firstFrame(bytes, at: end, directory, scanner) else { return nil }
      let number = first.type == .event ? last + 1 : last
      guard first.sequenceBits == UInt32(truncatingIfNeeded: number) & Format.sequenceMask else { return nil }
      chain = first.previous
      entries.append(
        IndexEntry(
          firstSequence: last + 1, offset: end, chain: chain, eventCount: anchor.eventCount, labels: anchor.labels))
      digests.append(anchor.digest)
      if last <= sequence { break }
    }
    guard !entries.isEmpty, end > start || (last + 1 == entry.header.firstSequence && chain == entry.header.chainIn)
    else { return nil }
    entries.reverse()
    digests.reverse()
  }

  private static let anchorLength = UInt64(Format.frameHeaderSize + Format.anchorSize)
  /// How much of a block's first frame is read along with the anchor before it.
  private static let lookahead = 512

  /// The bytes around a place between two blocks: an anchor before it, unless the segment begins there, and some after.
  private static func read(
    _ directory: JournalDirectory, _ scanner: SegmentScanner, from place: UInt64, before start: UInt64
  ) -> [UInt8]? {
    guard place == start || place >= start + anchorLength else { return nil }
    let offset = place == start ? place : place - anchorLength
    let count = Int(min(scanner.limit - offset, anchorLength + UInt64(lookahead)))
    let bytes = try? directory.read(scanner.window.file, scanner.window.name, at: offset, count: count)
    guard let bytes, bytes.count == count else { return nil }
    return place == start ? [UInt8](repeating: 0, count: Int(anchorLength)) + bytes : bytes
  }

  /// The anchor in the first bytes.
  private static func anchor(
    _ bytes: [UInt8], endingAt end: UInt64, _ scanner: SegmentScanner
  ) -> (Anchor, FrameHeader)? {
    let length = Int(anchorLength)
    guard bytes.count >= length else { return nil }
    return bytes.withUnsafeBytes { buffer in
      guard let address = buffer.baseAddress else { return nil }
      let header = FrameHeader(address)
      guard header.type == .anchor, header.size == length,
        header.verifiedChain(address, at: end - anchorLength, seed: scanner.seed) != nil,
        let anchor = Anchor(Array(buffer[Format.frameHeaderSize..<length]))
      else { return nil }
      return (anchor, header)
    }
  }

  /// The frame after the first bytes, if it verifies.
  private static func firstFrame(
    _ bytes: [UInt8], at offset: UInt64, _ directory: JournalDirectory, _ scanner: SegmentScanner
  ) -> FrameHeader? {
    var bytes = bytes[Int(anchorLength)...]
    guard bytes.count >= Format.frameHeaderSize else { return nil }
    let header = bytes.withUnsafeBytes { buffer in buffer.baseAddress.map { FrameHeader($0) } }
    guard let header, header.isPlausible, [.event, .mark, .catalog].contains(header.type),
      UInt64(header.size) <= scanner.limit - offset
    else { return nil }
    if bytes.count < header.size {
      let whole = try? directory.read(scanner.window.file, scanner.window.name, at: offset, count: header.size)
      guard let whole, whole.count == header.size else { return nil }
      bytes = whole[...]
    }
    return bytes.withUnsafeBytes { buffer in
      guard let address = buffer.baseAddress, header.verifiedChain(address, at: offset, seed: scanner.seed) != nil
      else { return nil }
      return header
    }
  }
}
