import PlainText

/// A command-line tool described as a table: its name, its commands and how to invoke them.
///
/// The parser, the help, the man page and the completions of three shells are all derived from this value, so they
/// cannot disagree.
///
/// ```swift
/// let tool = CommandLineTool(
///   name: "pj", version: "1.0.0", summary: "replays policy journals",
///   groups: [
///     CommandGroup("look", [
///       CommandDescription(
///         "log", "Prints one line an event.",
///         positionals: [PositionalDescription("PATH", .optional, completion: .file, "The journal.")],
///         options: [OptionDescription("type", short: "t", value: "GLOB", repeatable: true, "Only these types.")])
///     ])
///   ])
/// switch try tool.parse(["log", "field.pj", "-t", "wipe.*"]) {
/// case .run(let arguments): arguments.values(of: "type")  // ["wipe.*"]
/// case .help(let command): tool.helpText(for: command)
/// case .overview: tool.overview()
/// case .version: tool.version
/// }
/// ```
///
/// A table with mistakes (two options with one name, an example that does not parse) is still safe to use;
/// ``problems()`` lists the mistakes, and a test of the tool asserts that there are none.
public struct CommandLineTool: Sendable {
  /// The word that starts the tool, in lower case.
  public var name: String
  /// The version, as `--version` prints it.
  public var version: String
  /// What the tool does, as a phrase that follows its name and a dash: no capital, no full stop.
  public var summary: String
  /// What a reader of the overview or the man page should know.
  public var discussion: [HelpBlock]
  /// The commands, grouped, in the order listed.
  public var groups: [CommandGroup]
  /// Options of every command, which may also precede the command. ``help`` and ``versionOption`` are added to them and
  /// are not listed here.
  public var options: [OptionDescription]
  /// Texts not tied to a command, shown by `help TOPIC`.
  public var topics: [HelpTopic]
  /// The meanings of the exit codes, in ascending order.
  public var exitCodes: [ExitCodeDescription]

  /// Words of other tools, such as `ls` or `--jobs`, and what stands in their place here: names of commands, actions or options,
  /// or a redirection, likeliest first. They are never accepted, only answered with the right ones.
  public var synonyms: [String: [String]]
  /// Commands for other programs, such as shells: parsed like any other, and shown nowhere.
  public var hiddenCommands: [CommandDescription]

  /// The option that requests help: `-h`, `--help`. Every tool has it.
  public static let help = OptionDescription("help", short: "h", "Show help and do nothing else.")
  /// The option that requests the version: `--version`. Every tool has it.
  public static let versionOption = OptionDescription("version", "Print the version and do nothing else.")

  /// Use ``problems()`` to check the table.
  public init(
    name: String, version: String, summary: String, discussion: [HelpBlock] = [], groups: [CommandGroup],
    options: [OptionDescription] = [], topics: [HelpTopic] = [], exitCodes: [ExitCodeDescription] = [],
    synonyms: [String: [String]] = [:], hiddenCommands: [CommandDescription] = []
  ) {
    self.name = name
    self.version = version
    self.summary = summary
    self.discussion = discussion
    self.groups = groups
    self.options = options
    self.topics = topics
    self.exitCodes = exitCodes
    self.synonyms = synonyms
    self.hiddenCommands = hiddenCommands
  }

  /// All commands, in the order of the groups.
  public var commands: [CommandDescription] { groups.flatMap(\.commands) }

  /// The options of every command, the two built-in ones last.
  public var globalOptions: [OptionDescription] { options + [Self.help, Self.versionOption] }

  /// The command with exactly this name; `nil` if there is none.
  public func command(named name: String) -> CommandDescription? {
    (commands + hiddenCommands).first { $0.name == name }
  }

  /// What may have been meant by a word in the place of a name: synonyms, then names that are spelled alike.
  func nearest(to word: String, in names: [String]) -> [String] {
    let meant = (synonyms[word] ?? []).filter(names.contains)
    return meant.isEmpty ? EditDistance.nearest(to: word, in: names) : meant
  }

  /// What may have been meant by a word in the place of a command: synonyms, and the actions that are so named, then names
  /// that are spelled alike.
  func commands(meantBy word: String) -> [String] {
    let meant = ([word] + (synonyms[word] ?? [])).flatMap { name -> [String] in
      let command = self.commands.filter { $0.name == name }.map(\.name)
      return command.isEmpty ? self.commands.flatMap { $0.action(named: name).map { [$0.name] } ?? [] } : command
    }
    return meant.isEmpty ? EditDistance.nearest(to: word, in: commands.map(\.name)) : meant
  }

  /// The topic with exactly this name; `nil` if there is none.
  public func topic(named name: String) -> HelpTopic? {
    topics.first { $0.name == name }
  }
}

/// Commands that answer the same kind of question, listed under one title.
public struct CommandGroup: Equatable, Sendable {
  /// The title, such as `look` or `ask why`.
  public var title: String
  /// The commands in the order listed.
  public var commands: [CommandDescription]

  /// Keeps the order of `commands`.
  public init(_ title: String, _ commands: [CommandDescription]) {
    self.title = title
    self.commands = commands
  }
}

/// The meaning of one of the tool's exit codes.
public struct ExitCodeDescription: Equatable, Sendable {
  /// The code, 0...255.
  public var code: Int
  /// What it means, as a phrase.
  public var meaning: String

  /// `code` must be in 0...255.
  public init(_ code: Int, _ meaning: String) {
    self.code = code
    self.meaning = meaning
  }
}
