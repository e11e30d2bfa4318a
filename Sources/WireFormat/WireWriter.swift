/// Writes Protocol Buffers wire format into a growing buffer of bytes.
///
/// The encoding is deterministic as long as the caller writes fields in the order of their numbers: every integer has
/// one shortest form, and a field that holds its default value (zero, `false`, empty) is left out, as proto3 does.
///
/// ```swift
/// var writer = WireWriter()
/// writer.write(7, string: "a1")
/// writer.write(9, message: { $0.write(1, unsigned: 42) })
/// writer.bytes  // 3a 02 61 31 4a 02 08 2a
/// ```
///
/// Field numbers run from 1 to 536,870,911; another number is a caller's bug and stops the program.
public struct WireWriter: Sendable {
  // Callers in other modules compile what follows into their own code: encoding an event is mostly this.
  @usableFromInline var buffer: [UInt8] = []

  /// Everything written so far.
  @inlinable public var bytes: [UInt8] { buffer }

  /// Creates an empty writer.
  @inlinable
  public init() {}

  /// Forgets what was written and keeps the storage, so that one buffer serves many messages.
  @inlinable
  public mutating func removeAll() {
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes a `uint64`, `uint32` or enumeration field. Zero is left out.
  @inlinable
  public mutating func write(_ field: Int, unsigned value: UInt64) {
    guard value != 0 else { return }
    tag(field, .varint)
    varint(value)
  }

  /// Writes a `sint64` field (zigzag, so that small negative numbers stay short). Zero is left out.
  @inlinable
  public mutating func write(_ field: Int, signed value: Int64) {
    guard value != 0 else { return }
    tag(field, .varint)
    varint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  /// Writes an `sfixed64` field: eight bytes whatever the value. Zero is left out.
  @inlinable
  public mutating func write(_ field: Int, fixed value: Int64) {
    guard value != 0 else { return }
    tag(field, .fixed64)
    withUnsafeBytes(of: value.littleEndian) { buffer.append(contentsOf: $0) }
  }

  /// Writes a `bool` field. `false` is left out.
  @inlinable
  public mutating func write(_ field: Int, bool value: Bool) {
    write(field, unsigned: value ? 1 : 0)
  }

  /// Writes a `string` field as UTF-8. An empty string is left out.
  @inlinable
  public mutating func write(_ field: Int, string value: String) {
    guard !value.isEmpty else { return }
    writePresent(field, string: value)
  }

  /// Writes a `string` field even when it is empty: an element of a `repeated` field, or an `optional` one.
  @inlinable
  public mutating func writePresent(_ field: Int, string value: String) {
    tag(field, .lengthDelimited)
    varint(UInt64(value.utf8.count))
    buffer.append(contentsOf: value.utf8)
  }

  /// Writes a varint field even when it is zero: an element of a `repeated` field that is not packed, or an `optional`.
  @inlinable
  public mutating func writePresent(_ field: Int, unsigned value: UInt64) {
    tag(field, .varint)
    varint(value)
  }

  /// Writes a `sint64` field even when it is zero, as an `optional` field needs.
  @inlinable
  public mutating func writePresent(_ field: Int, signed value: Int64) {
    tag(field, .varint)
    varint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  /// Writes an `sfixed64` field even when it is zero, as an `optional` field needs.
  @inlinable
  public mutating func writePresent(_ field: Int, fixed value: Int64) {
    tag(field, .fixed64)
    withUnsafeBytes(of: value.littleEndian) { buffer.append(contentsOf: $0) }
  }

  /// Writes a `bytes` field. Empty bytes are left out.
  @inlinable
  public mutating func write(_ field: Int, bytes value: some Collection<UInt8>) {
    guard !value.isEmpty else { return }
    tag(field, .lengthDelimited)
    varint(UInt64(value.count))
    buffer.append(contentsOf: value)
  }

  /// Writes an embedded message, also when it is empty: its presence is information.
  ///
  /// The body is written in place behind one byte for its length; where the length needs more, the body is moved.
  @inlinable
  public mutating func write<Failure: Error>(
    _ field: Int, message body: (inout WireWriter) throws(Failure) -> Void
  ) throws(Failure) {
    tag(field, .lengthDelimited)
    let start = buffer.count
    buffer.append(0)
    try body(&self)
    insertLength(at: start)
  }

  /// Puts the length of everything behind the byte at `start` in that byte's place.
  @usableFromInline
  mutating func insertLength(at start: Int) {
    let length = buffer.count - start - 1
    if length < 0x80 {
      buffer[start] = UInt8(truncatingIfNeeded: length)
      return
    }
    var prefix = WireWriter()
    prefix.varint(UInt64(length))
    buffer.replaceSubrange(start...start, with: prefix.buffer)
  }

  /// Writes fields that were encoded before, as they are: the unknown fields of a message that is passed on.
  @inlinable
  public mutating func append(encoded fields: some Sequence<UInt8>) {
    buffer.append(contentsOf: fields)
  }

  @inlinable
  mutating func tag(_ field: Int, _ type: WireType) {
    precondition(field >= 1 && field <= 536_870_911, "a field number lies outside 1...536870911")
    varint(UInt64(field) << 3 | UInt64(type.rawValue))
  }

  @inlinable
  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      buffer.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    buffer.append(UInt8(truncatingIfNeeded: rest))
  }
}
