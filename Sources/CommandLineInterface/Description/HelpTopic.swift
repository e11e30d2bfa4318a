/// A help text not tied to a single command, such as how to write positions.
public struct HelpTopic: Equatable, Sendable {
  /// The word that requests it: lower-case ASCII letters, digits and hyphens, different from every command's name.
  public var name: String
  /// Its subject, as a phrase: no capital, no full stop.
  public var summary: String
  /// The text.
  public var body: [HelpBlock]

  /// `name` must differ from every command's name.
  public init(_ name: String, _ summary: String, _ body: [HelpBlock]) {
    self.name = name
    self.summary = summary
    self.body = body
  }
}
