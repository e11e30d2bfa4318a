import CommandLineInterface
import CommandSupport

/// `timeline` of a tool whose domain adds no marks.
enum DomainTimeline: Command {
  static let description = TimelineDrawing.description(
    lanes: "events, processes and the clock, and those that the domain names",
    examples: [
      .init("pj timeline field.pj -o field.html", "The whole history as a page."),
      .init("pj timeline field.pj 2020-06 -o june.html", "One month."),
      .init(
        "pj timeline field.pj -o field.json --format chrome-trace", "A trace for programs such as Perfetto."),
    ])

  static var schemas: [OutputSchema] { [TimelineDrawing.schema] }

  static func run(_ context: CommandContext) throws(Failure) -> ExitCode { try TimelineDrawing.run(context) }
}
