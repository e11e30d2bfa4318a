/// Events that enter the journal together or not at all, encoded in the buffer from which they will be written.
///
/// ```swift
/// var batch = JournalBatch()
/// try batch.append(payload: [1, 2, 3], label: 1_700_000_000_000_000_000)
/// let numbers = try journal.append(&batch)
/// ```
///
/// A batch holds at most 65,536 events and 16 MiB in encoded form. An append empties it but keeps its memory, so that
/// a batch can be reused without allocating.
public struct JournalBatch: ~Copyable, @unchecked Sendable {
  // Unchecked because of the pointer: the batch is its only owner, cannot be copied, and writes through it only under
  // exclusive access to itself.

  /// The largest payload, in bytes: 8 MiB.
  public static var maximumPayloadLength: Int { Format.maximumPayloadLength }

  /// Room for a MARK frame before the events, so that both go out in one write.
  static let headroom = Format.frameHeaderSize + Format.markSize

  private(set) var buffer: UnsafeMutableRawBufferPointer
  /// The bytes in use, including the headroom.
  private(set) var length = JournalBatch.headroom
  private(set) var labels = LabelRange.empty
  /// The ends of batches that others follow in this buffer; empty for a single batch.
  private var ends: [End] = []

  /// The end of a batch: the number of events before it, its offset in the buffer, and the labels of all events
  /// before it.
  private struct End {
    var count: Int
    var place: Int
    var labels: LabelRange
  }

  /// The number of events in the batch.
  public private(set) var count = 0

  /// Whether the batch holds no events.
  public var isEmpty: Bool { count == 0 }

  /// The size of the events in encoded form, in bytes.
  public var encodedLength: Int { length - Self.headroom }

  /// Creates an empty batch with room for about this many bytes of payload.
  public init(minimumCapacity: Int = 512) {
    buffer = .allocate(
      byteCount: Self.headroom + min(max(minimumCapacity, 64), Format.maximumBatchLength), alignment: 16)
  }

  deinit {
    buffer.deallocate()
  }

  /// Marks the labels of all events in the batch as unknown.
  mutating func forgetLabels() {
    labels = .unknown
  }

  /// Adds an event at the end. O(length of the payload), amortised.
  ///
  /// - Parameters:
  ///   - payload: the event's bytes, at most ``maximumPayloadLength`` of them; may be empty.
  ///   - label: a number whose minimum and maximum footers keep, for finding events without reading them; usually the
  ///     wall time in nanoseconds.
  /// - Throws: `tooLarge` when the payload or the batch would exceed the format's limits; the batch is then
  ///   unchanged.
  public mutating func append(payload: UnsafeRawBufferPointer, label: Int64) throws(JournalError) {
    let size = FrameHeader.size(payloadLength: payload.count)
    guard payload.count <= Format.maximumPayloadLength else {
      throw JournalError(
        .tooLarge, "the payload has \(payload.count) bytes, and \(Format.maximumPayloadLength) are allowed",
        remedy: "split the event, or keep the large part in a file of its own")
    }
    guard encodedLength + size <= Format.maximumBatchLength, count < Format.maximumBatchEvents else {
      throw Self.tooLarge
    }
    reserve(length + size)
    guard let start = buffer.baseAddress else { return }
    let frame = start + length
    let kind = UInt32(payload.count) | UInt32(FrameType.event.rawValue) << 24
    // The last word of padding first: the payload then overwrites the part that it needs.
    (frame + size - 8).storeBytes(of: 0, as: UInt64.self)
    frame.storeBytes(of: kind.littleEndian, toByteOffset: 12, as: UInt32.self)
    if let bytes = payload.baseAddress, payload.count > 0 {
      (frame + Format.frameHeaderSize).copyMemory(from: bytes, byteCount: payload.count)
    }
    length += size
    count += 1
    labels.include(label)
  }

  /// Adds an event at the end, from an array.
  public mutating func append(payload: [UInt8], label: Int64) throws(JournalError) {
    let result = payload.withUnsafeBytes { bytes in
      Result { () throws(JournalError) in try append(payload: bytes, label: label) }
    }
    try result.get()
  }

