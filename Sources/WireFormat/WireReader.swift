/// Reads Protocol Buffers wire format from bytes that the caller keeps alive.
///
/// A reader iterates over the fields of one message. Every length is checked against the remaining bytes before use, so
/// no input makes it trap, loop forever or read outside the buffer.
///
/// ```swift
/// var name = ""
/// while let field = try reader.nextField() {
///   switch field.number {
///   case 1: name = try reader.string(field)
///   default: try reader.skip(field)
///   }
/// }
/// ```
///
/// After ``nextField()`` the caller must read or skip that field's value exactly once. If a field occurs several times
/// although its schema says once, the last occurrence counts. For embedded messages this deviates from Protocol
/// Buffers, whose implementations merge the occurrences; messages with at most one occurrence read the same either way.
///
/// The buffer must outlive the reader: use ``decode(_:_:)-(UnsafeRawBufferPointer,_)`` and do not let the reader escape
/// from its closure. The type is unsafe in that respect only.
public struct WireReader {
  /// A tag: the number and layout of the next field.
  public struct Field: Equatable, Sendable {
    /// The field's number in its schema, 1...536,870,911.
    public let number: Int
    /// The low three bits of its tag, always a supported wire type.
    @usableFromInline let typeBits: UInt8
    /// The offset of its tag, in bytes from the start of the outermost message.
    public let offset: Int

    /// The layout of its value.
    @inlinable public var type: WireType {
      switch typeBits {
      case WireType.varint.rawValue: .varint
      case WireType.fixed64.rawValue: .fixed64
      case WireType.lengthDelimited.rawValue: .lengthDelimited
      default: .fixed32
      }
    }

    @inlinable
    init(number: Int, typeBits: UInt8, offset: Int) {
      self.number = number
      self.typeBits = typeBits
      self.offset = offset
    }
  }

  // Inlined into other modules, because these calls dominate the cost of decoding an event.
  @usableFromInline let buffer: UnsafeRawBufferPointer
  /// The next byte to read, as an index into `buffer`.
  @usableFromInline var position: Int
  /// The index in `buffer` after the last byte of this message, which the buffer would otherwise compute from its two
  /// ends on every access.
  @usableFromInline let end: Int
  /// The offset reported in errors for `buffer[0]`.
  @usableFromInline let base: Int

  /// `buffer` must stay valid and unchanged while the reader is in use.
  @inlinable
  public init(_ buffer: UnsafeRawBufferPointer, base: Int = 0) {
    self.buffer = buffer
    position = 0
    end = buffer.count
    self.base = base
  }

  /// A reader over a message embedded in that of `outer`.
  @inlinable
  init(inside outer: WireReader, from start: Int, to end: Int) {
    buffer = outer.buffer
    position = start
    self.end = end
    base = outer.base
  }

  /// Passes a reader over `bytes` to `body`.
  @inlinable
  public static func decode<Result>(
    _ bytes: UnsafeRawBufferPointer, _ body: (inout WireReader) throws(WireError) -> Result
  ) throws(WireError) -> Result {
    var reader = WireReader(bytes)
    return try body(&reader)
  }

  /// Passes a reader over `bytes` to `body`.
  @inlinable
  public static func decode<Result>(
    _ bytes: [UInt8], _ body: (inout WireReader) throws(WireError) -> Result
  ) throws(WireError) -> Result {
    try bytes.span.withUnsafeBytes { (buffer) throws(WireError) -> Result in
      var reader = WireReader(buffer)
      return try body(&reader)
    }
  }

  /// Reads a varint without a tag, from bytes that are not a message.
  package mutating func number() throws(WireError) -> UInt64 { try varint() }

  /// Reads a length without a tag, and skips that many bytes, which the returned reader reads.
  package mutating func part() throws(WireError) -> WireReader {
    let start = try skipLength(after: offset)
    return WireReader(inside: self, from: start, to: position)
  }

