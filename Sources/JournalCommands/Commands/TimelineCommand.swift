import CommandLineInterface
import CommandSupport
import ReplayTool

/// `pj timeline`: a history as a drawing, with the problems that its diagnosis finds.
package enum TimelineCommand: Command {
  package static let description = TimelineDrawing.description(
    lanes: "accounts, policies and versions, identities, wipes, compliance, launch conditions and the clock",
    examples: [
      .init("pj timeline field.pj -o field.html", "The whole history as a page."),
      .init("pj timeline field.pj 2020-06 -o june.html --reveal", "One month, with the names of the accounts."),
      .init(
        "pj timeline field.pj -o field.json --format chrome-trace", "A trace for https://ui.perfetto.dev."),
    ])

  package static var schemas: [OutputSchema] { [TimelineDrawing.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode { try TimelineDrawing.run(context) }
}
