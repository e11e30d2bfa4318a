import WireFormat

/// An envelope that refers to bytes in place: everything folding needs, without allocating.
///
/// Valid only as long as the payload it was read from; it must not escape the function that read it.
@usableFromInline
struct EnvelopeFields {
  @usableFromInline var type: UInt32 = 0
  @usableFromInline var version: UInt32 = 1
  @usableFromInline var moment = Moment(wallNanoseconds: 0)
  @usableFromInline var cause: UInt64 = 0
  @usableFromInline var correlation: UInt64 = 0
  @usableFromInline var process: UInt64 = 0
  @usableFromInline var idempotencyKey = UnsafeRawBufferPointer(start: nil, count: 0)
  @usableFromInline var unknownReaders = UnknownReaderRule.ignorable
  /// The recorded digest, and its scheme.
  @usableFromInline var digest = UnsafeRawBufferPointer(start: nil, count: 0)
  @usableFromInline var digestScheme = DigestScheme.merkle
  @usableFromInline var commandFingerprint = UnsafeRawBufferPointer(start: nil, count: 0)
  @usableFromInline var body = UnsafeRawBufferPointer(start: nil, count: 0)
  @usableFromInline var features = EnvelopeFeatures()
  @usableFromInline var keyCheck = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The fields that did not come in order, once each, such as the rare ones.
  @usableFromInline var rest = UnsafeRawBufferPointer(start: nil, count: 0)

  /// Reads the fields of one envelope until the reader's end.
  @inlinable @inline(__always)
  init(from reader: inout WireReader) throws(WireError) {
    try readInOrder(&reader)
    if !reader.isAtEnd {
      // A copy, so that these fields can stay in registers.
      var fields = self
      try fields.readRest(&reader)
      self = fields
    }
    guard type != 0 else { throw WireError(.missing(field: 1), at: reader.offset) }
  }

  /// Reads the fields that are rare, unknown, repeated or out of order.
  @usableFromInline
  mutating func readRest(_ reader: inout WireReader) throws(WireError) {
    rest = reader.rest
    var attributes = CommandAttributes()
    while let field = try reader.nextField() {
      switch field.number {
      case 1: type = try reader.unsigned(field, as: UInt32.self)
      case 2: version = try reader.unsigned(field, as: UInt32.self)
      case 3: moment.wallNanoseconds = try reader.fixed(field)
      case 4: moment.uptimeNanoseconds = Int64(bitPattern: try reader.unsigned(field))
      case 5: cause = try reader.unsigned(field)
      case 6: correlation = try reader.unsigned(field)
      case 7: process = try reader.unsigned(field)
      case 8: idempotencyKey = try reader.rawBytes(field)
      case 9:
        // A rule from a later version counts as the stricter of the two.
        unknownReaders = try reader.unsigned(field) == 0 ? .ignorable : .mustUnderstand
      case 10: (digest, digestScheme) = (try reader.rawBytes(field), .canonical)
      case 11: commandFingerprint = try reader.rawBytes(field)
      case 12: features = EnvelopeFeatures(rawValue: try reader.unsigned(field))
      case 13: (digest, digestScheme) = (try reader.rawBytes(field), .merkle)
      case 15: body = try reader.rawBytes(field)
      case 18: (digest, digestScheme) = (try reader.rawBytes(field), .listed)
      case 19:
        keyCheck = try reader.rawBytes(field)
        guard keyCheck.count == Sealing.keyCheckLength else {
          throw WireError(.outOfRange(field: 19), at: reader.offset)
        }
      default: if !(try attributes.read(field, from: &reader)) { try reader.skip(field) }
      }
    }
  }

  /// Reads the fields that come in order, once each, as writers emit them, without decoding every tag separately.
  @inlinable @inline(__always)
  mutating func readInOrder(_ fields: inout WireReader) throws(WireError) {
    // A local copy of the reader stays in registers.
    var reader = fields
    defer { fields = reader }
    let first = reader.offset
    if let value = try reader.unsigned(ifNext: 1) { type = try Self.number(value, field: 1, at: first) }
    let second = reader.offset
    if let value = try reader.unsigned(ifNext: 2) { version = try Self.number(value, field: 2, at: second) }
    if let value = try reader.fixed(ifNext: 3) { moment.wallNanoseconds = value }
    if let value = try reader.unsigned(ifNext: 4) { moment.uptimeNanoseconds = Int64(bitPattern: value) }
    if let value = try reader.unsigned(ifNext: 5) { cause = value }
    if let value = try reader.unsigned(ifNext: 6) { correlation = value }
    if let value = try reader.unsigned(ifNext: 7) { process = value }
    if let value = try reader.rawBytes(ifNext: 8) { idempotencyKey = value }
    if let value = try reader.unsigned(ifNext: 9) { unknownReaders = value == 0 ? .ignorable : .mustUnderstand }
    if let value = try reader.rawBytes(ifNext: 10) { (digest, digestScheme) = (value, .canonical) }
    if let value = try reader.rawBytes(ifNext: 11) { commandFingerprint = value }
    if let value = try reader.rawBytes(ifNext: 13) { (digest, digestScheme) = (value, .merkle) }
    if let value = try reader.rawBytes(ifNext: 15) { body = value }
    if let value = try reader.rawBytes(ifNext: 18) { (digest, digestScheme) = (value, .listed) }
  }

  @inlinable @inline(__always)
  static func number(_ value: UInt64, field: Int, at offset: Int) throws(WireError) -> UInt32 {
    guard let number = UInt32(exactly: value) else { throw WireError(.outOfRange(field: field), at: offset) }
    return number
  }
}

extension Envelope {
  /// Copies the fields out of the payload.
  @usableFromInline
  init(_ fields: EnvelopeFields) {
    self.init(type: fields.type, at: fields.moment)
    version = fields.version
    cause = fields.cause
    correlation = fields.correlation
    process = fields.process
    idempotencyKey = [UInt8](fields.idempotencyKey)
    unknownReaders = fields.unknownReaders
    if !fields.digest.isEmpty { digest = RecordedDigest([UInt8](fields.digest), as: fields.digestScheme) }
    commandFingerprint = [UInt8](fields.commandFingerprint)
    features = fields.features
    if !fields.rest.isEmpty {
      if let attributes = try? CommandAttributes(among: fields.rest), !attributes.isEmpty {
        self.attributes = attributes
      }
      keyCheck = [UInt8](fields.keyCheck)
    }
    body = [UInt8](fields.body)
  }

  /// Reads an envelope. Unknown fields are skipped; the journal keeps their bytes.
  public init(from reader: inout WireReader) throws(WireError) {
    self.init(try EnvelopeFields(from: &reader))
  }
}
