import AppProtection
import CommandLineInterface
import CommandSupport
import Forensics
import JSON
import PlainText
import PolicyDocuments
import ProtectionSupport

/// What `pj policy effective` prints: which policies and app configurations of an export count for a user in an app and why, and
/// what they add up to.
struct PolicyEffectiveReport {
  /// A document of the export that may count.
  private struct Candidate<Content> {
    let content: Content
    let file: String
    /// Where it lies in the file.
    let path: String
    let name: PortalValue?
    let targeting: PolicyTargeting

    var place: String { path.isEmpty ? file : "\(file): \(path)" }
  }

  private let context: CommandContext
  private let app: String
  private let candidates: [Candidate<PolicyFile.Item>]
  private let configurations: [Candidate<AppConfigurationDocument>]

  static func run(_ words: [String], _ context: CommandContext) throws(Failure) -> ExitCode {
    if context.arguments.flag("matrix") { return try PolicyMatrixReport.run(words, context) }
    let form = try ReportInput(context)
    let users = context.arguments.values(of: "user")
    guard let app = context.arguments.value(of: "app"), !users.isEmpty else {
      throw Failure(.wrongUse, "effective needs --user and --app, or --matrix", next: "pj help policy")
    }
    let given = try PolicyTenantInput.groups(context)
    let device = try PolicyTenantInput.device(context)
    context.begin(records, app)
    let (export, inputs) = PolicyTenantInput.read(words, given, context)
    let platform = context.arguments.value(of: "platform").flatMap(PolicyPlatform.init) ?? .ios
    var question = PolicyTargeting.Question(
      app: app, on: platform, user: users, groups: export.groups, filters: export.filters, device: device)
    let intended = PolicyTargeting.intended(by: app, in: export.items.map(\.item.policy), on: platform)
    question.isAppDoubtful = intended.isDoubtful
    let hasDoubts = noteDoubts(question, intended.near, context)
    let report = PolicyEffectiveReport(
      context: context, app: app,
      candidates: export.items.map { item, file in
        Candidate(
          content: item, file: file, path: item.path, name: PolicyReport.name(of: item.policy),
          targeting: PolicyTargeting(
            of: item.policy, lacking: item.lost, isPartial: item.isPartial, listsGroupsAlone: item.listsGroupsAlone,
            for: question))
      },
      configurations: export.configurations.map { configuration, lost, isPartial, file in
        Candidate(
          content: configuration, file: file, path: "",
          name: PolicyReport.name(of: .appConfiguration(configuration)),
          targeting: PolicyTargeting(of: configuration, lacking: lost, isPartial: isPartial, for: question))
      })
    let code = report.print(inputs, as: form, hasDoubts: hasDoubts)
    if report.candidates.isEmpty, report.configurations.isEmpty {
      context.note("no policy and no app configuration was judged. Next: \(PolicyInputs.list(words))")
    }
    return code
  }

  /// Says what is not known of the question itself, with the nearest name that is.
  private static func noteDoubts(
    _ question: PolicyTargeting.Question, _ nearApp: String?, _ context: CommandContext
  ) -> Bool {
    func nearest(_ name: String?) -> String { name.map { "; nearest: \(TerminalText.visible($0))" } ?? "" }
    var hasDoubts = false
    if question.isAppDoubtful {
      context.note(
        "--app \(question.app.shellWord) is in no list of apps\(nearest(nearApp)). Next: write the app's whole identifier"
      )
      hasDoubts = true
    }
    if !question.groups.knows(question.user), let user = question.user.first {
      let near = question.user.lazy.compactMap(question.groups.nearest).first.flatMap(context.redaction.shown)
      let shown = context.redaction.shown(user) ?? context.redaction.placeholder(for: .account)
      context.note(
        "--user \(shown.shellWord) is in no list of members\(nearest(near)). Next: name the user as a list does, or give --groups"
      )
    }
    for fact in question.device.unknownValues {
      context.note(
        "--device: \(fact.name) has no value \(JSONExcerpt.quoted(fact.value)), and counts as not known\(nearest(fact.nearest))"
      )
      hasDoubts = true
    }
    return hasDoubts
  }

