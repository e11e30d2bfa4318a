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
  /// The options specific to this command; of every action, where it has some.
  public var options: [OptionDescription]
  /// The meanings of its exit codes; if empty, the tool's table applies.
  public var exitCodes: [ExitCodeDescription]
  /// What it can do, if its first word selects that. Each has the words after that one, and options of its own.
  public var actions: [CommandDescription]

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
    positionals: [PositionalDescription] = [], options: [OptionDescription] = [], exitCodes: [ExitCodeDescription] = [],
    actions: [CommandDescription] = []
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.examples = examples
    self.positionals = positionals
    self.options = options
    self.exitCodes = exitCodes
    self.actions = actions
  }

  /// The action with this name as a command of its own, such as `policy lint`; `nil` if there is none.
  func action(named name: String) -> CommandDescription? {
    guard var action = actions.first(where: { $0.name == name }) else { return nil }
    action.name = "\(self.name) \(name)"
    action.options += options
    if action.exitCodes.isEmpty { action.exitCodes = exitCodes }
    return action
  }

  /// This command, or its actions as commands of their own.
  var forms: [CommandDescription] { actions.isEmpty ? [self] : actions.compactMap { action(named: $0.name) } }

  /// Every option of the command and of its actions, each name once.
  var allOptions: [OptionDescription] {
    actions.flatMap(\.options).reduce(into: options) { all, option in
      if !all.contains(where: { $0.name == option.name }) { all.append(option) }
    }
  }

  /// The word that selects an action; `nil` if there are none.
  var choice: PositionalDescription? {
    actions.isEmpty ? nil : PositionalDescription("ACTION", accepting: .oneOf(actions.map(\.name)), "What to do.")
  }
}
