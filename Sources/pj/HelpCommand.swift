import CommandLineInterface
import CommandSupport
import ReplayTool

/// `pj help`: what the tool can do.
enum HelpCommand: Command {
  static let description = CommandDescription(
    "help", "Shows what pj can do, or explains a command or a topic.",
    examples: [
      .init("pj help log", "One command with its options."),
      .init("pj help positions", "How to name a place in a history."),
      .init("pj help 222", "What a status code means, and what to do."),
    ],
    positionals: [
      PositionalDescription(
        "SUBJECT", .optional, completion: .helpSubjects,
        """
        A command, a topic, a status code, a family of problems such as offline-block, a rule such as saveTo.7, T39 or \
        maximumStopsUpdates, or an assumption.
        """),
      PositionalDescription("ACTION", .optional, "An action of the command, such as lint of policy."),
    ],
    options: HelpPages.options)

  static var schemas: [OutputSchema] { [OutputSchema("help")] }

  static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    var pages = HelpPages(table: PolicyJournalTool.table, action: context.arguments.positional("ACTION"))
    (pages.names, pages.topic) = (RuleHelp.names, RuleHelp.topic)
    return try pages.run(context)
  }
}
