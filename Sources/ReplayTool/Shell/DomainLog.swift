import CommandLineInterface
import CommandSupport

/// `log` of a tool whose domain adds nothing to it.
enum DomainLog: Command {
  private static let log = EventLog()

  static let description = EventLog.description(
    notes: "a likely mistake in the app",
    examples: [
      .init("pj log field.pj --since -1d", "What happened on the last day before the last event."),
      .init("pj log field.pj -n 5 -f", "The last five events, then each new one as it arrives."),
      .init("pj log field.pj -j", "The same for programs."),
    ])

  static var schemas: [OutputSchema] { [log.schema] }

  static func run(_ context: CommandContext) throws(Failure) -> ExitCode { try log.run(context) }
}
