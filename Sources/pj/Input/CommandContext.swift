import CommandLineInterface
import Forensics
import Journal

/// A command's input: its arguments, where to write, and how.
struct CommandContext {
  /// The command line, checked against the table.
  let arguments: ParsedArguments
  /// The command line as it was typed.
  let words: [String]
  /// Where results go.
  let output: TextOutput
  /// Where everything else goes.
  let notes: TextOutput
  /// The environment that the tool runs in.
  let environment: ToolEnvironment

  /// Whether results are JSON Lines.
  var isJSON: Bool { arguments.flag("json") }

  /// Whether the command makes something that it would find when it runs again.
  var writes: Bool {
    let command = arguments.command
    return command.positionals.contains { $0.name == "TARGET" }
      || command.options.contains { $0.name == "output" } && arguments.isGiven("output")
  }

  /// What may be shown.
  var redaction: Redaction { arguments.flag("reveal") ? .revealing : .on }

  /// Whether and how text is highlighted. Colors never carry meaning alone.
  var style: Style {
    switch arguments.value(of: "color") {
    case "always": .ansi
    case "never": .plain
    default: Style(isEnabled: environment.outputIsTerminal && !environment.noColor)
    }
  }

  /// Prints a table, fitted to the terminal where there is one.
  func print(_ table: TextTable) {
    output.table(table, style)
  }

  /// The file system that journals are read through, with progress noted.
  var fileSystem: any FileSystem { environment.progress.noting(environment.fileSystem) }

  /// Rejects `-j` if it has no effect.
  func refuseJSON(_ what: String, saying sentence: String? = nil) throws(Failure) {
    guard isJSON else { return }
    throw Failure(
      .wrongUse, sentence ?? "-j does not apply to \(what)", next: "pj help \(arguments.command.name)")
  }

  /// Writes the line of a failure after the results so far.
  func note(_ failure: Failure) {
    environment.door?.notice(failure.message)
    output.flush()
    notes.line(failure.line(of: arguments.command.name, words))
  }

  /// Writes a line that is not a result: a warning, or why nothing is shown.
  func note(_ text: String) {
    environment.door?.notice(text)
    notes.line("pj \(arguments.command.name): " + TerminalText.visible(text))
  }
}

/// One command of the tool.
protocol Command: SendableMetatype {
  /// Its name, its purpose, and its arguments.
  static var description: CommandDescription { get }

  /// Runs the command. A failure becomes one line on standard error.
  static func run(_ context: CommandContext) throws(Failure) -> ExitCode
}
