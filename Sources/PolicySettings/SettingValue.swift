/// The value of one setting, of any type.
public enum SettingValue: Equatable, Sendable, CustomStringConvertible {
  /// True or false.
  case flag(Bool)
  /// Text.
  case text(String)
  /// A color.
  case color(SettingColor)
  /// A length of time, in seconds.
  case seconds(Double)
  /// A level of file protection.
  case fileProtection(FileProtectionLevel)
  /// A list of texts.
  case texts([String])

  /// The value in readable form; the texts of a list are separated by commas, and an empty list is `none`.
  public var description: String {
    switch self {
    case .flag(let flag): flag ? "true" : "false"
    case .text(let text): text
    case .color(let color): "\(color)"
    case .seconds(let seconds): "\(Int(exactly: seconds).map { "\($0)" } ?? "\(seconds)") s"
    case .fileProtection(let level): level.rawValue
    case .texts(let texts): texts.isEmpty ? "none" : texts.joined(separator: ", ")
    }
  }
}

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

/// When an app may read a protected file: Apple's `NSFileProtectionType`, under the names that the settings use.
public enum FileProtectionLevel: String, Sendable, CaseIterable {
  /// While the device is unlocked, and up to ten seconds after it is locked (S001, "Configure settings").
  case complete = "NSFileProtectionComplete"
  /// While the device is unlocked, and as long as the file stays open.
  case completeUnlessOpen = "NSFileProtectionCompleteUnlessOpen"
  /// From the first unlock after a restart.
  case completeUntilFirstUserAuthentication = "NSFileProtectionCompleteUntilFirstUserAuthentication"
  /// Always.
  case none = "NSFileProtectionNone"
}
