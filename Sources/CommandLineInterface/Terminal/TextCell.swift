/// One cell of a ``TextTable``: text and its style. A string literal is a cell without attributes.
///
/// Control characters are escaped when the cell is created, so a table never prints one.
public struct TextCell: Equatable, Sendable, ExpressibleByStringInterpolation {
  /// The text printed, without escape sequences.
  public let text: String
  /// How the text is highlighted if styles are on.
  public let attributes: [Style.Attribute]

  /// Escapes control characters in `text`.
  public init(_ text: String, _ attributes: [Style.Attribute] = []) {
    self.text = TerminalText.visible(text)
    self.attributes = attributes
  }

  /// A cell without attributes.
  public init(stringLiteral text: String) {
    self.init(text)
  }
}
