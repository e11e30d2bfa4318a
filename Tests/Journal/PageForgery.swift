import Testing

@testable import Journal

/// A journal's files that are changed as no damage does: the checksums of what is changed are right again.
struct PageForgery {
  /// A journal that is closed in good order.
  enum Base: Sendable {
    /// 40 events, a batch each, in small segments.
    case several
    /// Ten events in one segment, of which 5 to 7 are one batch.
    case batches
    /// Twelve events in small segments after event 51 of a parent.
    case fork
    /// The first, without its first two segments.
    case retired
  }

  /// By their names.
  private(set) var files: [String: [UInt8]]
  /// The names of the segments before anything was changed.
  let segments: [String]
  /// The numbers of the events that it has.
  private(set) var events: [UInt64]
  /// The events that are to be reported lost.
  var lost: [ClosedRange<UInt64>] = []

  static let parent = JournalIdentity.Parent(
    id: JournalID(bytes: [UInt8](repeating: 7, count: 16)) ?? .none, sequence: 51, chain: 7)

  init(_ base: Base) throws {
    let fileSystem = MemoryFileSystem()
    let options = DomainTests.options(try DomainTests.domain(), segmentSize: base == .batches ? 1 << 20 : 1 << 10)
    let journal = try JournalWriter.create(
      at: "j", id: sampleID, createdNanoseconds: 9, parent: base == .fork ? Self.parent : nil, options: options,
      fileSystem: fileSystem)
    switch base {
    case .several: try DomainTests.append(1...40, to: journal)
    case .fork: try DomainTests.append(1...12, to: journal)
    case .batches:
      for numbers in [1...1, 2...2, 3...3, 4...4, 5...7, 8...8, 9...9, 10...10] {
        var batch = JournalBatch()
        for number in numbers {
          try batch.append(payload: [UInt8](repeating: UInt8(number), count: 80), label: Int64(number))
        }
        try journal.append(&batch)
      }
    case .retired:
      try DomainTests.append(1...40, to: journal)
      let third = try JournalReader(path: "j", fileSystem: fileSystem).segments[2].firstSequence
      _ = try journal.retire(before: third, after: journal.writeCheckpoint(sequence: 30, body: [1, 2, 3]))
    }
    try journal.close()
    files = [:]
    for (path, bytes) in fileSystem.files where path != "j/LOCK" { files[String(path.dropFirst(2))] = bytes }
    segments = files.keys.filter { $0.hasSuffix(".seg") }.sorted()
    let first = try #require(SegmentName(segments[0])).firstSequence
    events = Array(first...journal.lastSequence)
  }

  /// The files as those of a directory `j`.
  var journal: [String: [UInt8]] {
    files.reduce(into: [:]) { $0["j/" + $1.key] = $1.value }
  }

  /// What a test calls a file: a segment by its number here, any other by its name.
  func label(_ file: String) -> String {
    segments.firstIndex(of: file).map { "segment \($0 + 1)" } ?? file
  }

  subscript(name: String) -> [UInt8] {
    get { files[name] ?? [] }
    set { files[name] = newValue }
  }

  mutating func remove(_ name: String) { files[name] = nil }

  mutating func rename(_ name: String, to other: String) {
    files[other] = files.removeValue(forKey: name)
  }

  /// Changes a record, and renews its checksum.
  mutating func reseal(
    _ name: String, at start: Int = 0, size: Int, seed: UInt32 = 0, _ change: (inout FixedRecord) -> Void
  ) throws {
    var record = try #require(FixedRecord(Array(self[name][start..<start + size]), size: size))
    change(&record)
    record.seal(seed: seed)
    self[name].replaceSubrange(start..<start + size, with: record.bytes)
  }

  mutating func resealIdentity(_ change: (inout FixedRecord) -> Void) throws {
    try reseal("JOURNAL", size: Format.identitySize, change)
  }

  mutating func resealHeader(_ name: String, _ change: (inout FixedRecord) -> Void) throws {
    try reseal(name, size: Format.segmentHeaderSize, change)
  }

  /// Changes a slot of HEAD, and renews its checksum.
  mutating func resealHead(_ slot: Int, _ change: (inout FixedRecord) -> Void) throws {
    try reseal(
      "HEAD", at: Format.headSlotOffsets[slot], size: Format.headSlotSize, seed: Checksum.crc32(0, sampleID.bytes),
      change)
  }

  /// Leaves the first segments, or none, as of a journal that was synced up to there and not closed.
  mutating func keep(_ count: Int) throws {
    let place = count == 0 ? nil : (try header(segments[count]), length: self[segments[count - 1]].count)
    let last = place.map { $0.0.firstSequence - 1 } ?? events[0] - 1
    for slot in [0, 1] {
      try resealHead(slot) { record in
        record.set(UInt64(count), at: 16)
        record.set(UInt64(place?.length ?? 0), at: 24)
        record.set(last, at: 32)
        record.set(place?.0.chainIn ?? Self.parent.chain, at: 40)
        record.set(UInt32(0), at: 44)
      }
    }
    for name in segments[count...] { remove(name) }
    events = events.filter { $0 <= last }
  }

  /// The slot with the older receipt.
  func olderSlot() throws -> Int {
    let slots = HeadReceipt.read(self["HEAD"], of: sampleID).slots
    return try #require(slots.firstIndex { $0.generation != slots.map(\.generation).max() })
  }

  func header(_ name: String) throws -> SegmentHeader {
    try #require(SegmentHeader.soundHeader(self[name]))
  }

  /// The frames of a segment, in order.
  func frames(_ name: String) -> [SampleFrame] { SampleFrame.all(in: self[name]) }

  /// Zeros in the place of a segment's header.
  mutating func clearHeader(_ name: String) {
    self[name].replaceSubrange(..<Format.segmentHeaderSize, with: repeatElement(0, count: Format.segmentHeaderSize))
  }

  /// Writes a frame of a segment anew: an event is its batch's last one.
  mutating func replace(
    _ frame: SampleFrame, of name: String, sequence: UInt64, previous: UInt32, seed: UInt32
  ) {
    let header = self[name].withUnsafeBytes { bytes in bytes.baseAddress.map { FrameHeader($0 + frame.offset) } }
    let start = frame.offset + Format.frameHeaderSize
    let payload = Array(self[name][start..<start + (header?.payloadLength ?? 0)])
    let bytes = FrameHeader.encoded(
      frame.type, payload: payload, sequence: sequence, chain: previous, at: UInt64(frame.offset), seed: seed)
    self[name].replaceSubrange(frame.offset..<frame.offset + bytes.count, with: bytes)
  }
}
