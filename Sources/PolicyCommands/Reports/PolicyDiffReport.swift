import AppProtection
import CommandLineInterface
import CommandSupport
import Forensics
import JSON
import PlainText
import PolicyDocuments
import ProtectionSupport

/// What `pj policy diff` prints: every setting that differs between two policies, in the portal's words.
enum PolicyDiffReport {
  /// A setting that differs.
  struct Change {
    let group: String
    let title: String
    /// The value in each policy; `nil` if it has none.
    let before: PortalValue?
    let after: PortalValue?
    let isList: Bool
    /// The properties that the setting shows.
    var properties: [PolicyProperty] = []
    /// The properties of each document as Graph has them, or the word that they are withheld.
    let graph: (before: JSONValue, after: JSONValue)

    /// How many elements were added and removed, where both values are withheld and so may look the same.
    func hiddenChanges(_ context: CommandContext) -> (added: Int, removed: Int)? {
      guard let before, let after, PolicyReport.isHidden(before, context), PolicyReport.isHidden(after, context) else {
        return nil
      }
      return after.changes(from: before)
    }
  }

  static func run(_ words: [String], _ context: CommandContext) throws(Failure) -> ExitCode {
    guard words.count == 2 else {
      throw Failure(
        .wrongUse, "two policies are needed, but \(words.count) \(words.count == 1 ? "is" : "are") named",
        next: "pj help policy")
    }
    let report = try ReportInput(context)
    let isAccount = context.arguments.value(of: "account") != nil
    if !isAccount, words.contains(where: PolicyExportDiffReport.isExport) {
      return try exports(words, report, context)
    }
    // With an account, one of the two may be a file that its journal is compared with.
    let first = try PolicyInput(words[0], context, mayBeFile: true)
    let journal = [first.reading?.journal].compactMap { $0 }
    let inputs = (first, try PolicyInput(words[1], context, journals: journal, mayBeFile: true))
    if !isAccount, inputs.0.policies.count > 1 || inputs.1.policies.count > 1, !words.contains("-") {
      return try exports(words, report, context)
    }
    let journals = [inputs.0, inputs.1].compactMap(\.reading?.journal)
    let names = [inputs.0.name, inputs.1.name]
    if let one = inputs.0.configuration, let other = inputs.1.configuration {
      let lost = Set((inputs.0.lostInOthers + inputs.1.lostInOthers).joined())
      for input in [inputs.0, inputs.1] { input.noteUnknown(context) }
      let comparison = AppConfigurationComparison(of: one, with: other, lacking: lost)
      let columns = [(one, names[0]), (other, names[1])].map {
        PolicyReport.column(of: .appConfiguration($0), at: $1, context)
      }
      return run(comparison, names, columns, report, lost.isEmpty ? .done : .partial, context)
    }
    let items = (try inputs.0.policy(), try inputs.1.policy())
    let isAcross = items.0.policy.kind.platform != items.1.policy.kind.platform
    let across = isAcross ? PlatformComparison(of: items.0.policy, with: items.1.policy) : nil
    // Journals hold what the service delivered, so that what one of them lacks is a difference.
    let isWithinJournals = inputs.0.reading != nil && inputs.1.reading != nil
    let ignored = (context.arguments.flag("settings-only") ? revision : []).union(
      isWithinJournals ? [] : unlisted(items.0, items.1))
    let (changes, silent) =
      across.map { (Self.changes(in: $0, items, context), []) }
      ?? changes(items.0, items.1, ignoring: ignored, context)
    let drift = try PolicyDrift(items, (inputs.0.reading, inputs.1.reading), changes)
    context.begin(records, (names[0], names[1]))
    if let report {
      let columns = [(items.0, names[0]), (items.1, names[1])].map { PolicyReport.column(of: $0, at: $1, context) }
      let alike = across.map { alikeRows(of: $0, items, context) } ?? []
      let rest = across.map { onlyTables(of: $0, items, columns, context) } ?? []
      report.print(Self.report(changes, columns, alike: alike, rest: rest, context), to: context)
    } else {
      print(changes, since: drift, context)
      if let across { printRest(of: across, items, context) }
    }
    for input in [inputs.0, inputs.1] { input.noteContinuation(context) }
    let unknown = items.0.isPartial || items.1.isPartial
    noteLosses(items, names, context)
    if unknown { context.note("one of the two is from Microsoft365DSC: settings that it lacks are not compared") }
    if items.0.isFromDevice != items.1.isFromDevice {
      context.note("one of the two is from a device: only settings that devices have are compared")
    }
    if !silent.isEmpty {
      context.note(
        "different in Graph but not in the portal: \(silent.joined(separator: ", ")). "
          + "Next: \(inputs.0.next("pj policy show -j"))")
    }
    if let one = inputs.0.reading, let other = inputs.1.reading { TrustedState.note(one, other, context) }
    JournalSeeking.note(journals, in: context)
    let trouble = ExitCode.worst(inputs.0.exitCode, inputs.1.exitCode, drift?.exitCode ?? .done)
    let code: ExitCode = trouble != .done ? trouble : changes.isEmpty ? .done : .different
    if report == nil { printEnd(changes.count, code, names, journals, context) }
    return code
  }

