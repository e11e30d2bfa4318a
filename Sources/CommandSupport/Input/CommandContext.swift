import CommandLineInterface
import Forensics
import Journal

/// A command's input: its arguments, where to write, and how.
package struct CommandContext {
  /// The command line, checked against the table.
  package let arguments: ParsedArguments
  /// The command line as it was typed.
  package let words: [String]
  /// Where results go.
  package let output: TextOutput
  /// Where everything else goes.
  package let notes: TextOutput
  /// The environment that the tool runs in.
  package let environment: ToolEnvironment

  /// What may be shown.
  package let redaction: Redaction

  /// Whether results are JSON Lines.
  package var isJSON: Bool { arguments.flag("json") }

  package init(
    arguments: ParsedArguments, words: [String], output: TextOutput, notes: TextOutput, environment: ToolEnvironment
  ) {
    (self.arguments, self.words) = (arguments, words)
    (self.output, self.notes, self.environment) = (output, notes, environment)
    redaction = environment.tool.domain.redaction(arguments.flag("reveal"))
  }

  /// Whether the command makes something that it would find when it runs again.
  package var writes: Bool {
    let command = arguments.command
    return command.positionals.contains { $0.name == "TARGET" }
      || command.options.contains { $0.name == "output" } && arguments.isGiven("output")
  }

  /// Whether and how text is highlighted. Colors never carry meaning alone.
  package var style: Style {
    switch arguments.value(of: "color") {
    case "always": .ansi
    case "never": .plain
    default: Style(isEnabled: environment.outputIsTerminal && !environment.noColor)
    }
  }

  /// Prints a table, fitted to the terminal where there is one.
  package func print(_ table: TextTable) {
    output.table(table, style)
  }

  /// The file system that journals are read through, with progress noted.
  package var fileSystem: any FileSystem { environment.progress.noting(environment.fileSystem) }

  /// Rejects `-j` if it has no effect.
  package func refuseJSON(_ what: String, saying sentence: String? = nil) throws(Failure) {
    guard isJSON else { return }
    throw Failure(
      .wrongUse, sentence ?? "-j does not apply to \(what)", next: "\(Tool.name) help \(arguments.command.name)")
  }

  /// Writes the line of a failure after the results so far.
  package func note(_ failure: Failure) {
    environment.door?.notice(failure.message)
    output.flush()
    notes.line(failure.line(of: arguments.command.name, words))
  }

  /// Writes a line that is not a result: a warning, or why nothing is shown.
  package func note(_ text: String) {
    environment.door?.notice(text)
    notes.line("\(Tool.name) \(arguments.command.name): " + TerminalText.visible(text))
  }
}
