/// Whether text is set off with ANSI escape sequences (ECMA-48, SGR), and how.
///
/// Whoever prints decides once whether styles are on (a terminal, `NO_COLOR`, `--color`); everything else asks the style
/// and prints the same characters either way.
public struct Style: Equatable, Sendable {
  /// Whether attributes have an effect.
  public var isEnabled: Bool

  /// How text is set off.
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

  /// Creates a style that is on or off.
  public init(isEnabled: Bool) {
    self.isEnabled = isEnabled
  }

  /// The text set off with these attributes; unchanged when styles are off, or the text or the list is empty.
  ///
  /// The result has escape sequences in it: measure, pad and cut text before, not after.
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
