/// One cell of a ``TextTable``: text, and how it is set off. A string literal is a cell without attributes.
///
/// Text from outside is made visible when the cell is created, so a table never prints a control character.
public struct TextCell: Equatable, Sendable, ExpressibleByStringInterpolation {
  /// What is printed, without escape sequences.
  public let text: String
  /// How it is set off where styles are on.
  public let attributes: [Style.Attribute]

  /// Creates a cell.
  public init(_ text: String, _ attributes: [Style.Attribute] = []) {
    self.text = TerminalText.visible(text)
    self.attributes = attributes
  }

  /// Creates a cell without attributes.
  public init(stringLiteral text: String) {
    self.init(text)
  }
}
