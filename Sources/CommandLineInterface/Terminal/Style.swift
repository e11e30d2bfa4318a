/// Whether and how text is highlighted with ANSI escape sequences (ECMA-48, SGR).
///
/// The code that prints decides once whether styles are on (a terminal, `NO_COLOR`, `--color`). All other code uses the
/// style and prints the same characters either way.
public struct Style: Equatable, Sendable {
  /// Whether attributes have an effect.
  public var isEnabled: Bool

  /// A way to highlight text.
  public enum Attribute: UInt8, Sendable {
    /// Bold or bright.
    case bold = 1
    /// Faint.
    case dim = 2
    /// Underlined.
    case underline = 4
    /// Red, for what is damaged or denied.
    case red = 31
    /// Green, for what is sound or allowed.
    case green = 32
    /// Yellow, for warnings.
    case yellow = 33
    /// Blue.
    case blue = 34
    /// Magenta.
    case magenta = 35
    /// Cyan.
    case cyan = 36
  }

  /// Plain text: no escape sequences.
  public static let plain = Style(isEnabled: false)
  /// Text with escape sequences.
  public static let ansi = Style(isEnabled: true)

  /// ``plain`` and ``ansi`` are the two possible styles.
  public init(isEnabled: Bool) {
    self.isEnabled = isEnabled
  }

  /// The text with these attributes; unchanged if styles are off, or if the text or the list is empty.
  ///
  /// The result contains escape sequences: measure, pad and cut text before styling it.
  public func apply(_ attributes: [Attribute], to text: String) -> String {
    guard isEnabled, !attributes.isEmpty, !text.isEmpty else { return text }
    let codes = attributes.map { String($0.rawValue) }.joined(separator: ";")
    return "\u{1B}[\(codes)m\(text)\u{1B}[0m"
  }

  /// The text in bold.
  public func bold(_ text: String) -> String { apply([.bold], to: text) }

  /// The text underlined.
  public func underline(_ text: String) -> String { apply([.underline], to: text) }

  /// The text faint.
  public func dim(_ text: String) -> String { apply([.dim], to: text) }
}
