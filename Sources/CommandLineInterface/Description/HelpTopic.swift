/// A text that belongs to no single command, such as how positions are written.
public struct HelpTopic: Equatable, Sendable {
  /// The word that asks for it: lower-case ASCII letters, digits and hyphens, and no command's name.
  public var name: String
  /// What it tells, as a phrase: no capital, no full stop.
  public var summary: String
  /// The text.
  public var body: [HelpBlock]

  /// Creates a topic.
  public init(_ name: String, _ summary: String, _ body: [HelpBlock]) {
    self.name = name
    self.summary = summary
    self.body = body
  }
}
