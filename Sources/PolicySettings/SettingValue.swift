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
