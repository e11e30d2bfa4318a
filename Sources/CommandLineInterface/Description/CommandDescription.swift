/// One command of a ``CommandLineTool``: the word after the tool's name and everything that may follow it.
public struct CommandDescription: Equatable, Sendable {
  /// The word that selects the command: lower-case ASCII letters, digits and hyphens.
  public var name: String
  /// What the command does, as one sentence with a full stop.
  public var summary: String
  /// What else a user should know before running it.
  public var discussion: [HelpBlock]
  /// Three ways to use it, simplest first.
  public var examples: [Example]
  /// The words that are not options, in order.
  public var positionals: [PositionalDescription]
  /// The options specific to this command.
  public var options: [OptionDescription]
  /// The meanings of its exit codes; if empty, the tool's table applies.
  public var exitCodes: [ExitCodeDescription]

  /// A way to use a command.
  public struct Example: Equatable, Sendable {
    /// The whole line as typed into a shell, including the tool's name. It may be a pipeline.
    public var line: String
    /// What the line does or shows, as one sentence with a full stop.
    public var explanation: String

    /// `line` includes the tool's name.
    public init(_ line: String, _ explanation: String) {
      self.line = line
      self.explanation = explanation
    }
  }

  /// `summary` and the texts within must be complete sentences.
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