  /// Compares all policies of one export with those of another.
  private static func exports(
    _ words: [String], _ report: ReportInput?, _ context: CommandContext
  ) throws(Failure) -> ExitCode {
    PolicyExportDiffReport(words, context).run(report)
  }

  /// Compares two app configurations.
  private static func run(
    _ comparison: AppConfigurationComparison, _ words: [String], _ columns: [ReportTable.Column],
    _ report: ReportInput?, _ known: ExitCode, _ context: CommandContext
  ) -> ExitCode {
    let settingsOnly = context.arguments.flag("settings-only")
    let changes = comparison.changes.filter { !settingsOnly || !$0.isRevision }.map { change in
      Change(
        group: "App configuration", title: PolicyReport.shownName(change.title, context), before: change.one,
        after: change.other, isList: false, graph: graph(of: change, context))
    }
    context.begin(records, (words[0], words[1]))
    let code = ExitCode.worst(known, changes.isEmpty ? .done : .different)
    if let report {
      report.print(Self.report(changes, columns, context), to: context)
      return code
    }
    print(changes, context)
    printEnd(changes.count, code, words, [], context)
    return code
  }

  /// The property of an app configuration that differs, as Graph has it.
  static func graph(
    of change: AppConfigurationComparison.Change, _ context: CommandContext
  ) -> (before: JSONValue, after: JSONValue) {
    func shown(_ value: PortalValue?, _ graph: JSONValue?) -> JSONValue {
      guard let graph else { return .object([]) }
      guard value.map({ !PolicyReport.isHidden($0, context) }) ?? true else { return .withheld }
      return context.redaction.shown(graph) ?? .withheld
    }
    return (shown(change.one, change.graph), shown(change.other, change.otherGraph))
  }

  private static func printEnd(
    _ count: Int, _ code: ExitCode, _ words: [String], _ journals: [JournalInput], _ context: CommandContext
  ) {
    context.end(records, (count, nil), code, of: journals) {
      context.output.line(
        TerminalText.visible(
          count == 0
            ? "no difference between \(words[0]) and \(words[1])"
            : "\(count.counted("setting differs", "settings differ")) between \(words[0]) and \(words[1])"))
    }
  }

  // MARK: JSON

  /// What `-j` writes.
  static let records = JSONOutput<(from: String, to: String), (changes: Int, documents: [Outcome: Int]?)>(
    "policy.diff", start: [.init("from", \.from), .init("to", \.to)],
    [changeRecord, alikeRecord, onlyRecord, PolicyExportDiffReport.document, JSONRecord.unreadable],
    end: [.init("changes", \.changes)]
      + Outcome.allCases.map { outcome in
        .ifAny(outcome.rawValue) { $0.documents.map { $0[outcome, default: 0] } }
      })

