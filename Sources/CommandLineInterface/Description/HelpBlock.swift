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

/// A help text not tied to a single command, such as how to write positions.
public struct HelpTopic: Sendable {
  /// The word that requests it: lower-case ASCII letters, digits and hyphens, different from every command's name.
  public var name: String
  /// Its subject, as a phrase: no capital, no full stop.
  public var summary: String
  /// The text, which is only put together for those who read it.
  public var body: @Sendable () -> [HelpBlock]

  /// `name` must differ from every command's name.
  public init(_ name: String, _ summary: String, _ body: @autoclosure @escaping @Sendable () -> [HelpBlock]) {
    self.name = name
    self.summary = summary
    self.body = body
  }
}
