/// Writes Protocol Buffers wire format into a growing buffer.
///
/// The encoding is deterministic as long as the caller writes fields in the order of their numbers: every integer has
/// one shortest form, and a field that holds its default value (zero, `false`, empty) is omitted, as in proto3.
///
/// ```swift
/// var writer = WireWriter()
/// writer.write(7, string: "a1")
/// writer.write(9, message: { $0.write(1, unsigned: 42) })
/// writer.bytes  // 3a 02 61 31 4a 02 08 2a
/// ```
///
/// Field numbers range from 1 to 536,870,911; any other number is a caller's bug and stops the program.
public struct WireWriter: Sendable {
  // Written bytes followed by reserved space: storing a field checks the buffer once, whereas an array that grows byte
  // by byte would check uniqueness and capacity for every byte.
  @usableFromInline var buffer: [UInt8] = []
  /// Number of bytes written to the buffer.
  @usableFromInline var length = 0

  /// Everything written so far. O(n): a copy, unlike ``withBytes(_:)``.
  public var bytes: [UInt8] { length == buffer.count ? buffer : [UInt8](buffer[..<length]) }

  /// The number of bytes written so far.
  @inlinable public var count: Int { length }

  /// Whether nothing has been written.
  @inlinable public var isEmpty: Bool { length == 0 }

  /// Starts empty, without allocating.
  @inlinable
  public init() {}

