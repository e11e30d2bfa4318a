/// Distinguishes one journal from every other: sixteen bytes that its creator drew at random.
///
/// The journal itself draws no random numbers; the bytes come from the caller.
public struct JournalID: Hashable, Sendable, CustomStringConvertible {
  /// The sixteen bytes, in their order in files and in text.
  public let bytes: [UInt8]

  /// The identity whose bytes are all zero: no journal.
  public static let none = JournalID(unchecked: [UInt8](repeating: 0, count: 16))

  private init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Creates an identity from exactly sixteen bytes; `nil` from any other number.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// Reads the text form: 32 hexadecimal digits in either case, with hyphens after 8, 12, 16 and 20 of them.
  public init?(_ text: String) {
    var bytes: [UInt8] = []
    var half: UInt8?
    let characters = Array(text.utf8)
    guard characters.count == 36 else { return nil }
    for (index, character) in characters.enumerated() {
      if [8, 13, 18, 23].contains(index) {
        guard character == UInt8(ascii: "-") else { return nil }
        continue
      }
      let digit: UInt8
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = character - UInt8(ascii: "A") + 10
      default: return nil
      }
      if let high = half {
        bytes.append(high << 4 | digit)
        half = nil
      } else {
        half = digit
      }
    }
    self.init(bytes: bytes)
  }

  /// The text form in lower case, such as `0b5f4c8e-0000-4000-8000-00000000002a`.
  public var description: String {
    var text = ""
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      let digits = String(byte, radix: 16)
      text += digits.count == 1 ? "0" + digits : digits
    }
    return text
  }
}
