/// One command of a ``CommandLineTool``: the word after the tool's name, with everything that may follow it.
public struct CommandDescription: Equatable, Sendable {
  /// The word that chooses the command: lower-case ASCII letters, digits and hyphens.
  public var name: String
  /// What the command does, as one sentence with a full stop.
  public var summary: String
  /// What else somebody should know before using it.
  public var discussion: [HelpBlock]
  /// Three ways to use it, the plainest first.
  public var examples: [Example]
  /// The words that are not options, in the order in which they stand.
  public var positionals: [PositionalDescription]
  /// The options that only this command has.
  public var options: [OptionDescription]
  /// What its exit codes mean; when empty, the tool's table holds.
  public var exitCodes: [ExitCodeDescription]

  /// A way to use a command.
  public struct Example: Equatable, Sendable {
    /// The whole line as it is typed into a shell, the tool's name included. It may be a pipeline.
    public var line: String
    /// What the line does or answers, as one sentence with a full stop.
    public var explanation: String

    /// Creates an example.
    public init(_ line: String, _ explanation: String) {
      self.line = line
      self.explanation = explanation
    }
  }

  /// Creates a description.
  public init(
    _ name: String, _ summary: String, discussion: [HelpBlock] = [], examples: [Example] = [],
    positionals: [PositionalDescription] = [], options: [OptionDescription] = [], exitCodes: [ExitCodeDescription] = []
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.examples = examples
    self.positionals = positionals
    self.options = options
    self.exitCodes = exitCodes
  }
}
