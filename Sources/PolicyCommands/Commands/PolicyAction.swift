import CommandLineInterface
import CommandSupport
import PolicyDocuments

/// One action of `pj policy`: its part of the help, the options it takes, and what it does.
struct PolicyAction: Sendable {
  /// The word that selects it.
  let name: String
  /// What it does: one sentence.
  let summary: String
  /// What else the help says of it.
  var discussion: [HelpBlock] = []
  /// The options it takes besides those of every action. Several actions may share one.
  var options: [OptionDescription] = []
  /// What it writes with `-j`.
  let schema: OutputSchema
  /// Carries it out on the words that name its inputs.
  let run: @Sendable ([String], CommandContext) throws(Failure) -> ExitCode

  /// Every action, in the order of the help.
  static let all = [list, show, diff, combine, effective, lint, level]

  /// Every option of an action, each once.
  static let options = all.flatMap(\.options).reduce(into: [OptionDescription]()) { options, option in
    if !options.contains(option) { options.append(option) }
  }

  /// Rejects an option of other actions.
  func expectOptions(_ context: CommandContext) throws(Failure) {
    for option in Self.options where context.arguments.isGiven(option.name) && !options.contains(option) {
      var names = Self.all.filter { $0.options.contains(option) }.map(\.name)
      let last = names.removeLast()
      let list = names.isEmpty ? last : names.joined(separator: ", ") + " and " + last
      throw Failure(.wrongUse, "--\(option.name) applies to \(list) only", next: "pj help policy")
    }
  }
}

extension OptionDescription {
  /// What `show`, `combine` and `level` otherwise leave out.
  static let everySetting = OptionDescription(
    "all",
    "show, combine, effective: include settings that are not configured. level: what each of several policies lacks.")
}

extension PolicyAction {
  static let list = PolicyAction(
    name: "list",
    summary: """
      Lists every document of an export: read, out of scope with its type, or refused with the place, the reason and the next \
      step; and how many there are of each.
      """,
    schema: PolicyListReport.records.schema
  ) { words, context in PolicyListReport.run(words, context) }
}

extension PolicyAction {
  static let show = PolicyAction(
    name: "show",
    summary: """
      Prints a policy in the words of the administration portal; also app configurations, registrations and reports of the \
      service.
      """,
    options: [.everySetting] + ReportInput.options,
    schema: PolicyReport.records.schema
  ) { (words, context) throws(Failure) in try PolicyReport.run(words, context) }
}

extension PolicyAction {
  static let lint = PolicyAction(
    name: "lint",
    summary: """
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
    options: [
      OptionDescription("profile", value: "FILE", "lint: which rules to silence, to raise or to require, and why.")
    ],
    schema: PolicyLintReport.records.schema
  ) { (words, context) throws(Failure) in try PolicyLintReport.run(words, context) }
}

extension PolicyAction {
  static let effective = PolicyAction(
    name: "effective",
    summary: """
      Names the policies and app configurations of an export that count for a user in an app, with the reasons, combines the \
      policies, and says where configurations contradict one another.
      """,
    discussion: [
      """
      effective decides by platform, apps, excluded and included groups, filters and device types. What the export and the files do \
      not say stays undecided, is named as a condition, and ends in 3. A file for --groups lists members, who may be groups: \
      {"Finance": ["ada@contoso.com", "Team A"]}; groups that an export has with their members count, too. One for --device \
      has the facts that filters ask for: {"deviceManagementType": "Unmanaged", "osVersion": "17.4"}. An app, a user or a fact that \
      no list has is undecided as well, and named with the nearest that one has. With --require-policy, effective exits with 1 if \
      no policy counts.
      """
    ],
    options: [
      .everySetting,
      OptionDescription(
        "user", value: "NAME", repeatable: true,
        "effective: the user, by each name that the memberships use, such as the user principal name."),
      OptionDescription("app", value: "ID", "effective: the app's bundle identifier, or its package on Android."),
      OptionDescription(
        "platform", value: "NAME", accepting: .oneOf(PolicyPlatform.allCases.map(\.rawValue)),
        "effective: the platform of the device: iOS unless another is named."),
      OptionDescription(
        "groups", value: "FILE", repeatable: true, completion: .file, "effective: who is in which group."),
      OptionDescription("device", value: "FILE", completion: .file, "effective: what is known of the device."),
      OptionDescription("require-policy", "effective: fail if no policy counts for the user in the app."),
    ],
    schema: PolicyEffectiveReport.records.schema
  ) { (words, context) throws(Failure) in try PolicyEffectiveReport.run(words, context) }
}

extension PolicyAction {
  static let combine = PolicyAction(
    name: "combine", summary: "Prints the combined effect of several policies on one user.",
    discussion: [
      """
      combine takes the most restrictive value of each setting, and what lists have in common. A default policy does not \
      count beside policies for groups. The column "from" names the policy with the value; "why" is only (no other policy \
      sets it where it counts), same (all that set it agree), strictest, common (the shared part of lists), first (another \
      is as strict) or dropped (it has no effect beside the other settings).
      """
    ],
    options: [.everySetting] + ReportInput.options,
    schema: PolicyCombinationReport.records.schema
  ) { (words, context) throws(Failure) in try PolicyCombinationReport.run(words, context) }
}

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
      and files named on the command line that hold no policy, fail as well, and where no policy is judged, it exits with 4. Without \
      it, they are named as out of scope.
      """
    ],
    options: [
      .everySetting,
      OptionDescription(
        "require", value: "LEVEL", accepting: .integer(1...3), "level: fail if a policy does not meet this level."),
      OptionDescription(
        "revision", value: "DATE", accepting: .oneOf(FrameworkRevision.all.map(\.date)),
        "level: compare with the framework as of this day; otherwise with the newest revision."),
    ] + ReportInput.options,
    schema: PolicyLevelReport.records.schema
  ) { (words, context) throws(Failure) in try PolicyLevelReport.run(words, context) }
}

extension PolicyAction {
  static let diff = PolicyAction(
    name: "diff",
    summary: """
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
    options: [
      OptionDescription("settings-only", "diff: ignore what identifies a revision: id, version and dates.")
    ] + ReportInput.options,
    schema: PolicyDiffReport.records.schema
  ) { (words, context) throws(Failure) in try PolicyDiffReport.run(words, context) }
}
