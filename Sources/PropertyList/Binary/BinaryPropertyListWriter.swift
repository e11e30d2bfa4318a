/// Writes the binary form as CoreFoundation does: each scalar once, keys before values, and numbers in as few bytes as hold
/// them.
struct BinaryPropertyListWriter {
  /// What can stand for two values with the same meaning.
  private enum Scalar: Hashable {
    case string([UInt8]), integer(Int64), unsigned(UInt64), real(UInt64), bool(Bool), date(UInt64), data([UInt8])
  }

  private enum Object {
    case scalar(PropertyListValue.Content)
    case array([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  private var objects: [Object] = []
  private var numbers: [Scalar: Int] = [:]

  /// The file with this outermost value.
  static func bytes(of root: PropertyListValue) -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    _ = writer.number(of: root)
    return writer.bytes
  }

  // MARK: Objects

  private mutating func number(of value: PropertyListValue) -> Int {
    let scalar: Scalar
    switch value.content {
    case .array(let elements):
      let number = reserve()
      objects[number] = .array(elements.map { self.number(of: $0) })
      return number
    case .dictionary(let dictionary):
      let number = reserve()
      let keys = dictionary.entries.map { self.number(of: PropertyListValue(.string($0.key))) }
      objects[number] = .dictionary(keys: keys, values: dictionary.entries.map { self.number(of: $0.value) })
      return number
    case .string(let text): scalar = .string(Array(text.utf8))
    case .integer(let number): scalar = .integer(number)
    case .unsigned(let number): scalar = .unsigned(number)
    case .real(let number): scalar = .real(number.bitPattern)
    case .bool(let flag): scalar = .bool(flag)
    case .date(let seconds): scalar = .date(seconds.bitPattern)
    case .data(let bytes): scalar = .data(bytes)
    }
    if let known = numbers[scalar] { return known }
    let number = reserve()
    numbers[scalar] = number
    objects[number] = .scalar(value.content)
    return number
  }

  /// A container's number precedes those of its parts.
  private mutating func reserve() -> Int {
    objects.append(.array([]))
    return objects.count - 1
  }

  // MARK: Bytes

  private var bytes: [UInt8] {
    let referenceSize = Self.size(of: UInt64(objects.count))
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      switch object {
      case .scalar(let content): bytes += Self.bytes(of: content)
      case .array(let elements):
        bytes += Self.marker(0xA, elements.count)
        for element in elements { bytes += Self.number(UInt64(element), referenceSize) }
      case .dictionary(let keys, let values):
        bytes += Self.marker(0xD, keys.count)
        for reference in keys + values { bytes += Self.number(UInt64(reference), referenceSize) }
      }
    }
    let table = bytes.count
    let offsetSize = Self.size(of: UInt64(table))
    for offset in offsets { bytes += Self.number(UInt64(offset), offsetSize) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    for value in [objects.count, 0, table] { bytes += Self.number(UInt64(value), 8) }
    return bytes
  }

  private static func bytes(of content: PropertyListValue.Content) -> [UInt8] {
    switch content {
    case .bool(let flag): return [flag ? 0x09 : 0x08]
    case .integer(let value):
      return value < 0 ? [0x13] + number(UInt64(bitPattern: value), 8) : integer(UInt64(value))
    // Sixteen bytes: one with eight would be negative.
    case .unsigned(let value): return [0x14] + number(0, 8) + number(value, 8)
    case .real(let value): return [0x23] + number(value.bitPattern, 8)
    case .date(let seconds): return [0x33] + number(seconds.bitPattern, 8)
    case .data(let data): return marker(0x4, data.count) + data
    case .string(let text):
      if text.utf8.allSatisfy({ $0 < 0x80 }) { return marker(0x5, text.utf8.count) + Array(text.utf8) }
      let units = Array(text.utf16)
      return marker(0x6, units.count) + units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    case .array, .dictionary: return []
    }
  }

  /// A marker with a length, which follows as a number if it is 15 or more.
  private static func marker(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind << 4 | UInt8(count)] : [kind << 4 | 0xF] + integer(UInt64(count))
  }

  private static func integer(_ value: UInt64) -> [UInt8] {
    let size = size(of: value)
    return [0x10 | UInt8(size.trailingZeroBitCount)] + number(value, size)
  }

  /// How many bytes a number takes: 1, 2, 4 or 8.
  private static func size(of value: UInt64) -> Int {
    value <= 0xFF ? 1 : value <= 0xFFFF ? 2 : value <= 0xFFFF_FFFF ? 4 : 8
  }

  /// A number, most significant byte first.
  private static func number(_ value: UInt64, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (size - 1 - $0))) }
  }
}
