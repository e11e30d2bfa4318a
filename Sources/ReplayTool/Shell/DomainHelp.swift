import CommandLineInterface
import CommandSupport
import PlainText

/// `help` of a tool that explains its commands and topics alone.
enum DomainHelp: Command {
  static let description = CommandDescription(
    "help", "Shows what pj can do, or explains a command or a topic.",
    examples: [
      .init("pj help state", "One command with its options."),
      .init("pj help positions", "How to name a place in a history."),
      .init("pj help --man", "The manual page."),
    ],
    positionals: [
      PositionalDescription("SUBJECT", .optional, completion: .helpSubjects, "A command or a topic.")
    ],
    options: HelpPages.options)

  static var schemas: [OutputSchema] { [OutputSchema("help")] }

  static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    guard let table = ToolShell.current?.table else { return .bug }
    return try HelpPages(table: table, action: nil).run(context)
  }
}