  /// What became of a document of an export.
  enum Outcome: String, JSONWord {
    case same
    case differs
    case missing
    case added
  }

  private typealias Row = (
    change: Change, document: Int?, hidden: (added: Int, removed: Int)?, drift: PolicyDrift?
  )

  private static let members: [JSONMember<Change>] = [
    .init("group", \.group), .init("title", \.title), .init("before", \.before), .init("after", \.after),
    .init("beforeProperties", \.graph.before), .init("afterProperties", \.graph.after),
  ]

  private static let changeRecord = JSONRecord<Row>(
    "change",
    [.ifAny("document", \.document)] + members.of(\.change) + [
      .ifAny("added", \.hidden?.added), .ifAny("removed", \.hidden?.removed),
      .ifAny("since", orNull: PolicyDrift.members) { row in row.drift.map { $0.origin(of: row.change) } },
    ])

  private static let alikeRecord = JSONRecord<Change>("alike", members)

  private static let onlyRecord = JSONRecord<
    (policy: PolicyDocument, setting: PortalSetting, properties: JSONValue)
  >(
    "only",
    [
      .init("platform", \.policy.kind.platform),
      .init("group") { $0.policy.kind.platform.heading(of: $0.setting.group) }, .init("title", \.setting.title),
      .init("value") { $0.setting.value(in: $0.policy) }, .init("properties", \.properties),
    ])

  /// The properties that distinguish two revisions of one policy.
  static let revision: Set<PolicyProperty> = [.id, .version, .createdDateTime, .lastModifiedDateTime]

  /// What responses leave out unless it is asked for: between a file and anything else compared only where both have it.
  static func unlisted(_ one: PolicyFile.Item, _ other: PolicyFile.Item) -> Set<PolicyProperty> {
    let optional: Set<PolicyProperty> = [.apps, .assignments, .isAssigned, .roleScopeTagIds, .deployedAppCount]
    return optional.filter { one.policy[$0] == .absent || other.policy[$0] == .absent }
  }

  /// Says what is not compared because its value is unknown.
  static func noteLosses(
    _ items: (PolicyFile.Item, PolicyFile.Item), _ names: [String], _ context: CommandContext
  ) {
    for (item, name) in zip([items.0, items.1], names) where !item.lost.isEmpty {
      context.note(
        "\(name): the value of \(item.lost.sorted().joined(separator: ", ")) is unknown, and is not compared")
    }
  }

  /// What differs in the portal's words, and the properties that differ without showing it there.
  ///
  /// - Parameter ignored: Properties that are not compared.
  static func changes(
    _ one: PolicyFile.Item, _ other: PolicyFile.Item, ignoring ignored: Set<PolicyProperty>, _ context: CommandContext
  ) -> ([Change], silent: [String]) {
    let onDevices: Set<PolicyProperty>? =
      one.isFromDevice == other.isFromDevice ? nil : UnknownSettings.reported
    var changes: [Change] = []
    var silent: [String] = []
    let platform = one.policy.kind.platform
    let graph = (one.policy.graphJSON().object, other.policy.graphJSON().object)
    for setting in PortalSetting.all(on: platform) {
      if let onDevices, !setting.properties.allSatisfy({ onDevices.contains($0) || $0 == .managedBrowser }) { continue }
      guard ignored.isDisjoint(with: setting.properties), !one.lacks(setting), !other.lacks(setting) else { continue }
      let differing = setting.properties.filter { !$0.isSame(in: one.policy, as: other.policy) }
      let (before, after) = (setting.value(in: one.policy), setting.value(in: other.policy))
      // Two secrets are compared, though neither is shown.
      guard before != after else {
        if onDevices == nil { silent += differing.map(\.name) }
        continue
      }
      guard !differing.isEmpty else { continue }
      changes.append(
        Change(
          group: platform.heading(of: setting.group), title: setting.title, before: before, after: after,
          isList: setting.properties.contains { isList($0) }, properties: setting.properties,
          graph: (
            PolicyReport.properties(setting.properties, in: one.policy, graph.0, showing: before, context),
            PolicyReport.properties(setting.properties, in: other.policy, graph.1, showing: after, context)
          )))
    }
    guard onDevices == nil else { return (changes, silent) }
    let (kept, keptOther) = (members(one.policy), members(other.policy))
    for name in Set(kept.keys).union(keptOther.keys).sorted() {
      guard !KeptMember.isSame(kept[name], as: keptOther[name]) else { continue }
      guard !one.lost.contains(name), !other.lost.contains(name) else { continue }
      if (one.isPartial && kept[name] == nil) || (other.isPartial && keptOther[name] == nil) { continue }
      let (before, after) = (kept[name].map(PortalValue.init), keptOther[name].map(PortalValue.init))
      changes.append(
        Change(
          group: "Other members", title: PolicyReport.shownName(name, context), before: before, after: after,
          isList: false, graph: (member(kept[name], before, context), member(keptOther[name], after, context))))
    }
    return (changes, silent)
  }