  private func print(_ inputs: PolicyInputs, as form: ReportInput?, hasDoubts: Bool) -> ExitCode {
    let counting = candidates.filter { $0.targeting.outcome == .yes }
    let delivered = configurations.filter { $0.targeting.outcome == .yes }
    let undecided = (candidates.map(\.targeting) + configurations.map(\.targeting)).count { $0.outcome == .unknown }
    let combination = PolicyCombinationReport(counting.map { ($0.content, $0.place) }, context)
    let settings = ConfigurationCombination(of: delivered.map(\.content)).settings
    let known = ExitCode.worst(inputs.exitCode, undecided == 0 && !hasDoubts ? .done : .partial)
    let isEmpty = candidates.isEmpty && configurations.isEmpty
    let judged = ExitCode.worst(known, combination.exitCode, isEmpty ? .unreadable : .done)
    let isUncovered = context.arguments.flag("require-policy") && counting.isEmpty
    let code = judged == .done && isUncovered ? ExitCode.different : judged
    if let form {
      if !isEmpty { form.print(table(combination, settings, delivered), to: context) }
      note(combination, inputs)
      return code
    }
    context.report { lines in
      lines.add(Self.candidate, each: candidates.map(facts))
      lines.add(Self.configuration, each: configurations.map(facts))
      let disputed = combination.write(to: lines)
      lines.add(Self.configurationSetting, each: settings.map { (PolicyReport.shownName($0.key, context), $0) })
      let counts = [
        candidates.count, counting.count, delivered.count, undecided, disputed, settings.count(where: \.isConflict),
      ]
      lines.end(Self.records, (counts, inputs), code)
    } text: {
      printText(combination, settings, delivered)
      note(combination, inputs)
    }
    return code
  }

  private func printText(
    _ combination: PolicyCombinationReport, _ settings: [ConfigurationCombination.Setting],
    _ delivered: [Candidate<AppConfigurationDocument>]
  ) {
    print(candidates, titled: "policy")
    context.output.line(effect(of: combination))
    if !combination.members.isEmpty { combination.printTable() }
    if !configurations.isEmpty {
      context.output.line()
      print(configurations, titled: "app configuration")
      print(settings, of: delivered)
    }
  }

  /// How many policies certainly count.
  private func effect(of combination: PolicyCombinationReport) -> String {
    let count = combination.members.count
    return (count == 0 ? "no policy certainly counts for" : "effect of \(count.counted("policy", "policies")) on")
      + " this user in \(TerminalText.visible(app))"
  }

  /// Says what may change the answer.
  private func note(_ combination: PolicyCombinationReport, _ inputs: PolicyInputs) {
    if !combination.members.isEmpty {
      combination.noteLosses()
      combination.noteContradictions()
    }
    note(candidates, "polic", ("y", "ies"))
    note(configurations, "app configuration", ("", "s"))
    if let skipped = inputs.skippedText { context.note(skipped) }
  }

  /// Says how many documents are undecided.
  private func note<Content>(_ candidates: [Candidate<Content>], _ noun: String, _ endings: (one: String, more: String))
  {
    let count = candidates.count { $0.targeting.outcome == .unknown }
    guard count > 0 else { return }
    context.note(
      "\(count) \(noun)\(count == 1 ? endings.one : endings.more) may count, too, and \(count == 1 ? "is" : "are") not in the table: facts are missing. "
        + "Next: \(steps(for: candidates))")
  }

  /// What to get so that nothing is undecided, each once.
  private func steps<Content>(for candidates: [Candidate<Content>]) -> String {
    let missing = candidates.filter { $0.targeting.outcome == .unknown }.flatMap(\.targeting.reasons).compactMap(
      \.missing)
    var (facts, groups, filters, members, sets) = ([String](), [String](), [String](), [String](), [String]())
    func add(_ text: String, to list: inout [String]) { if !list.contains(text) { list.append(text) } }
    for missing in missing {
      switch missing {
      case .facts(let names): for name in names { add(name, to: &facts) }
      case .members(let group): add(group, to: &groups)
      case .filter(let id): add(id, to: &filters)
      case .member(let name): add(name, to: &members)
      case .appsOf(let group): add(group.rawValue, to: &sets)
      }
    }
    let steps = [
      facts.isEmpty ? nil : "--device with \(facts.joined(separator: ", "))",
      groups.isEmpty ? nil : "--groups with the members of \(named(groups, "group"))",
      filters.isEmpty ? nil : "an export with \(named(filters, "filter"))",
      members.isEmpty ? nil : "an export with \(members.joined(separator: ", "))",
      sets.isEmpty ? nil : "look in the admin center which apps \(sets.joined(separator: ", ")) has",
    ].compactMap(\.self)
    return steps.isEmpty ? "--groups and --device name them" : steps.joined(separator: "; ")
  }

