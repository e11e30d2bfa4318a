import CommandLineInterface

/// `pj help`: what the tool can do.
enum HelpCommand: Command {
  static let description = CommandDescription(
    "help", "Shows what pj can do, or explains a command or a topic.",
    examples: [
      .init("pj help", "All commands and topics."),
      .init("pj help log", "One command with its options."),
      .init("pj help positions", "How to name a place in a history."),
    ],
    positionals: [
      PositionalDescription("SUBJECT", .optional, completion: .helpSubjects, "A command or a topic.")
    ],
    options: [OptionDescription("man", "Print the manual page, in roff.")])

  static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    try context.refuseJSON("help")
    let table = PolicyJournalTool.table
    let width = context.environment.width
    if context.arguments.flag("man") {
      context.output.write(table.manPage())
      return .done
    }
    guard let subject = context.arguments.positional("SUBJECT") else {
      context.output.page(table.overview(width: width, style: context.style))
      return .done
    }
    do throws(ArgumentError) {
      context.output.page(try table.help(on: subject, width: width, style: context.style))
    } catch {
      throw Failure(error)
    }
    return .done
  }
}