  /// A member that no setting shows, as the document has it.
  private static func member(_ member: KeptMember?, _ value: PortalValue?, _ context: CommandContext) -> JSONValue {
    guard let member, let value else { return .object([]) }
    guard !member.isSecret, !PolicyReport.isHidden(value, context), let name = context.redaction.shown(member.name)
    else {
      return .withheld
    }
    let json = (try? JSONDocument.parse(member.json).value).flatMap(context.redaction.shown) ?? .withheld
    return .object([.init(name, json)])
  }

  // MARK: Policies for different platforms

  /// What corresponds and differs.
  private static func changes(
    in comparison: PlatformComparison, _ items: (PolicyFile.Item, PolicyFile.Item), _ context: CommandContext
  ) -> [Change] {
    rows(of: comparison, items, context).filter(\.isDifferent).map { change(of: $0, items, context) }
  }

  static func change(
    of row: PlatformComparison.Row, _ items: (PolicyFile.Item, PolicyFile.Item), _ context: CommandContext
  ) -> Change {
    func properties(of item: PolicyFile.Item, _ value: PortalValue?) -> JSONValue {
      let own = row.properties.filter(item.policy.kind.platform.has)
      return PolicyReport.properties(own, in: item.policy, item.policy.graphJSON().object, showing: value, context)
    }
    return Change(
      group: items.0.policy.kind.platform.heading(of: row.group), title: row.title, before: row.one, after: row.other,
      isList: false, graph: (properties(of: items.0, row.one), properties(of: items.1, row.other)))
  }

  /// The rows that are asked for; of a device, only settings that devices have.
  static func rows(
    of comparison: PlatformComparison, _ items: (PolicyFile.Item, PolicyFile.Item), _ context: CommandContext
  ) -> [PlatformComparison.Row] {
    let settingsOnly = context.arguments.flag("settings-only")
    let onDevices: Set<PolicyProperty>? =
      items.0.isFromDevice == items.1.isFromDevice ? nil : UnknownSettings.reported
    return comparison.rows.filter { row in
      (!settingsOnly || revision.isDisjoint(with: row.properties))
        && row.properties.allSatisfy { !items.0.lost.contains($0.name) && !items.1.lost.contains($0.name) }
        && onDevices.map { !$0.isDisjoint(with: row.properties) } ?? true
    }
  }

  /// What cannot be compared: values of one platform that serve the same purpose as those of the other, and settings that the
  /// other does not have.
  private static func printRest(
    of comparison: PlatformComparison, _ items: (PolicyFile.Item, PolicyFile.Item), _ context: CommandContext
  ) {
    let alike = rows(of: comparison, items, context).filter {
      $0.relation == .purpose && !$0.isDifferent && $0.one != nil
    }.map { change(of: $0, items, context) }
    let only = [(items.0.policy, comparison.onlyOne), (items.1.policy, comparison.onlyOther)]
    context.report { lines in
      lines.add(alikeRecord, each: alike)
      for (policy, settings) in only {
        let graph = policy.graphJSON().object
        lines.add(
          onlyRecord,
          each: settings.map { setting in
            let value = setting.value(in: policy)
            return (
              policy, setting,
              PolicyReport.properties(setting.properties, in: policy, graph, showing: value, context)
            )
          })
      }
    } text: {
      printRest(alike, only, context)
    }
  }

