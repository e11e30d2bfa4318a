import CommandLineInterface
import CommandSupport
import ReplayTool

/// `pj show`: everything about single events, and the settings of a policy that arrives.
package enum ShowCommand: Command {
  private static let show = EventShow(
    adding: ProtectionMembers.ofEvents,
    [.ifAny("settings", each: ReceivedPolicy.members) { ReceivedPolicy($0)?.rows ?? [] }],
    details: { ReceivedPolicy($0) })

  package static let description = EventShow.description(
    [
      """
      The settings of a policy that arrives are a table in the words of the administration portal. Where the account had a \
      policy before, each setting that differs also has the value that it was.
      """
    ],
    examples: [
      .init("pj show field.pj 44", "One event by its number."),
      .init("pj show field.pj wipe.requested#2", "The second event of a type."),
      .init("pj show field.pj 2026-10-05T10:15Z end -j", "The last event up to a time, and the last event, as JSON."),
    ])

  package static var schemas: [OutputSchema] { [show.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode { try show.run(context) }
}
