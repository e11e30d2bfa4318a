import PlainText

/// A checkpoint file: bytes derived from the history up to an event, with what the journal knows about them.
public struct Checkpoint: Hashable, Sendable {
  /// The last event that went into it.
  public var sequence: UInt64
  /// The chain value after that event: a history with another value there is not the one it was derived from.
  public var chain: UInt32
  /// The length of the body in bytes.
  public var bodyLength: UInt64
  /// The file's name in the journal's directory.
  public var file: String
  /// The segment that held the end of the journal when it was written.
  var ordinal: UInt64
  var bodyChecksum: UInt32

  func header(for id: JournalID) -> [UInt8] {
    var record = FixedRecord(size: Format.checkpointHeaderSize)
    record.set(Format.checkpointMagic, at: 0)
    record.set(Format.majorVersion, at: 8)
    record.set(Format.minorVersion, at: 10)
    record.set(UInt32(Format.checkpointHeaderSize), at: 12)
    record.set(id.bytes, at: 16)
    record.set(sequence, at: 32)
    record.set(ordinal, at: 40)
    record.set(bodyLength, at: 48)
    record.set(chain, at: 56)
    record.set(bodyChecksum, at: 60)
    record.seal()
    return record.bytes
  }

  init(sequence: UInt64, ordinal: UInt64, chain: UInt32, body: [UInt8]) {
    self.sequence = sequence
    self.ordinal = ordinal
    self.chain = chain
    bodyLength = UInt64(body.count)
    bodyChecksum = Checksum.crc32(0, body)
    file = Self.name(sequence)
  }

  /// The beginning of a checkpoint.
  static func header(_ bytes: [UInt8]) -> SmallHeader {
    SmallHeader.check(bytes, magic: Format.checkpointMagic, size: Format.checkpointHeaderSize, flags: 64)
  }

  /// Reads a header; `nil` when it does not verify, states too long a body, needs a newer program, or belongs to another
  /// journal.
  init?(_ bytes: [UInt8], file: String, of id: JournalID) {
    guard case .sound(let record, id) = Self.header(bytes),
      [32, 40].allSatisfy({ record.integer(at: $0, as: UInt64.self) < Format.numberLimit }),
      record.integer(at: 48, as: UInt64.self) <= UInt64(Format.maximumCheckpointLength)
    else { return nil }
    self.file = file
    sequence = record.integer(at: 32)
    ordinal = record.integer(at: 40)
    bodyLength = record.integer(at: 48)
    chain = record.integer(at: 56)
    bodyChecksum = record.integer(at: 60)
  }

  /// Where a checkpoint says of which event it is.
  static let sequenceRange: Range<UInt64> = 32..<40

  static func name(_ sequence: UInt64) -> String { sequence.padded(to: 20) + ".ckpt" }

  /// Whether a name is a checkpoint's.
  static func isName(_ name: String) -> Bool {
    name.hasSuffix(".ckpt") && name.utf8.count == 25 && SegmentName.number(name.dropLast(5)) != nil
  }
}
