/// A piece of help text. A string literal is a paragraph.
public enum HelpBlock: Equatable, Sendable, ExpressibleByStringInterpolation {
  /// Running text; it is wrapped to the width of the page.
  case paragraph(String)
  /// Lines that are shown as they are, such as sample input.
  case preformatted([String])
  /// Words with what they mean.
  case definitions([Definition])
  /// The tool's table of exit codes.
  case exitCodes

  /// A word, or a few, with what it means.
  public struct Definition: Equatable, Sendable {
    /// What is explained.
    public var term: String
    /// What it means.
    public var meaning: String

    /// Creates a definition.
    public init(_ term: String, _ meaning: String) {
      self.term = term
      self.meaning = meaning
    }
  }

  /// Creates a paragraph.
  public init(stringLiteral text: String) {
    self = .paragraph(text)
  }
}
