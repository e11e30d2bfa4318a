/// Frames that stand elsewhere in a segment's file than they were written, because bytes before them are missing or were
/// inserted.
struct ShiftedFrames {
  /// The longest distance, in bytes, that is looked for.
  static let maximumDistance = FileWindow.longestMove

  /// Where the first one stands.
  var start: UInt64
  /// How many bytes before them are missing; less than zero where some were inserted.
  var missing: Int64
  var events: ClosedRange<UInt64>

  /// Whether frames may stand so far from where they were written.
  static func isNear(_ one: UInt64, _ other: UInt64) -> Bool { max(one, other) - min(one, other) <= maximumDistance }
}

extension SegmentScanner {
  /// The first frames after a hole that verify at one distance from where they stand: an event, and the frame after it,
  /// which continues it in chain value and number.
  ///
  /// - Parameters:
  ///   - last: the last event before the hole.
  ///   - end: where the hole ends.
  func shiftedFrames(after hole: Hole, last: UInt64, to end: UInt64) throws(JournalError) -> ShiftedFrames? {
    var position = hole.position
    // A crafted file could otherwise make every byte claim a checksum over megabytes.
    var budget = 16 * (max(end, position) - position)
    var asked = position
    while end > position, end - position >= UInt64(2 * Format.frameHeaderSize) {
      if position - asked >= FileWindow.bytesBetweenHoles {
        // A frame's last header word is never zero, but those before it may be.
        let data = window.endOfHole(at: position, upTo: end)
        position = max(position, data - min(data, 15))
        asked = position
      }
      if let found = try shiftedFrames(at: position, after: hole, last: last, &budget) { return found }
      position += 1
    }
    return nil
  }

  private func shiftedFrames(
    at position: UInt64, after hole: Hole, last: UInt64, _ budget: inout UInt64
  ) throws(JournalError) -> ShiftedFrames? {
    guard let event = try header(at: position, keeping: position), event.type == .event else { return nil }
    let place = position + UInt64(event.size)
    // Events that were written after the hole's place, with room for those between.
    let distance = UInt64((event.sequenceBits &- UInt32(truncatingIfNeeded: last)) & Format.sequenceMask)
    let room = position + ShiftedFrames.maximumDistance - hole.position
    guard distance > 0, (distance - 1) * UInt64(Format.frameHeaderSize) <= room,
      distance <= lastAllowed - min(last, lastAllowed),
      let next = try header(at: place, keeping: position), Self.continues(next, event),
      budget >= UInt64(event.size + next.size)
    else { return nil }
    budget -= UInt64(event.size + next.size)
    guard let bytes = try window.bytes(at: position, event.size, keeping: position) else { return nil }
    let count = event.payloadLength + 4
    let chain = Checksum.crc32(event.previous, UnsafeRawBufferPointer(start: bytes + 12, count: count))
    let offset = Checksum.offset(ofCheck: event.check, seed: seed, position: event.position, chain: chain)
    guard chain == next.previous, offset % 8 == 0, offset != position, ShiftedFrames.isNear(offset, position),
      offset >= hole.position, (distance - 1) * UInt64(Format.frameHeaderSize) <= offset - hole.position,
      event.verifiedChain(bytes, at: offset, seed: seed) != nil
    else { return nil }
    var found = ShiftedFrames(
      start: position, missing: Int64(offset) - Int64(position), events: (last + distance)...(last + distance))
    var (before, after, running) = (event, place, chain)
    while let header = try header(at: after, keeping: after), header.previous == running,
      Self.continues(header, before), let bytes = try window.bytes(at: after, header.size, keeping: after),
      let chain = header.verifiedChain(bytes, at: after - position + offset, seed: seed)
    {
      (before, after) = (header, after + UInt64(header.size))
      guard header.type == .event else { continue }
      running = chain
      found.events = found.events.lowerBound...(found.events.upperBound + 1)
    }
    return after > place ? found : nil
  }

  /// A header whose fields are in their ranges, of a frame that fits into the file.
  private func header(at position: UInt64, keeping keep: UInt64) throws(JournalError) -> FrameHeader? {
    guard position <= limit, limit - position >= UInt64(Format.frameHeaderSize),
      let start = try window.bytes(at: position, Format.frameHeaderSize, keeping: keep)
    else { return nil }
    let header = FrameHeader(start)
    return header.isPlausible && header.type.isReadable && UInt64(header.size) <= limit - position ? header : nil
  }

  /// Whether a frame has the number with which it continues another one.
  private static func continues(_ next: FrameHeader, _ frame: FrameHeader) -> Bool {
    next.sequenceBits == (frame.sequenceBits &+ (next.type == .event ? 1 : 0)) & Format.sequenceMask
  }
}
