/// Bytes as text, for JSON and other texts (RFC 4648, section 4).
package enum Base64 {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")
  /// The value of each letter; 255 for the others.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (index, letter) in letters.enumerated() { values[Int(letter)] = UInt8(index) }
    return values
  }()

  /// Appends the text of bytes, with padding.
  package static func append(_ bytes: UnsafeRawBufferPointer, to text: inout [UInt8]) {
    var place = 0
    while place < bytes.count {
      let count = min(3, bytes.count - place)
      var group: UInt32 = 0
      for index in 0..<3 { group = group << 8 | (index < count ? UInt32(bytes[place + index]) : 0) }
      for index in 0..<4 {
        let letter = letters[Int(group >> UInt32(18 - 6 * index) & 63)]
        text.append(index <= count ? letter : padding)
      }
      place += 3
    }
  }

  /// The text of bytes.
  package static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    bytes.withUnsafeBytes { append($0, to: &text) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the bytes of a text; returns `false` for a text that is not the one that these bytes have.
  package static func decode(_ text: String, into bytes: inout [UInt8]) -> Bool {
    var text = text
    return text.withUTF8 { decode($0, into: &bytes, isExact: true) }
  }

  /// The bytes of a text that others wrote, between whose letters may be white space; `nil` unless the rest are whole groups
  /// of letters with padding only at the end.
  package static func decode(spaced text: String) -> [UInt8]? {
    let letters = text.utf8.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    var bytes: [UInt8] = []
    return letters.withUnsafeBufferPointer { decode($0, into: &bytes, isExact: false) } ? bytes : nil
  }

  /// - Parameter isExact: Whether the bits that no byte takes must be zero.
  private static func decode(_ text: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8], isExact: Bool) -> Bool {
    guard text.count % 4 == 0 else { return false }
    var place = 0
    while place < text.count {
      let isLast = place + 4 == text.count
      let count = isLast ? (text[place + 3] != padding ? 4 : text[place + 2] != padding ? 3 : 2) : 4
      var group: UInt32 = 0
      for index in 0..<4 {
        let value = index < count ? values[Int(text[place + index])] : 0
        guard value < 64 else { return false }
        group = group << 6 | UInt32(value)
      }
      guard !isExact || group & (count == 2 ? 0xFFFF : count == 3 ? 0xFF : 0) == 0 else { return false }
      for index in 0..<(count - 1) { bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * index))) }
      place += 4
    }
    return true
  }
}
