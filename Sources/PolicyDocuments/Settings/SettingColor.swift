/// A color in the form of the settings: `#RRGGBB`, where the sign may be missing (S001, "Configure settings").
public struct SettingColor: Hashable, Sendable, CustomStringConvertible {
  /// The parts, 0...255.
  public var red: UInt8, green: UInt8, blue: UInt8

  /// Creates a color.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Reads six hexadecimal digits in any case, with `#` before them or without; anything else gives `nil`.
  public init?(_ text: String) {
    let digits = text.utf8.starts(with: "#".utf8) ? text.utf8.dropFirst() : text.utf8[...]
    guard digits.count == 6, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let number = UInt32(String(Substring(digits)), radix: 16)
    else { return nil }
    self.init(red: UInt8(number >> 16 & 0xFF), green: UInt8(number >> 8 & 0xFF), blue: UInt8(number & 0xFF))
  }

  /// `#RRGGBB` with capital letters.
  public var description: String {
    "#"
      + [red, green, blue].map { part in
        let digits = String(part, radix: 16, uppercase: true)
        return digits.utf8.count == 1 ? "0" + digits : digits
      }.joined()
  }
}