  /// Passes everything written so far to `body`, without copying it.
  @inlinable
  public func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let length = length
    return try buffer.span.withUnsafeBytes { (bytes) throws(Failure) in
      try body(UnsafeRawBufferPointer(rebasing: bytes[..<length]))
    }
  }

  /// Whether exactly these bytes have been written.
  public func holds(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard length == bytes.count else { return false }
    return withBytes { written in
      var differences: UInt64 = 0
      var place = 0
      while place + 8 <= bytes.count {
        differences |=
          written.loadUnaligned(fromByteOffset: place, as: UInt64.self)
          ^ bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        place += 8
      }
      while place < bytes.count {
        differences |= UInt64(written[place] ^ bytes[place])
        place += 1
      }
      return differences == 0
    }
  }

  /// Discards everything written but keeps the storage, so that one buffer serves many messages.
  @inlinable
  public mutating func removeAll() {
    length = 0
  }

  /// Writes a `uint64`, `uint32` or enumeration field. Zero is omitted.
  @inlinable
  public mutating func write(_ field: Int, unsigned value: UInt64) {
    if value != 0 { put(Self.tag(field, .varint), value) }
  }

  /// Writes a `sint64` field (zigzag, so that small negative numbers stay short). Zero is omitted.
  @inlinable
  public mutating func write(_ field: Int, signed value: Int64) {
    if value != 0 { writePresent(field, signed: value) }
  }

  /// Writes an `sfixed64` field, always eight bytes. Zero is omitted.
  @inlinable
  public mutating func write(_ field: Int, fixed value: Int64) {
    if value != 0 { writePresent(field, fixed: value) }
  }

  /// Writes a `bool` field. `false` is omitted.
  @inlinable
  public mutating func write(_ field: Int, bool value: Bool) {
    write(field, unsigned: value ? 1 : 0)
  }

  /// Writes a `string` field as UTF-8. An empty string is omitted.
  @inlinable
  public mutating func write(_ field: Int, string value: String) {
    if !value.isEmpty { writePresent(field, string: value) }
  }

  /// Writes a `string` field even if it is empty: an element of a `repeated` field, or an `optional` one.
  @inlinable
  public mutating func writePresent(_ field: Int, string value: String) {
    let text = value.utf8
    put(Self.tag(field, .lengthDelimited), UInt64(text.count))
    append(encoded: text)
  }

  /// Writes a varint field even if it is zero: an element of an unpacked `repeated` field, or an `optional` one.
  @inlinable
  public mutating func writePresent(_ field: Int, unsigned value: UInt64) {
    put(Self.tag(field, .varint), value)
  }

  /// Writes a `sint64` field even if it is zero, as an `optional` field requires.
  @inlinable
  public mutating func writePresent(_ field: Int, signed value: Int64) {
    put(Self.tag(field, .varint), UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  /// Writes an `sfixed64` field even if it is zero, as an `optional` field requires.
  @inlinable
  public mutating func writePresent(_ field: Int, fixed value: Int64) {
    put(Self.tag(field, .fixed64), fixed: value)
  }

  /// Writes a `bytes` field. Empty bytes are omitted.
  @inlinable
  public mutating func write(_ field: Int, bytes value: some Collection<UInt8>) {
    guard !value.isEmpty else { return }
    put(Self.tag(field, .lengthDelimited), UInt64(value.count))
    append(encoded: value)
  }

  /// Writes an embedded message even if it is empty: its presence carries information.
  ///
  /// The body is written in place after a one-byte length; if the length needs more bytes, the body is moved.
  @inlinable
  public mutating func write<Failure: Error>(
    _ field: Int, message body: (inout WireWriter) throws(Failure) -> Void
  ) throws(Failure) {
    put(Self.tag(field, .lengthDelimited), 0)
    let start = length
    try body(&self)
    insertLength(of: start)
  }

  /// Writes an embedded message in place, as ``write(_:message:)`` does, unless it is empty.
  @inlinable
  public mutating func writeUnlessEmpty(_ field: Int, message body: (inout WireWriter) -> Void) {
    let before = length
    put(Self.tag(field, .lengthDelimited), 0)
    let start = length
    body(&self)
    if length == start { length = before } else { insertLength(of: start) }
  }

  /// Writes already encoded fields unchanged, such as the unknown fields of a message that is passed on.
  @inlinable
  public mutating func append(encoded fields: some Sequence<UInt8>) {
    if fields.withContiguousStorageIfAvailable({ append(UnsafeRawBufferPointer($0)) }) != nil { return }
    for byte in fields { withUnsafeBytes(of: byte) { append($0) } }
  }

  @inlinable
  static func tag(_ field: Int, _ type: WireType) -> UInt64 {
    precondition(field >= 1 && field <= 536_870_911, "a field number is outside 1...536870911")
    return UInt64(field) << 3 | UInt64(type.rawValue)
  }
}

extension WireWriter {
  /// The length of the longest varint, in bytes.
  private static var longestVarint: Int { 10 }

  /// Ensures that `count` bytes fit after what was written.
  @inline(__always)
  private mutating func reserve(_ count: Int) {
    if buffer.count - length < count { grow(by: count) }
  }

  private mutating func grow(by count: Int) {
    let capacity = max(2 * buffer.count, length + count, 64)
    buffer.append(contentsOf: repeatElement(0, count: capacity - buffer.count))
  }

  /// The varint of the lowest 56 bits of a number, its first byte lowest, and the index of its last byte. The costly part of a
  /// loop would be its exit, which the processor cannot predict.
  @inline(__always)
  private static func varint(_ value: UInt64) -> (bytes: UInt64, last: Int) {
    // Splits one group of 56 bits into two of 28, four of 14, and eight of 7.
    var groups = value & 0x0000_0000_0FFF_FFFF | (value & 0x00FF_FFFF_F000_0000) << 4
    groups = groups & 0x0000_3FFF_0000_3FFF | (groups & 0x0FFF_C000_0FFF_C000) << 2
    groups = groups & 0x007F_007F_007F_007F | (groups & 0x3F80_3F80_3F80_3F80) << 1
    let last = (63 &- (groups | 1).leadingZeroBitCount) &>> 3
    // Every byte but the last has its high bit.
    return (groups | 0x8080_8080_8080_8080 & (1 &<< UInt64(last &* 8) &- 1), last)
  }

  /// Stores a varint, for which there must be room for ``longestVarint`` bytes, and returns the index after it.
  @inline(__always)
  private static func store(_ value: UInt64, in bytes: UnsafeMutableRawBufferPointer, at place: Int) -> Int {
    if value < 0x80 {
      bytes[place] = UInt8(truncatingIfNeeded: value)
      return place + 1
    }
    let (varint, last) = Self.varint(value)
    let high = value >> 56
    if high == 0 {
      bytes.storeBytes(of: varint.littleEndian, toByteOffset: place, as: UInt64.self)
      return place + last + 1
    }
    bytes.storeBytes(of: (varint | 0x8080_8080_8080_8080).littleEndian, toByteOffset: place, as: UInt64.self)
    // The highest bit of a number is both the high bit of the ninth byte and the tenth byte.
    bytes[place + 8] = UInt8(truncatingIfNeeded: high)
    guard high >= 0x80 else { return place + 9 }
    bytes[place + 9] = 1
    return place + 10
  }

  /// Appends a varint without a tag, for bytes that are not a message.
  package mutating func append(number: UInt64) {
    reserve(Self.longestVarint)
    let place = length
    length = buffer.withUnsafeMutableBytes { Self.store(number, in: $0, at: place) }
  }

  /// Writes two varints.
  @usableFromInline
  mutating func put(_ tag: UInt64, _ value: UInt64) {
    reserve(2 * Self.longestVarint)
    // Nearly every tag and most values have one byte.
    guard tag | value < 0x80 else { return putLong(tag, value) }
    let place = length
    buffer.withUnsafeMutableBytes { bytes in
      let both = UInt16(truncatingIfNeeded: tag | value << 8)
      bytes.storeBytes(of: both.littleEndian, toByteOffset: place, as: UInt16.self)
    }
    length = place + 2
  }

  /// Writes two varints of any length, for which there is room.
  @inline(never)
  private mutating func putLong(_ tag: UInt64, _ value: UInt64) {
    let place = length
    length = buffer.withUnsafeMutableBytes { bytes in
      Self.store(value, in: bytes, at: Self.store(tag, in: bytes, at: place))
    }
  }

  /// Writes a varint and eight bytes.
  @usableFromInline
  mutating func put(_ tag: UInt64, fixed value: Int64) {
    reserve(Self.longestVarint + 8)
    let place = length
    length = buffer.withUnsafeMutableBytes { bytes in
      let place = Self.store(tag, in: bytes, at: place)
      bytes.storeBytes(of: value.littleEndian, toByteOffset: place, as: Int64.self)
      return place + 8
    }
  }

  /// Writes bytes unchanged.
  @usableFromInline
  mutating func append(_ source: UnsafeRawBufferPointer) {
    reserve(source.count)
    let place = length
    buffer.withUnsafeMutableBytes { bytes in
      UnsafeMutableRawBufferPointer(rebasing: bytes[place..<(place + source.count)]).copyMemory(from: source)
    }
    length = place + source.count
  }

  /// Stores the length of everything from `start` on in the byte before it, making room if it needs more bytes.
  @usableFromInline
  mutating func insertLength(of start: Int) {
    let size = length - start
    if size < 0x80 {
      buffer[start - 1] = UInt8(truncatingIfNeeded: size)
      return
    }
    reserve(Self.longestVarint)
    length = buffer.withUnsafeMutableBytes { bytes in
      let (varint, added) = Self.varint(UInt64(size))
      UnsafeMutableRawBufferPointer(rebasing: bytes[(start + added)..<(start + added + size)])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<(start + size)]))
      withUnsafeBytes(of: varint.littleEndian) {
        UnsafeMutableRawBufferPointer(rebasing: bytes[(start - 1)...(start - 1 + added)])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[...added]))
      }
      return start + added + size
    }
  }
}
