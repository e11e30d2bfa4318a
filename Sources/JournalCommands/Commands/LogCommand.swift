import CommandLineInterface
import CommandSupport
import ReplayTool

/// `pj log`: one line an event.
package enum LogCommand: Command {
  private static let log = EventLog(adding: ProtectionMembers.ofEvents, hasLocalTimes: true)

  package static let description = EventLog.description(
    notes: """
      a likely mistake in the app, or the launch condition that keeps an account out, with the setting and the fact that were \
      compared
      """,
    examples: [
      .init("pj log field.pj --since -1d", "What happened on the last day before the last event."),
      .init("pj log field.pj 2020-06 --type 'policy.*' --account a1", "The policy events of one account in a month."),
      .init("pj log field.pj -n 5 -f", "The last five events, then each new one as it arrives."),
    ], adding: [EventLog.local])

  package static var schemas: [OutputSchema] { [log.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode { try log.run(context) }
}
