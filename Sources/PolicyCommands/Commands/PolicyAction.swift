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
  static let all = [list, show, diff, combine, effective, lint, level]

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
    and the next step. It checks app configurations too.
    """,
    discussion: [
      """
      A profile of lint is JSON: {"profile": 1, "rules": [{"rule": "openClipboard", "do": "silence", "reason": "…"}]}. \
      Findings of a rule, or with "setting" those about one setting, are silenced, raised by one step, or, with "require", \
      errors. The exit code follows the profile; what silences nothing is named.
      """
    ],
    examples: [
      .init("pj policy lint export --profile rules.json", "Checks all policies of an export, but for what is silenced.")
    ],
    options: [
      OptionDescription("profile", value: "FILE", "Which rules to silence, to raise or to require, and why.")
    ],
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
      """
    ],
    examples: [
      .init(
        "pj policy effective export --user ada@contoso.com --app com.microsoft.Office.Outlook --groups members.json",
        "Which policies Ada has in Outlook, and what they add up to.")
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
      OptionDescription("require-policy", "Fail if no policy counts for the user in the app."),
    ],
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
      """
    ],
    examples: [.init("pj policy level export --require 2", "Fails unless every policy meets level 2.")],
    options: [
      OptionDescription("all", "Say what each of several policies lacks."),
      OptionDescription(
        "require", value: "LEVEL", accepting: .integer(1...3), "Fail if a policy does not meet this level."),
      OptionDescription(
        "revision", value: "DATE", accepting: .oneOf(FrameworkRevision.all.map(\.date)),
        "Compare with the framework as of this day; otherwise with the newest revision."),
    ] + ReportInput.options,
    schema: PolicyLevelReport.records.schema
  ) { (words, context) throws(Failure) in try PolicyLevelReport.run(words, context) }
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