  /// Ends the batch: events added later form another one, written in the same call and atomic by itself.
  package mutating func endBatch() {
    if count > (ends.last?.count ?? 0) { ends.append(End(count: count, place: length, labels: labels)) }
  }

  /// Removes the events after the last batch that was ended.
  package mutating func removeUnended() {
    count = ends.last?.count ?? 0
    length = ends.last?.place ?? Self.headroom
    labels = ends.last?.labels ?? .empty
  }

  /// The chain values after the batches that others follow here, once they are written.
  package var innerChains: [UInt32] {
    guard let start = buffer.baseAddress else { return [] }
    return ends.filter { $0.place < length }.map { FrameHeader(start + $0.place).previous }
  }

  /// Adds the events of another batch, as a batch of their own.
  ///
  /// - Throws: `tooLarge` when both together would exceed the limits of one batch; this one is then unchanged.
  mutating func append(_ other: borrowing JournalBatch) throws(JournalError) {
    guard encodedLength + other.encodedLength <= Format.maximumBatchLength,
      count + other.count <= Format.maximumBatchEvents
    else { throw Self.tooLarge }
    endBatch()
    reserve(length + other.encodedLength)
    guard let start = buffer.baseAddress, let source = other.buffer.baseAddress, other.count > 0 else { return }
    (start + length).copyMemory(from: source + Self.headroom, byteCount: other.encodedLength)
    for end in other.ends {
      var before = labels
      before.include(end.labels)
      ends.append(End(count: count + end.count, place: length + end.place - Self.headroom, labels: before))
    }
    length += other.encodedLength
    count += other.count
    labels.include(other.labels)
  }

  private static var tooLarge: JournalError {
    JournalError(
      .tooLarge,
      "a batch holds at most \(Format.maximumBatchEvents) events and \(Format.maximumBatchLength) bytes",
      remedy: "append it as several batches")
  }

  /// Removes all events; the memory stays allocated.
  public mutating func removeAll() {
    length = Self.headroom
    count = 0
    if !ends.isEmpty { ends.removeAll(keepingCapacity: true) }
    labels = .empty
  }

  private mutating func reserve(_ needed: Int) {
    guard needed > buffer.count else { return }
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: max(needed, 2 * buffer.count), alignment: 16)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<length]))
    buffer.deallocate()
    buffer = larger
  }

  /// Completes the frames for a place in the journal and returns the chain value after the last.
  func complete(
    at offset: UInt64, seed: UInt32, firstSequence: UInt64, chain: UInt32, isDurableBefore: Bool
  ) -> UInt32 {
    guard let start = buffer.baseAddress else { return chain }
    var running = chain
    var place = Self.headroom
    var left = count
    var sequence = firstSequence
    var end = 0
    while left > 0 {
      let frame = start + place
      let kind = UInt32(littleEndian: (frame + 12).loadUnaligned(as: UInt32.self))
      let payload = Int(kind & 0xFF_FFFF)
      var position = UInt32(truncatingIfNeeded: sequence) & Format.sequenceMask
      let isEnd = end < ends.count && ends[end].count == count - left + 1
      if isEnd { end += 1 }
      if left == 1 || isEnd { position |= FrameHeader.lastOfBatch }
      if left == count && isDurableBefore { position |= FrameHeader.durableBefore }
      running = FrameHeader.complete(
        frame, length: payload, position: position, previous: running, offset: offset + UInt64(place - Self.headroom),
        seed: seed)
      place += FrameHeader.size(payloadLength: payload)
      left -= 1
      sequence += 1
    }
    return running
  }

  /// Puts a MARK frame into the headroom.
  func place(mark: [UInt8]) {
    guard mark.count == Self.headroom, let start = buffer.baseAddress else { return }
    mark.withUnsafeBytes { start.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(start), byteCount: $0.count) }
  }

  /// The bytes to write: the events, preceded by the MARK, if any.
  func bytes(withMark: Bool) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer[(withMark ? 0 : Self.headroom)..<length])
  }
}

/// A batch that is in the journal's files but may not be durable yet.
public struct WrittenBatch: Hashable, Sendable {
  /// The numbers of its events.
  public let events: ClosedRange<UInt64>
  /// The chain value after its last event.
  public let chain: UInt32
  /// Whether it is acknowledged only once it is durable.
  let isSyncDue: Bool
}
