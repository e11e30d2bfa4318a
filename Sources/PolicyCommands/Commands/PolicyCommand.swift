import CommandLineInterface
import CommandSupport

/// `pj policy`: what documents of policies say, by themselves and beside each other. Each action is a `PolicyAction`.
package enum PolicyCommand: Command {
  package static let description = CommandDescription(
    "policy", "Shows, compares, combines, checks or rates app protection policies.",
    discussion: [
      """
      A file holds JSON from Microsoft Graph, in any form that exports take, YAML of IntuneCD, a configuration of \
      Microsoft365DSC, or a device's diagnostic dump: JSON, a property list, or the lines that Edge shows under \
      about:intunehelp. With --account, WHAT is a journal or JOURNAL@POSITION.
      """,
      """
      All but combine also take folders, subfolders included, and zip and tar files; all but diff and combine take - for \
      standard input. Documents of other types are counted as skipped, which is not an error; one that is broken is named, \
      and the rest is read.
      """,
    ],
    examples: [
      .init("pj policy lint export", "Checks all policies of a tenant's export, in every subfolder."),
      .init("pj policy level export --require 2", "Fails unless every policy meets level 2."),
      .init("pj policy show field.pj@2021-06 --account a1", "The policy that an account had at the end of June 2021."),
    ],
    options: [
      OptionDescription(
        "account", value: "ACCOUNT",
        "The policy of this account in a journal: its pseudonym, object id or user principal name."),
      JournalSeeking.option,
    ],
    exitCodes: [
      ExitCodeDescription(0, "done; lint found nothing, or notes only; the policies agree; the required level is met"),
      ExitCodeDescription(
        1,
        "lint found an error or a warning; the policies differ; a policy is below the required level; convert would lose something"
      ),
      ExitCodeDescription(2, "wrong use: one line names the mistake and the nearest valid name"),
      ExitCodeDescription(3, "a journal is incomplete or damaged; effective: facts that decide are missing"),
      ExitCodeDescription(
        4,
        "a file cannot be read, or no known document was found; diff and combine: one of them is not a policy"),
      ExitCodeDescription(5, "a journal needs a newer tool"),
    ], actions: PolicyAction.all.map(\.description))

  package static var schemas: [OutputSchema] {
    [OutputSchema("policy"), PolicyBaselineReport.records.schema, PolicyMatrixReport.records.schema]
      + PolicyAction.all.map(\.schema)
  }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let words = context.arguments.positionals("WHAT")
    guard !words.isEmpty else {
      throw Failure(.wrongUse, "a file is missing, such as policy.json", next: "pj help policy")
    }
    let action = PolicyAction.all.first { $0.description.name == context.arguments.action } ?? .show
    return try action.run(words, context)
  }
}