  private static func printRest(
    _ alike: [Change], _ only: [(PolicyDocument, [PortalSetting])], _ context: CommandContext
  ) {
    var table = TextTable([TextColumn(""), TextColumn("")])
    if !alike.isEmpty { table.append([TextCell("For the same purpose, with values of each platform", [.bold])]) }
    for change in alike {
      table.append([
        TextCell("  " + TerminalText.visible(change.title)), TextCell(text(change, between: " | ", context)),
      ])
    }
    for (policy, settings) in only where !settings.isEmpty {
      table.append([TextCell("On \(policy.kind.platform.rawValue) alone", [.bold])])
      for setting in settings {
        let value = setting.value(in: policy).map { PolicyReport.shown($0, context) } ?? "Not configured"
        table.append([TextCell("  " + TerminalText.visible(setting.title)), TextCell(value)])
      }
    }
    context.print(table)
  }

  private static func members(_ policy: PolicyDocument) -> [String: KeptMember] {
    Dictionary(PolicyReport.otherMembers(of: policy).map { ($0.name, $0) }) { _, last in last }
  }

  private static func isList(_ property: PolicyProperty) -> Bool {
    switch property.kind {
    case .choices, .texts, .apps, .assignments: true
    case .text, .flag, .number, .duration, .date, .choice, .flags, .pairs: false
    }
  }

  /// Prints changes, each with what is known of its origin.
  static func print(
    _ changes: [Change], since drift: PolicyDrift? = nil, of document: Int? = nil, _ context: CommandContext
  ) {
    context.show(changeRecord, each: changes.map { ($0, document, $0.hiddenChanges(context), drift) }) {
      printText(changes, drift, context)
    }
  }

  private static func printText(_ changes: [Change], _ drift: PolicyDrift?, _ context: CommandContext) {
    var table = TextTable([TextColumn(""), TextColumn("")] + (drift == nil ? [] : [TextColumn("")]))
    var group = ""
    for change in changes {
      if change.group != group { table.append([TextCell(change.group, [.bold])]) }
      group = change.group
      table.append(
        [TextCell("  " + TerminalText.visible(change.title))]
          + (drift.map { [TextCell($0.words(change), [.dim])] } ?? [])
          + [TextCell(text(change, context))])
    }
    context.print(table)
  }

  private static func text(
    _ change: Change, between mark: String = " → ", _ context: CommandContext
  ) -> String {
    let hidden = change.hiddenChanges(context)
    if change.isList, let before = change.before, let after = change.after,
      ![before, after].contains(where: { PolicyReport.isHidden($0, context) })
    {
      let (old, new) = (before.words.split(separator: ", "), after.words.split(separator: ", "))
      let (before, after) = (Set(old), Set(new))
      let added = new.filter { !before.contains($0) }.map { "+ \($0)" }
      let removed = old.filter { !after.contains($0) }.map { "- \($0)" }
      if old.count + new.count > 4, !added.isEmpty || !removed.isEmpty {
        return TerminalText.visible((added + removed).joined(separator: ", "))
      }
    }
    let sides = [change.before, change.after].map { $0.map { PolicyReport.shown($0, context) } ?? "Not configured" }
    let text = sides.joined(separator: mark)
    return hidden.map { "\(text): \($0.added) added, \($0.removed) removed" } ?? text
  }
}

extension PolicyFile.Item {
  /// Whether nothing is known of a setting.
  fileprivate func lacks(_ setting: PortalSetting) -> Bool { isUnknown(setting) }
}

extension PolicyPlatform: JSONWord {}