  /// Whether every byte has been read.
  @inlinable public var isAtEnd: Bool { position == end }

  /// Number of bytes left in this message; never negative.
  @inlinable var left: Int { end &- position }

  /// The offset of the next byte from the start of the outermost message.
  @inlinable public var offset: Int { base &+ position }

  /// The bytes of this message that have not been read.
  public var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[position..<end]) }

  /// The value of a length-delimited field, which stays to be read; empty if it has none.
  public func peekBytes(_ field: Field) -> UnsafeRawBufferPointer {
    var ahead = self
    return (try? ahead.rawBytes(field)) ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// Reads the next tag; `nil` at the end of the message.
  @inlinable
  public mutating func nextField() throws(WireError) -> Field? {
    guard position < end else { return nil }
    // Most tags are one byte.
    let tag = buffer[position]
    guard tag < 0x80, tag > 7, WireType.isInUse(tag) else { return try fieldWithLongTag() }
    defer { position += 1 }
    return Field(number: Int(tag >> 3), typeBits: tag & 7, offset: offset)
  }

  /// Reads a tag of any length.
  @usableFromInline
  mutating func fieldWithLongTag() throws(WireError) -> Field {
    let start = offset
    let tag = try varint()
    let number = Int(truncatingIfNeeded: tag >> 3)
    guard WireType.isInUse(UInt8(truncatingIfNeeded: tag)), number > 0, number <= Self.maximumFieldNumber else {
      throw Self.problem(ofTag: tag, at: start)
    }
    return Field(number: number, typeBits: UInt8(truncatingIfNeeded: tag & 7), offset: start)
  }

  /// Reads the next field if it is a `uint64` with this number, from 1 to 15; otherwise reads nothing.
  ///
  /// For messages that are read in large numbers, because writers emit fields in the order of their numbers.
  @inlinable @inline(__always)
  public mutating func unsigned(ifNext number: Int) throws(WireError) -> UInt64? {
    guard consumeTag(number, .varint) else { return nil }
    return try varint()
  }

  /// Reads the next field if it is an `sfixed64` with this number, from 1 to 15; otherwise reads nothing.
  @inlinable @inline(__always)
  public mutating func fixed(ifNext number: Int) throws(WireError) -> Int64? {
    guard consumeTag(number, .fixed64) else { return nil }
    let start = try advance(8)
    return Int64(littleEndian: buffer.loadUnaligned(fromByteOffset: start, as: Int64.self))
  }

  /// Reads the next field if it is `bytes` with this number, from 1 to 2,047, as ``rawBytes(_:)`` does; otherwise reads
  /// nothing.
  @inlinable @inline(__always)
  public mutating func rawBytes(ifNext number: Int) throws(WireError) -> UnsafeRawBufferPointer? {
    guard let field = field(ifNext: number, .lengthDelimited) else { return nil }
    return try rawBytes(after: field.offset)
  }

  /// Takes the tag of the next field when it has this number, from 1 to 2,047, and this layout; otherwise nothing is read.
  ///
  /// For the fields of a message in the order in which writers put them.
  @inlinable @inline(__always)
  public mutating func field(ifNext number: Int, _ type: WireType) -> Field? {
    let start = offset
    if number < 16 {
      guard consumeTag(number, type) else { return nil }
    } else {
      let tag = number << 3 | Int(type.rawValue)
      guard left >= 2, Int(buffer[position]) == tag & 0x7F | 0x80, Int(buffer[position &+ 1]) == tag >> 7,
        number < 2048
      else { return nil }
      position &+= 2
    }
    return Field(number: number, typeBits: type.rawValue, offset: start)
  }

  /// Whether the next byte is the tag of such a field, which is taken then.
  @inlinable @inline(__always)
  mutating func consumeTag(_ number: Int, _ type: WireType) -> Bool {
    guard position < end, Int(buffer[position]) == number << 3 | Int(type.rawValue), number < 16 else {
      return false
    }
    position += 1
    return true
  }

  /// The greatest number that a field can have; the least is 1.
  @inlinable public static var maximumFieldNumber: Int { 536_870_911 }

  @usableFromInline
  static func problem(ofTag tag: UInt64, at offset: Int) -> WireError {
    let bits = UInt8(tag & 7)
    if !WireType.isInUse(bits) { return WireError(.unknownWireType(bits), at: offset) }
    return WireError(tag >> 3 == 0 ? .fieldNumberZero : .varintTooLong, at: offset)
  }

  /// Reads a `uint64` or enumeration value.
  @inlinable @inline(__always)
  public mutating func unsigned(_ field: Field) throws(WireError) -> UInt64 {
    try expect(.varint, field)
    return try varint()
  }

  /// Reads a varint that must fit `type`.
  @inlinable @inline(__always)
  public mutating func unsigned<Number: FixedWidthInteger>(
    _ field: Field, as type: Number.Type
  ) throws(WireError) -> Number {
    guard let number = Number(exactly: try unsigned(field)) else {
      throw WireError(.outOfRange(field: field.number), at: field.offset)
    }
    return number
  }

  /// Reads a `sint64` value (zigzag).
  @inlinable
  public mutating func signed(_ field: Field) throws(WireError) -> Int64 {
    let raw = try unsigned(field)
    return Int64(bitPattern: (raw >> 1) ^ (0 &- (raw & 1)))
  }

  /// Reads an `sfixed64` value.
  @inlinable
  public mutating func fixed(_ field: Field) throws(WireError) -> Int64 {
    try expect(.fixed64, field)
    let start = try advance(8)
    return Int64(littleEndian: buffer.loadUnaligned(fromByteOffset: start, as: Int64.self))
  }

  /// Reads a `bool` value: any number except 0 is true.
  @inlinable
  public mutating func bool(_ field: Field) throws(WireError) -> Bool {
    try unsigned(field) != 0
  }

  /// Reads a `string` value; throws if the bytes are not UTF-8.
  public mutating func string(_ field: Field) throws(WireError) -> String {
    let bytes = try rawBytes(field)
    if Self.isASCII(bytes) { return String(decoding: bytes, as: UTF8.self) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw WireError(.invalidUTF8(field: field.number), at: field.offset)
    }
    return text
  }

  /// Most text is ASCII and needs no further validation.
  private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var bits: UInt64 = 0
    var place = 0
    while place + 8 <= bytes.count {
      bits |= bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      place += 8
    }
    while place < bytes.count {
      bits |= UInt64(bytes[place])
      place += 1
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }

  /// Reads a `bytes` value into an array.
  public mutating func bytes(_ field: Field) throws(WireError) -> [UInt8] {
    [UInt8](try rawBytes(field))
  }

  /// Reads a `bytes` value without copying it; the result is valid as long as the reader's buffer.
  @inlinable
  public mutating func rawBytes(_ field: Field) throws(WireError) -> UnsafeRawBufferPointer {
    try expect(.lengthDelimited, field)
    return try rawBytes(after: field.offset)
  }

  /// Reads a length and that many bytes, after a tag that begins at `tag`.
  @inlinable @inline(__always)
  mutating func rawBytes(after tag: Int) throws(WireError) -> UnsafeRawBufferPointer {
    let start = try skipLength(after: tag)
    return UnsafeRawBufferPointer(start: buffer.baseAddress.map { $0 + start }, count: position - start)
  }

  /// Reads a length and skips that many bytes, after a tag that begins at `tag`. Returns their index in `buffer`.
  @inlinable @inline(__always)
  mutating func skipLength(after tag: Int) throws(WireError) -> Int {
    let length = try varint()
    guard length <= UInt64(truncatingIfNeeded: left) else { throw WireError(.truncated, at: tag) }
    defer { position &+= Int(truncatingIfNeeded: length) }
    return position
  }

  /// Reads an embedded message with `body`, which receives a reader limited to that message.
  @inlinable
  public mutating func message<Result>(
    _ field: Field, _ body: (inout WireReader) throws(WireError) -> Result
  ) throws(WireError) -> Result {
    try expect(.lengthDelimited, field)
    let start = try skipLength(after: field.offset)
    var inner = WireReader(inside: self, from: start, to: position)
    return try body(&inner)
  }

  /// Skips the value of an unknown field.
  @inlinable
  public mutating func skip(_ field: Field) throws(WireError) {
    switch field.type {
    case .varint: _ = try varint()
    case .fixed64: _ = try advance(8)
    case .fixed32: _ = try advance(4)
    case .lengthDelimited: _ = try rawBytes(field)
    }
  }

  /// Skips a field and returns its bytes, tag included, so that it can be written again unchanged.
  public mutating func skipCopying(_ field: Field) throws(WireError) -> [UInt8] {
    [UInt8](try skipRaw(field))
  }

  /// Skips a field and returns its bytes, tag included, without copying them; they are valid as long as the reader's
  /// buffer.
  public mutating func skipRaw(_ field: Field) throws(WireError) -> UnsafeRawBufferPointer {
    try skip(field)
    return encoded(field)
  }

  /// The bytes of the field read last, tag included, without copying them; they are valid as long as the reader's
  /// buffer.
  public func encoded(_ field: Field) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer[(field.offset - base)..<position])
  }

  @inlinable @inline(__always)
  func expect(_ type: WireType, _ field: Field) throws(WireError) {
    guard field.typeBits == type.rawValue else {
      throw WireError(.wrongWireType(field: field.number), at: field.offset)
    }
  }

  @inlinable @inline(__always)
  mutating func advance(_ count: Int) throws(WireError) -> Int {
    guard count <= left else { throw WireError(.truncated, at: offset) }
    defer { position &+= count }
    return position
  }

  @inlinable @inline(__always)
  mutating func varint() throws(WireError) -> UInt64 {
    if position < end {
      let first = buffer[position]
      if first < 0x80 {
        position += 1
        return UInt64(first)
      }
    }
    let (number, next) = try longVarint()
    position = next
    return number
  }

  /// The next varint, of any length, and the index after it. Moves nothing, so that a reader can stay in registers.
  @usableFromInline
  func longVarint() throws(WireError) -> (number: UInt64, next: Int) {
    let start = position
    if left >= 2, buffer[start + 1] < 0x80 {
      return (UInt64(buffer[start] & 0x7F) | UInt64(buffer[start + 1]) << 7, start + 2)
    }
    if left >= 8 {
      // Examines eight bytes at once; a byte without its high bit ends the number.
      let bytes = UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: start, as: UInt64.self))
      let ends = ~bytes & 0x8080_8080_8080_8080
      if ends != 0 {
        let next = start + (ends.trailingZeroBitCount >> 3) + 1
        // Removes the bytes after it and the high bits, then joins eight 7-bit groups into four of 14, two of 28, and
        // one of 56.
        var groups = bytes & (ends ^ (ends &- 1)) & 0x7F7F_7F7F_7F7F_7F7F
        groups = groups & 0x007F_007F_007F_007F | (groups & 0x7F00_7F00_7F00_7F00) >> 1
        groups = groups & 0x0000_3FFF_0000_3FFF | (groups & 0x3FFF_0000_3FFF_0000) >> 2
        return (groups & 0x0000_0000_0FFF_FFFF | (groups & 0x0FFF_FFFF_0000_0000) >> 4, next)
      }
    }
    var value: UInt64 = 0
    var shift: UInt64 = 0
    var next = start
    while next < end {
      let byte = buffer[next]
      next += 1
      // The tenth byte holds only the 64th bit.
      if shift == 63 && byte > 1 { throw WireError(.varintTooLong, at: base + start) }
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return (value, next) }
      shift += 7
    }
    throw WireError(.truncated, at: base + start)
  }
}
