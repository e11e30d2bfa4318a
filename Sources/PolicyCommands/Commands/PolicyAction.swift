import CommandLineInterface
import CommandSupport
import PolicyDocuments

/// One action of `pj policy`: its part of the help with the options it takes, and what it does.
struct PolicyAction: Sendable {
  /// The word that selects it, what the help says of it, and its options.
  let description: CommandDescription
  /// What it writes with `-j`.
  let schema: OutputSchema
  /// Carries it out on the words that name its inputs.
  let run: @Sendable ([String], CommandContext) throws(Failure) -> ExitCode

  /// Every action, in the order of the help.
  static let all = [list, show, diff, combine, convert, effective, ask, due, lint, level]

  init(
    _ name: String, _ summary: String, discussion: [HelpBlock] = [], examples: [CommandDescription.Example],
    _ what: String = "Files, folders, zip and tar files, or -; with --account, journals.",
    options: [OptionDescription] = [], schema: OutputSchema,
    _ run: @escaping @Sendable ([String], CommandContext) throws(Failure) -> ExitCode
  ) {
    description = CommandDescription(
      name, summary, discussion: discussion, examples: examples,
      positionals: [PositionalDescription("WHAT", .many, completion: .file, what)], options: options)
    (self.schema, self.run) = (schema, run)
  }
}

extension OptionDescription {
  /// What reports of settings otherwise leave out.
  static let everySetting = OptionDescription("all", "Include settings that are not configured.")
}

extension PolicyAction {
  static let list = PolicyAction(
    "list",
    """
    Lists every document of an export: read, out of scope with its type, or refused with the place, the reason and the next \
    step; and how many there are of each.
    """,
    examples: [.init("pj policy list export.zip", "What an export holds, and what of it is read.")],
    schema: PolicyListReport.records.schema
  ) { words, context in PolicyListReport.run(words, context) }
}

extension PolicyAction {
  static let show = PolicyAction(
    "show",
    """
    Prints a policy in the words of the administration portal; also app configurations, registrations and reports of the \
    service.
    """,
    examples: [
      .init("pj policy show policy.json --all", "Every setting, with those that are not configured."),
      .init("pj policy show field.pj@2021-06 --account a1", "The policy that an account had at the end of June 2021."),
    ],
    options: [.everySetting] + ReportInput.options,
    schema: PolicyReport.records.schema
  ) { (words, context) throws(Failure) in try PolicyReport.run(words, context) }
}

extension PolicyAction {
  static let lint = PolicyAction(
    "lint",
    """
    Names contradictions, settings without effect and leftovers from templates, each with its rule, its place, the reason \
    and the next step. It checks app configurations too, and of an export what only several documents show together.
    """,
    discussion: [
      """
      Of an export, lint also names policies that give the same users different values in one app, apps that are configured and in no \
      policy, policies for managed devices without IntuneMAMUPN, groups that are missing or empty, assignments and exclusions \
      without effect, and policies of one name for iOS and Android that differ. What an export does not have is unknown and causes no \
      finding.
      """,
      """
      A profile of lint is JSON: {"profile": 1, "rules": [{"rule": "openClipboard", "do": "silence", "reason": "…"}]}. \
      Findings of a rule, or with "setting" those about one setting, are silenced, raised by one step, or, with "require", \
      errors. The exit code follows the profile; what silences nothing is named.
      """,
    ],
    examples: [
      .init("pj policy lint export --profile rules.json", "Checks all policies of an export, but for what is silenced.")
    ],
    options: [
      OptionDescription("profile", value: "FILE", "Which rules to silence, to raise or to require, and why.")
    ] + ReportInput.options(with: CheckFormat.allCases.map(\.rawValue)),
    schema: PolicyLintReport.records.schema
  ) { (words, context) throws(Failure) in try PolicyLintReport.run(words, context) }
}

