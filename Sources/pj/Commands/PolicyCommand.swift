import CommandLineInterface
import PolicyDocuments

/// `pj policy`: what a policy says in the portal's words, how two differ, what several come to, and what is
/// wrong with one.
enum PolicyCommand: Command {
  static let description = CommandDescription(
    "policy", "Shows, compares, combines or checks app protection policies.",
    discussion: [
      """
      show prints a policy in the words of the administration portal; diff prints what differs between two, setting by \
      setting; lint names contradictions, settings without effect and texts left in from templates, each with its rule, \
      its place, the reason and the next step.
      """,
      """
      combine prints what several policies on one user come to: of each setting the most restrictive value, of lists what \
      they have in common, and nothing of a default policy beside policies for groups. The column "from" tells which policy \
      has the value; "why" is only (no other has it where it counts), same (all that have it agree), strictest, common (what lists \
      share), first (another is as strict) or dropped (it says nothing beside the other settings).
      """,
      """
      A file is JSON from Microsoft Graph, in any shape that exports have, or what a device wrote: a diagnostic dump as \
      JSON or property list, or the lines that Edge shows under about:intunehelp. With --account, WHAT is a journal, or \
      JOURNAL@POSITION. show also prints app configurations, registrations and reports of the service.
      """,
      """
      show and lint also take -, which is standard input, and folders: of these every .json, .plist and .txt file, also in the \
      folders below, in the order of the names. Documents of other platforms and types are counted as skipped, which is not an \
      error. lint checks app configurations too.
      """,
    ],
    examples: [
      .init("pj policy lint export", "What is wrong in the policies of a tenant, wherever they are in the folder."),
      .init("pj policy diff wanted.json dump.txt", "What a device has and the service does not, or the reverse."),
      .init("pj policy show field.pj@2021-06 --account a1", "The policy that an account had at the end of June 2021."),
    ],
    positionals: [
      PositionalDescription("ACTION", accepting: .oneOf(Action.allCases.map(\.rawValue)), "What to do."),
      PositionalDescription(
        "WHAT", .many, completion: .file,
        "Files, for show and lint also folders and -; journals with --account; for diff, two of them."),
    ],
    options: [
      OptionDescription(
        "account", value: "ACCOUNT",
        "The policy of this account in a journal: its pseudonym, object id or user principal name."),
      OptionDescription("all", "show, combine: also settings that are not configured."),
      OptionDescription("settings-only", "diff: leaves out what identifies a revision: id, version and dates."),
    ],
    exitCodes: [
      ExitCodeDescription(0, "done; lint found nothing, or notes only; both policies say the same"),
      ExitCodeDescription(1, "lint found an error or a warning; the policies differ"),
      ExitCodeDescription(2, "wrong use: one line says what, with the nearest valid name"),
      ExitCodeDescription(3, "a journal is incomplete or damaged"),
      ExitCodeDescription(
        4, "a file cannot be read, or no document is known; diff and combine: one of them is not a policy for iOS"),
      ExitCodeDescription(5, "a journal needs a newer tool"),
    ])

  /// What the command can do.
  enum Action: String, CaseIterable {
    case show
    case diff
    case combine
    case lint
  }

  static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let words = context.arguments.positionals("WHAT")
    guard !words.isEmpty else {
      throw Failure(.wrongUse, "a file is missing, such as policy.json", next: "pj help policy")
    }
    let action = context.arguments.positional("ACTION").flatMap(Action.init)
    if context.arguments.flag("all"), action != .show, action != .combine {
      throw Failure(.wrongUse, "--all applies to show and combine only", next: "pj help policy")
    }
    if context.arguments.flag("settings-only"), action != .diff {
      throw Failure(.wrongUse, "--settings-only applies to diff only", next: "pj help policy")
    }
    switch action {
    case .diff: return try PolicyDiffReport.run(words, context)
    case .combine: return try PolicyCombinationReport.run(words, context)
    case .lint: return PolicyLintReport.run(words, context)
    case .show, nil: return PolicyReport.run(words, context)
    }
  }
}
