import CommandLineInterface
import CommandSupport

/// `show` of a tool whose domain adds nothing to it.
enum DomainShow: Command {
  private static let show = EventShow()

  static let description = EventShow.description(examples: [
    .init("pj show field.pj 44", "One event by its number."),
    .init("pj show field.pj 2026-10-05T10:15Z", "The last event up to a time."),
    .init("pj show field.pj end -j", "The last event, as JSON."),
  ])

  static var schemas: [OutputSchema] { [show.schema] }

  static func run(_ context: CommandContext) throws(Failure) -> ExitCode { try show.run(context) }
}