extension PolicyAction {
  static let effective = PolicyAction(
    "effective",
    """
    Names the policies and app configurations of an export that count for a user in an app, with the reasons, combines the \
    policies, and says where configurations contradict one another.
    """,
    discussion: [
      """
      effective decides by platform, apps, excluded and included groups, filters and device types. What the export and the files do \
      not say stays undecided, is named as a condition, and ends in 3. A file for --groups lists members, who may be groups: \
      {"Finance": ["ada@contoso.com", "Team A"]}; groups that an export has with their members count, too. One for --device \
      has the facts that filters ask for: {"deviceManagementType": "Managed", "IntuneMAMUPN": true, "osVersion": "17.4"}; on iOS a \
      device counts as managed only where IntuneMAMUPN is delivered. An app, a user or a fact that no list has is undecided as \
      well, and named with the nearest that one has. With --require-policy, effective exits with 1 if no policy counts.
      """,
      """
      With --matrix, the groups that assignments name are the rows and the apps the columns; apps for which the same counts share one. A \
      cell has the numbers of the policies that count for someone who is in that group alone, with a question mark where it is \
      undecided. Groups have numbers unless --reveal names them.
      """,
    ],
    examples: [
      .init(
        "pj policy effective export --user ada@contoso.com --app com.microsoft.Office.Outlook --groups members.json",
        "Which policies Ada has in Outlook, and what they add up to."),
      .init("pj policy effective export --matrix", "Which policies the members of each group have in each app."),
    ],
    options: [
      .everySetting,
      OptionDescription(
        "user", value: "NAME", repeatable: true,
        "The user, by each name that the memberships use, such as the user principal name."),
      OptionDescription("app", value: "ID", "The app's bundle identifier, or its package on Android."),
      OptionDescription(
        "platform", value: "NAME", accepting: .oneOf(PolicyPlatform.allCases.map(\.rawValue)),
        "The platform of the device: iOS unless another is named."),
      OptionDescription(
        "groups", value: "FILE", repeatable: true, completion: .file, "Who is in which group."),
      OptionDescription("device", value: "FILE", completion: .file, "What is known of the device."),
      OptionDescription("matrix", "Ask for every group of the export and every app."),
      OptionDescription("require-policy", "Fail if no policy counts for the user in the app."),
    ] + ReportInput.options,
    schema: PolicyEffectiveReport.records.schema
  ) { (words, context) throws(Failure) in try PolicyEffectiveReport.run(words, context) }
}

extension PolicyAction {
  static let combine = PolicyAction(
    "combine", "Prints the combined effect of several policies on one user.",
    discussion: [
      """
      combine takes the most restrictive value of each setting, and what lists have in common. A default policy does not \
      count beside policies for groups. The column "from" names the policy with the value; "why" is only (no other policy \
      sets it where it counts), same (all that set it agree), strictest, common (the shared part of lists), first (another \
      is as strict) or dropped (it has no effect beside the other settings).
      """
    ],
    examples: [.init("pj policy combine all.json sales.json", "What a user has to whom both policies are assigned.")],
    "Files, or with --account journals.",
    options: [.everySetting] + ReportInput.options,
    schema: PolicyCombinationReport.records.schema
  ) { (words, context) throws(Failure) in try PolicyCombinationReport.run(words, context) }
}

extension PolicyAction {
  static let convert = PolicyAction(
    "convert",
    """
    Writes policies in another shape: documents of Graph, a table of all values, or the folder of IntuneCD. What is written is \
    read back first, and compared.
    """,
    discussion: [
      """
      convert writes nothing where something would be lost, and names it; with --lossy it writes the rest. A policy of which a value is \
      unknown, or from a source that leaves settings out, is always refused: in a new shape, what is missing counts as not configured. \
      IntuneCD leaves out what identifies a policy in a tenant, such as its id and version. Documents that are no policies are skipped.
      """,
      """
      The table has a line for each value: the number of its policy, the path to it, and the value as JSON, where a plain text stands \
      without quotation marks. Every command of pj policy reads it.
      """,
    ],
    examples: [
      .init("pj policy convert policy.yaml --to graph > policy.json", "A document that Graph takes."),
      .init(
        "pj policy convert export.zip --to csv -o policies.csv", "All settings of all policies, to sort and to search."),
      .init("pj policy convert policy.json --to intunecd --lossy -o backup", "A folder, without the tenant's ids."),
    ],
    options: [
      OptionDescription(
        "to", value: "SHAPE", accepting: .oneOf(PolicyConversion.Shape.allCases.map(\.rawValue)), "The new shape."),
      OptionDescription(
        "output", short: "o", value: "PLACE", completion: .file,
        "The file to write, or for intunecd the folder; must not exist. Without it, convert prints the file."),
      OptionDescription("lossy", "Leave out what the new shape does not hold, and policies that are unknown in part."),
    ],
    schema: PolicyConvertReport.records.schema
  ) { (words, context) throws(Failure) in try PolicyConvertReport.run(words, context) }
}

