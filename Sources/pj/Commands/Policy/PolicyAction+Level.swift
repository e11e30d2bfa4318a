import CommandLineInterface
import PolicyDocuments

extension PolicyAction {
  static let level = PolicyAction(
    name: "level",
    summary: """
      Names the level of Microsoft's data protection framework that a policy meets, from 1 to 3, and what keeps it from the \
      next: each setting with its value and the one it should have. Values that are stricter meet a level too.
      """,
    discussion: [
      """
      With --require, level exits with 1 if a policy is below that level; then policies for which the revision has no values, \
      and files named on the command line that hold no policy, fail as well. Without it, they are named as out of scope.
      """
    ],
    options: [
      .everySetting,
      OptionDescription(
        "require", value: "LEVEL", accepting: .integer(1...3), "level: fail if a policy does not meet this level."),
      OptionDescription(
        "revision", value: "DATE", accepting: .oneOf(FrameworkRevision.all.map(\.date)),
        "level: compare with the framework as of this day; otherwise with the newest revision."),
    ] + ReportInput.options
  ) { (words, context) throws(Failure) in try PolicyLevelReport.run(words, context) }
}