  /// The most names of one note.
  private static let mostNamed = 5

  /// Names of groups or filters, or how many there are where they are withheld.
  private func named(_ names: [String], _ noun: String) -> String {
    guard context.redaction.shows(.account) else {
      return "\(names.count.counted(noun)) (--reveal names \(names.count == 1 ? "it" : "them"))"
    }
    let rest = names.count - Self.mostNamed
    return TerminalText.visible(
      names.prefix(Self.mostNamed).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : ""))
  }

  /// Prints what is delivered to the app, and where configurations contradict one another.
  private func print(
    _ settings: [ConfigurationCombination.Setting], of delivered: [Candidate<AppConfigurationDocument>]
  ) {
    guard !settings.isEmpty else { return context.output.line("no app configuration certainly counts for this user") }
    var table = TextTable([TextColumn("key"), TextColumn("value"), TextColumn("from"), TextColumn("")])
    for setting in settings {
      for (index, entry) in setting.values.enumerated() {
        table.append([
          TextCell(index == 0 ? TerminalText.visible(PolicyReport.shownName(setting.key, context)) : ""),
          TextCell(PolicyReport.shown(entry.value, context)),
          TextCell(entry.from.map { name(of: delivered[$0]) }.joined(separator: ", ")),
          TextCell(setting.isConflict ? "conflict: the app takes any, the smallest or the largest" : "", [.yellow]),
        ])
      }
    }
    context.print(table)
  }

  private func words(_ outcome: Truth) -> String {
    switch outcome {
    case .yes: "counts"
    case .no: "does not count"
    case .unknown: "undecided"
    }
  }

  private func name<Content>(of candidate: Candidate<Content>) -> String {
    candidate.name.map { PolicyReport.shown($0, context) } ?? TerminalText.visible(candidate.place)
  }

  private func print<Content>(_ candidates: [Candidate<Content>], titled title: String) {
    var table = TextTable([TextColumn(title), TextColumn(""), TextColumn("why")])
    for candidate in candidates {
      for (index, reason) in candidate.targeting.reasons.enumerated() {
        table.append([
          TextCell(index == 0 ? name(of: candidate) : ""),
          TextCell(index == 0 ? words(candidate.targeting.outcome) : ""), TextCell(TerminalText.visible(text(reason))),
        ])
      }
    }
    context.print(table)
  }

  /// The reason, with the group's or filter's name where it may be shown.
  private func text(_ reason: PolicyTargeting.Reason) -> String {
    guard let name = reason.name else { return reason.message }
    let shown = context.redaction.shows(.account) ? name : context.redaction.placeholder(for: .account)
    return "\(reason.message) [\(shown)]"
  }

  // MARK: A report

  private func table(
    _ combination: PolicyCombinationReport, _ settings: [ConfigurationCombination.Setting],
    _ delivered: [Candidate<AppConfigurationDocument>]
  ) -> Report {
    let effect = effect(of: combination)
    var report = Report(
      title: "What counts for a user", summary: effect.prefix(1).uppercased() + effect.dropFirst() + ".")
    report.tables.append(targeting(candidates, titled: "Policies"))
    if !combination.members.isEmpty {
      var table = combination.table
      table.title = "Effect"
      report.tables.append(table)
    }
    report.tables.append(targeting(configurations, titled: "App configurations"))
    report.tables.append(table(of: settings, delivered))
    report.tables.removeAll { $0.rows.isEmpty }
    return report
  }

  /// The documents beside each other, with the steps that decide.
  private func targeting<Content>(_ candidates: [Candidate<Content>], titled title: String) -> ReportTable {
    var table = ReportTable(title: title, subject: "Decided by", columns: candidates.map(column))
    guard !candidates.isEmpty else { return table }
    table.rows = [
      ReportTable.Row(
        section: title, title: "Outcome",
        cells: candidates.map {
          ReportTable.Cell(text: words($0.targeting.outcome), isNotable: $0.targeting.outcome == .unknown)
        }, isDifferent: candidates.contains { $0.targeting.outcome == .unknown })
    ]
    for step in PolicyTargeting.Step.allCases {
      let found = candidates.map { $0.targeting.reasons.filter { $0.step == step } }
      guard found.contains(where: { !$0.isEmpty }) else { continue }
      table.rows.append(
        ReportTable.Row(
          section: title, title: Self.title(of: step),
          cells: found.map { reasons in
            ReportTable.Cell(
              text: TerminalText.visible(reasons.map(text).joined(separator: "; ")),
              isNotable: reasons.contains { $0.outcome == .unknown })
          }, isDifferent: found.joined().contains { $0.outcome == .unknown }))
    }
    return table
  }

  private static func title(of step: PolicyTargeting.Step) -> String {
    switch step {
    case .platform: "Platform"
    case .app: "App"
    case .exclusion: "Excluded groups"
    case .inclusion: "Included groups"
    case .filter: "Filter"
    case .management: "Device types"
    case .precedence: "Precedence"
    }
  }

  private func column<Content>(of candidate: Candidate<Content>) -> ReportTable.Column {
    ReportTable.Column(
      name: candidate.name.map { PolicyReport.shown($0, context) } ?? "", path: TerminalText.visible(candidate.place))
  }

  /// What is delivered to the app, by key.
  private func table(
    of settings: [ConfigurationCombination.Setting], _ delivered: [Candidate<AppConfigurationDocument>]
  ) -> ReportTable {
    var table = ReportTable(title: "Settings of app configurations", columns: delivered.map(column))
    table.rows = settings.map { setting in
      ReportTable.Row(
        section: table.title, title: TerminalText.visible(PolicyReport.shownName(setting.key, context)),
        cells: delivered.indices.map { place in
          let value = setting.values.first { $0.from.contains(place) }?.value
          return ReportTable.Cell(
            text: value.map { PolicyReport.shown($0, context) },
            verdict: setting.isConflict && value != nil ? "conflict" : "", isNotable: setting.isConflict && value != nil
          )
        }, isDifferent: setting.isConflict)
    }
    return table
  }

  // MARK: JSON

  private static let counted = ["candidates", "policies", "configurations", "undecided", "disputed", "conflicts"]

  /// What `-j` writes.
  static let records = JSONOutput<String, (counts: [Int], inputs: PolicyInputs)>(
    "policy.effective", start: [.init("app") { $0 }],
    [
      candidate, configuration, PolicyCombinationReport.policyRecord, PolicyCombinationReport.settingRecord,
      configurationSetting, JSONRecord.unreadable,
    ],
    end: counted.enumerated().map { place, name in .init(name) { $0.counts[place] } }
      + [JSONMember.skipped.of(\.inputs)])

  /// What a record says of a candidate, whatever it is.
  private typealias Facts = (file: String, path: String, name: PortalValue?, targeting: PolicyTargeting)

  private func facts<Content>(of candidate: Candidate<Content>) -> Facts {
    (candidate.file, candidate.path, candidate.name, candidate.targeting)
  }

  private static let candidate = JSONRecord<Facts>("candidate", members)
  private static let configuration = JSONRecord<Facts>("configuration", members)

  private static let members: [JSONMember<Facts>] = [
    .init("file", \.file), .init("path", \.path), .init("name", \.name),
    .init("outcome", oneOf: ["counts", "doesNotCount", "undecided"]) {
      switch $0.targeting.outcome {
      case .yes: "counts"
      case .no: "doesNotCount"
      case .unknown: "undecided"
      }
    }, .init("reasons", each: reason, \.targeting.reasons),
  ]

  private static let reason: [JSONMember<PolicyTargeting.Reason>] = [
    .init("step", \.step),
    .init("outcome", oneOf: ["yes", "no", "unknown"]) {
      switch $0.outcome {
      case .yes: "yes"
      case .no: "no"
      case .unknown: "unknown"
      }
    }, .init("message", \.message), .init("name") { $0.name.map { PrivateName(text: $0) } },
  ]

  private static let configurationSetting = JSONRecord<(key: String, setting: ConfigurationCombination.Setting)>(
    "configurationSetting",
    [
      .init("key", \.key), .init("conflict", \.setting.isConflict),
      .init("values", each: value) { $0.setting.values.map { ($0.value, $0.types, $0.from.map { $0 + 1 }) } },
    ])

  private static let value: [JSONMember<(value: PortalValue, types: [String], from: [Int])>] = [
    .init("value", \.value), .init("from", \.from), .ifAny("types") { $0.types.isEmpty ? nil : $0.types },
  ]
}

extension PolicyTargeting.Step: JSONWord {}

/// The name of a group or a filter, which may be that of a person.
struct PrivateName: JSONRepresentable {
  let text: String

  static var jsonShape: JSONShape { .value }

  func appendJSON(to bytes: inout [UInt8], _ redaction: Redaction) {
    (redaction.shows(.account) ? .string(text) : JSONValue.withheld).appendJSON(to: &bytes, redaction)
  }
}
