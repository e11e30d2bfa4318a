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
  /// Everything written so far.
  public private(set) var bytes: [UInt8] = []

  /// Creates an empty writer.
  public init() {}

  /// Forgets what was written and keeps the storage, so that one buffer serves many messages.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes a `uint64`, `uint32` or enumeration field. Zero is left out.
  public mutating func write(_ field: Int, unsigned value: UInt64) {
    guard value != 0 else { return }
    tag(field, .varint)
    varint(value)
  }

  /// Writes a `sint64` field (zigzag, so that small negative numbers stay short). Zero is left out.
  public mutating func write(_ field: Int, signed value: Int64) {
    guard value != 0 else { return }
    tag(field, .varint)
    varint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  /// Writes an `sfixed64` field: eight bytes whatever the value. Zero is left out.
  public mutating func write(_ field: Int, fixed value: Int64) {
    guard value != 0 else { return }
    tag(field, .fixed64)
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Writes a `bool` field. `false` is left out.
  public mutating func write(_ field: Int, bool value: Bool) {
    write(field, unsigned: value ? 1 : 0)
  }

  /// Writes a `string` field as UTF-8. An empty string is left out.
  public mutating func write(_ field: Int, string value: String) {
    guard !value.isEmpty else { return }
    writePresent(field, string: value)
  }

  /// Writes a `string` field even when it is empty: an element of a `repeated` field, or an `optional` one.
  public mutating func writePresent(_ field: Int, string value: String) {
    tag(field, .lengthDelimited)
    varint(UInt64(value.utf8.count))
    bytes.append(contentsOf: value.utf8)
  }

  /// Writes a varint field even when it is zero: an element of a `repeated` field that is not packed, or an `optional`.
  public mutating func writePresent(_ field: Int, unsigned value: UInt64) {
    tag(field, .varint)
    varint(value)
  }

  /// Writes a `sint64` field even when it is zero, as an `optional` field needs.
  public mutating func writePresent(_ field: Int, signed value: Int64) {
    tag(field, .varint)
    varint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  /// Writes an `sfixed64` field even when it is zero, as an `optional` field needs.
  public mutating func writePresent(_ field: Int, fixed value: Int64) {
    tag(field, .fixed64)
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Writes a `bytes` field. Empty bytes are left out.
  public mutating func write(_ field: Int, bytes value: some Collection<UInt8>) {
    guard !value.isEmpty else { return }
    tag(field, .lengthDelimited)
    varint(UInt64(value.count))
    bytes.append(contentsOf: value)
  }

  /// Writes an embedded message, also when it is empty: its presence is information.
  ///
  /// The body is written in place; its length is put before it afterwards, which moves the body by one to four bytes.
  public mutating func write<Failure: Error>(
    _ field: Int, message body: (inout WireWriter) throws(Failure) -> Void
  ) throws(Failure) {
    tag(field, .lengthDelimited)
    let start = bytes.count
    try body(&self)
    let length = bytes.count - start
    if length < 0x80 {
      bytes.insert(UInt8(truncatingIfNeeded: length), at: start)
      return
    }
    var prefix = WireWriter()
    prefix.varint(UInt64(length))
    bytes.insert(contentsOf: prefix.bytes, at: start)
  }

  /// Writes fields that were encoded before, as they are: the unknown fields of a message that is passed on.
  public mutating func append(encoded fields: some Sequence<UInt8>) {
    bytes.append(contentsOf: fields)
  }

  private mutating func tag(_ field: Int, _ type: WireType) {
    precondition(field >= 1 && field <= 536_870_911, "a field number lies outside 1...536870911")
    varint(UInt64(field) << 3 | UInt64(type.rawValue))
  }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}
