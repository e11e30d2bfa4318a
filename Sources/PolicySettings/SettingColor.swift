/// A color as written in the settings: `#RRGGBB`, where `#` may be omitted (S001, "Configure settings").
public struct SettingColor: Hashable, Sendable, CustomStringConvertible {
  /// The components, 0...255.
  public var red: UInt8, green: UInt8, blue: UInt8

  /// Opaque; the settings have no alpha.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Parses six hexadecimal digits in any case, with or without `#`; `nil` for anything else.
  public init?(_ text: String) {
    let digits = text.utf8.starts(with: "#".utf8) ? text.utf8.dropFirst() : text.utf8[...]
    guard digits.count == 6, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let number = UInt32(String(Substring(digits)), radix: 16)
    else { return nil }
    self.init(red: UInt8(number >> 16 & 0xFF), green: UInt8(number >> 8 & 0xFF), blue: UInt8(number & 0xFF))
  }

  /// `#RRGGBB` in upper case.
  public var description: String {
    "#"
      + [red, green, blue].map { part in
        let digits = String(part, radix: 16, uppercase: true)
        return digits.utf8.count == 1 ? "0" + digits : digits
      }.joined()
  }
}
