import Journal

/// What the tool knows about the place it runs in.
struct ToolEnvironment {
  /// Whether standard output is a terminal.
  var outputIsTerminal = false
  /// Whether `NO_COLOR` is set to something (no-color.org), or `TERM` says that the terminal has none; this turns colors off unless `--color always` is given.
  var noColor = false
  /// How many columns help is wrapped to.
  var width = 80

  /// Reads standard input to its end, at most so many bytes of it.
  var readStandardInput: @Sendable (Int) -> Platform.ReadResult = { _ in .bytes([]) }

  /// What is done when a journal is followed, so that it ends when somebody interrupts the tool.
  var whenFollowing: @Sendable (JournalChanges) -> Void = { _ in }

  /// A place without terminal, for tests.
  init() {}

  /// The place where this process runs.
  static func current() -> ToolEnvironment {
    var environment = ToolEnvironment()
    environment.outputIsTerminal = Platform.isTerminal(1)
    environment.noColor =
      Platform.variable("NO_COLOR").map { !$0.isEmpty } ?? false || Platform.variable("TERM") == "dumb"
    environment.readStandardInput = { limit in Platform.standardInput(limit: limit) }
    environment.whenFollowing = { changes in Platform.onInterrupt { changes.stop() } }
    if environment.outputIsTerminal, let columns = Platform.variable("COLUMNS").flatMap({ Int($0) }) {
      environment.width = min(max(columns, 40), 160)
    }
    return environment
  }
}
