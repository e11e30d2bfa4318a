import AppProtectionInsight
import CommandLineInterface
import CommandSupport
import ReplayTool

/// `pj diagnose`: the problems that a history shows, and what the rules answer to a complaint.
package enum DiagnoseCommand: Command {
  private static let search = ProblemSearch(ProtectionComplaints())

  package static let description = search.description(
    families: ProblemFamily.allCases.map(\.id),
    pages: (
      " The page Diagnosis describes each family.",
      "The page Tour takes a case from the file that a user sent to the event that decided it."
    ),
    examples: [
      .init("pj diagnose field.pj", "What is wrong, and why."),
      .init("pj diagnose field.pj --complaint blocked", "Why the app does not let the user in, and since when."),
      .init(
        "pj diagnose field.pj --against good.pj", "The same, and how it differs from a journal without the problem."),
    ])

  package static var schemas: [OutputSchema] { [search.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode { try search.run(context) }
}
