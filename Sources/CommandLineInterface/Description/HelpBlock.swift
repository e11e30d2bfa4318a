/// A piece of help text. A string literal is a paragraph.
public enum HelpBlock: Equatable, Sendable, ExpressibleByStringInterpolation {
  /// Running text, wrapped to the width of the page.
  case paragraph(String)
  /// Lines shown verbatim, such as sample input.
  case preformatted([String])
  /// Terms and their meanings.
  case definitions([Definition])
  /// The tool's table of exit codes.
  case exitCodes

  /// A term and its meaning.
  public struct Definition: Equatable, Sendable {
    /// The word or words explained.
    public var term: String
    /// The explanation.
    public var meaning: String

    /// `meaning` is wrapped beside or below `term`.
    public init(_ term: String, _ meaning: String) {
      self.term = term
      self.meaning = meaning
    }
  }

  /// A paragraph.
  public init(stringLiteral text: String) {
    self = .paragraph(text)
  }
}
