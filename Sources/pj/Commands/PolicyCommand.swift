import CommandLineInterface
import PolicyDocuments

/// `pj policy`: a policy in the portal's words, the difference of two, the result of several, and the mistakes in one.
enum PolicyCommand: Command {
  static let description = CommandDescription(
    "policy", "Shows, compares, combines, checks or rates app protection policies.",
    discussion: [
      """
      show prints a policy in the words of the administration portal; diff compares two, setting by setting; lint names \
      contradictions, settings without effect and leftovers from templates, each with its rule, its place, the reason and \
      the next step.
      """,
      """
      combine prints the combined effect of several policies on one user: the most restrictive value of each setting, and \
      what lists have in common. A default policy does not count beside policies for groups. The column "from" names the \
      policy with the value; "why" is only (no other policy sets it where it counts), same (all that set it agree), \
      strictest, common (the shared part of lists), first (another is as strict) or dropped (it has no effect beside the \
      other settings).
      """,
      """
      level names the level of Microsoft's data protection framework that a policy meets, from 1 to 3, and what keeps it from \
      the next: each setting with its value and the one it should have. Values that are stricter meet a level too. With \
      --require, the exit code is 1 if a policy is below that level; then policies for other platforms, and files named on \
      the command line that hold no policy, fail as well. Without it, they are named as out of scope.
      """,
      """
      A file holds JSON from Microsoft Graph, in any form that exports take, or a device's diagnostic dump: JSON, a \
      property list, or the lines that Edge shows under about:intunehelp. With --account, WHAT is a journal or \
      JOURNAL@POSITION. show also prints app configurations, registrations and reports of the service.
      """,
      """
      show, lint and level also take - for standard input, and folders, whose .json, .plist and .txt files they read in the order \
      of their names, subfolders included. Documents for other platforms and of other types are counted as skipped, which is \
      not an error. lint checks app configurations too.
      """,
    ],
    examples: [
      .init("pj policy lint export", "Checks all policies of a tenant's export, in every subfolder."),
      .init("pj policy level export --require 2", "Fails unless every policy for iOS meets level 2."),
      .init("pj policy show field.pj@2021-06 --account a1", "The policy that an account had at the end of June 2021."),
    ],
    positionals: [
      PositionalDescription("ACTION", accepting: .oneOf(Action.allCases.map(\.rawValue)), "What to do."),
      PositionalDescription(
        "WHAT", .many, completion: .file,
        "Files; for show, lint and level also folders and -; with --account, journals. diff takes two."),
    ],
    options: [
      OptionDescription(
        "account", value: "ACCOUNT",
        "The policy of this account in a journal: its pseudonym, object id or user principal name."),
      OptionDescription(
        "all",
        "show, combine: include settings that are not configured. level: what each of several policies lacks."),
      OptionDescription(
        "require", value: "LEVEL", accepting: .integer(1...3), "level: fail if a policy does not meet this level."),
      OptionDescription(
        "revision", value: "DATE", accepting: .oneOf(FrameworkRevision.all.map(\.date)),
        "level: compare with the framework as of this day; otherwise with the newest revision."),
      OptionDescription("settings-only", "diff: ignore what identifies a revision: id, version and dates."),
      JournalSeeking.option,
    ],
    exitCodes: [
      ExitCodeDescription(0, "done; lint found nothing, or notes only; the policies agree; the required level is met"),
      ExitCodeDescription(
        1, "lint found an error or a warning; the policies differ; a policy is below the required level"),
      ExitCodeDescription(2, "wrong use: one line names the mistake and the nearest valid name"),
      ExitCodeDescription(3, "a journal is incomplete or damaged"),
      ExitCodeDescription(
        4,
        "a file cannot be read, or no known document was found; diff and combine: one of them is not a policy for iOS"),
      ExitCodeDescription(5, "a journal needs a newer tool"),
    ])

  /// What the command can do.
  enum Action: String, CaseIterable {
    case show
    case diff
    case combine
    case lint
    case level
  }

  static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let words = context.arguments.positionals("WHAT")
    guard !words.isEmpty else {
      throw Failure(.wrongUse, "a file is missing, such as policy.json", next: "pj help policy")
    }
    let action = context.arguments.positional("ACTION").flatMap(Action.init)
    if context.arguments.flag("all"), action == .diff || action == .lint {
      throw Failure(.wrongUse, "--all applies to show, combine and level only", next: "pj help policy")
    }
    if context.arguments.flag("settings-only"), action != .diff {
      throw Failure(.wrongUse, "--settings-only applies to diff only", next: "pj help policy")
    }
    for option in ["require", "revision"] where context.arguments.value(of: option) != nil && action != .level {
      throw Failure(.wrongUse, "--\(option) applies to level only", next: "pj help policy")
    }
    switch action {
    case .diff: return try PolicyDiffReport.run(words, context)
    case .combine: return try PolicyCombinationReport.run(words, context)
    case .lint: return PolicyLintReport.run(words, context)
    case .level: return PolicyLevelReport.run(words, context)
    case .show, nil: return PolicyReport.run(words, context)
    }
  }
}