extension PolicyAction {
  static let level = PolicyAction(
    "level",
    """
    Names the level of Microsoft's data protection framework that a policy meets, from 1 to 3, and what keeps it from the \
    next: each setting with its value and the one it should have. Values that are stricter meet a level too.
    """,
    discussion: [
      """
      With --require, level exits with 1 if a policy is below that level; then policies for which the revision has no values, \
      and files named on the command line that hold no policy, fail as well, and where no policy is judged, it exits with 4. Without \
      it, they are named as out of scope.
      """,
      """
      A baseline of your own is JSON: {"baseline": 1, "title": "…", "settings": [{"setting": "minimumPinLength", "is": "atLeast", \
      "value": 6, "reason": "…"}]}. "is" takes atLeast, equals, set and unset; a setting is named as in Graph or in the portal; \
      "platform" and "severity" (error, warning, note) may be given. level then exits with 1 unless only notes are left.
      """,
    ],
    examples: [.init("pj policy level export --require 2", "Fails unless every policy meets level 2.")],
    options: [
      OptionDescription("all", "Say what each of several policies lacks."),
      OptionDescription(
        "require", value: "LEVEL", accepting: .integer(1...3), "Fail if a policy does not meet this level."),
      OptionDescription(
        "revision", value: "DATE", accepting: .oneOf(FrameworkRevision.all.map(\.date)),
        "Compare with the framework as of this day; otherwise with the newest revision."),
      OptionDescription(
        "baseline", value: "WHAT", completion: .file,
        "Compare with your own baseline instead: a file of settings, or policies, each of whose settings is the least."),
    ] + ReportInput.options(with: CheckFormat.allCases.map(\.rawValue)),
    schema: PolicyLevelReport.records.schema
  ) { (words, context) throws(Failure) in try PolicyLevelReport.run(words, context) }
}

extension PolicyAction {
  static let due = PolicyAction(
    "due",
    """
    Says what a policy for iOS brings to a device that is offline, and when: the next check-in, the PIN, a block, a wipe.
    """,
    discussion: [
      """
      due imagines a device that was in touch at one moment: the account had checked in, and the user had chosen the PIN, signed in \
      and opened the app. The rules of the app then say what time alone brings, if nothing else happens. What is due comes when the \
      app is next opened. pj explain JOURNAL 'due(a1)' says the same of an account in a journal.
      """
    ],
    examples: [
      .init(
        "pj policy due policy.json --since 2026-11-27T18:00Z", "When a device that is offline since Friday is blocked.")
    ],
    options: [
      OptionDescription(
        "since", value: "TIME",
        "When the device was last in touch: 2026-11-27T18:00Z, or with an offset. Default: no time, only how long it takes."
      )
    ],
    schema: PolicyDueReport.records.schema
  ) { (words, context) throws(Failure) in try PolicyDueReport.run(words, context) }
}

extension PolicyAction {
  static let diff = PolicyAction(
    "diff",
    """
    Compares two policies, two app configurations, a policy with what a device has, or two exports, setting by setting.
    """,
    discussion: [
      """
      diff compares policies for different platforms where settings correspond. Values that mean something on one platform only, \
      such as versions and names of apps, are listed beside each other, and count as a difference where one policy alone has any.
      """,
      """
      With --account, one of the two may be a file and the other a journal: diff then says since which event each setting \
      drifted. Of two exports, or a file and an export, documents of the same type and id, or else of the same name, are \
      compared without ids, revisions, dates and order. A file says nothing of other documents. What a response of Graph or \
      Microsoft365DSC leaves out is not compared.
      """,
    ],
    examples: [
      .init("pj policy diff old.json new.json --settings-only", "What changed, apart from revisions and dates."),
      .init(
        "pj policy diff field.pj policy.json --account a1", "Since which event an account's policy differs from a file."
      ),
    ],
    "Two files, folders, zip or tar files, or with --account journals.",
    options: [
      OptionDescription("settings-only", "Ignore what identifies a revision: id, version and dates.")
    ] + ReportInput.options,
    schema: PolicyDiffReport.records.schema
  ) { (words, context) throws(Failure) in try PolicyDiffReport.run(words, context) }
}

extension PolicyAction {
  static let ask = PolicyAction(
    "ask",
    """
    Answers a question in an app that has just applied a policy, rule by rule, with what to change; or all questions of \
    several policies side by side. Of two policies without a question, it names the answers that differ or are unknown.
    """,
    discussion: [
      """
      WHAT is the policies, and a question such as 'saveTo(box, owner)': pj help questions. The account "owner", or the first of \
      --situation, has the policy; "other" is one of another organization, whose policy restricts nothing. The rules are those of \
      apps on iOS; every other policy is skipped. With two policies, ask exits with 1 if they answer differently.
      """,
      """
      An answer that needs a version which no option gives, or a setting of which the document says nothing, is unknown, and ask \
      exits with 3. Times are lengths since the moment that is asked about: it has no date.
      """,
    ],
    examples: [
      .init("pj policy ask policy.json 'saveTo(box, owner)'", "Whether the policy lets data go to Box, and why."),
      .init("pj policy ask old.json new.json", "Which answers a change of a policy changes."),
      .init("pj policy ask export --matrix --format html > answers.html", "What every policy of an export allows."),
    ],
    "Files, folders, zip and tar files, or -; with --account, journals; and a question.",
    options: [OptionDescription("matrix", "Ask all that a policy answers: each location, app and feature.")]
      + SituationInput.options + ReportInput.options,
    schema: PolicyAskReport.records.schema
  ) { (words, context) throws(Failure) in try PolicyAskReport.run(words, context) }
}
