/// Makes binary property lists by hand, right and wrong ones.
struct BinaryFile {
  /// The bytes of each object, its marker first. References are one byte long.
  var objects: [[UInt8]]
  /// How many bytes an offset has; at least what the file needs.
  var offsetSize = 2
  /// What the trailer says instead of the truth.
  var trailer: (inout [UInt8]) -> Void = { _ in }

  /// The file, whose outermost object is the first.
  var bytes: [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object
    }
    let table = bytes.count
    for offset in offsets { bytes += Self.number(UInt64(offset), size: offsetSize) }
    var end: [UInt8] = [0, 0, 0, 0, 0, 0, UInt8(offsetSize), 1]
    end += Self.number(UInt64(objects.count), size: 8) + Self.number(0, size: 8) + Self.number(UInt64(table), size: 8)
    trailer(&end)
    return bytes + end
  }

  /// A number, highest byte first.
  static func number(_ value: UInt64, size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (size - 1 - $0))) }
  }

  /// An ASCII text of fewer than 15 characters.
  static func text(_ text: String) -> [UInt8] { [0x50 | UInt8(text.utf8.count)] + Array(text.utf8) }
}
