import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import PlainText

/// A comparison of two histories as text and as JSON Lines.
struct ComparisonReport {
  private let comparison: ComparisonAnswer
  private let one: ComparisonSide
  private let other: ComparisonSide
  private let context: CommandContext
  /// What differs at the end, from the first side to the second.
  private let effect: StateDiff

  /// Number of lines shown of one kind; the rest is counted.
  private static let maximumLines = 40

  init(
    _ comparison: ComparisonAnswer, _ one: ComparisonSide, _ other: ComparisonSide,
    _ context: CommandContext
  ) {
    self.comparison = comparison
    self.one = one
    self.other = other
    self.context = context
    if let first = one.pseudonym, let second = other.pseudonym {
      effect = AccountDifference.diff(in: one.reading.state.tree(), between: first, and: second)
    } else {
      let changes = one.reading.state.changes(to: other.reading.state)
      let additions = one.reading.journal.domain.additions
      effect =
        context.arguments.flag("exact") ? changes : changes.leavingOut { additions?.isOfClock($0) ?? Self.isOfTime($0) }
    }
  }

  /// Whether two devices always differ here, as far as any domain says: in a point in time.
  private static func isOfTime(_ change: StateChange) -> Bool {
    if case (.time?, .time?) = (change.before, change.after) { true } else { false }
  }

  /// How the command ends.
  var exitCode: ExitCode {
    let trouble = ExitCode.worst(one.reading.exitCode, other.reading.exitCode)
    guard trouble == .done else { return trouble }
    if case .unreadable = comparison.kind { return .partial }
    return comparison.kind == .same ? .done : .different
  }

  // MARK: Text

  private func printText() {
    let output = context.output
    output.line(title("same until") + sameUntil)
    output.line(title("then") + kindText)
    var events = TextTable([TextColumn(""), TextColumn("", .right), TextColumn(""), TextColumn("")])
    for (index, (side, event)) in [(one, comparison.first), (other, comparison.second)].enumerated()
    where comparison.kind != .same {
      guard let event else {
        let isUnreadable = index == 0 ? unreadable.first : unreadable.second
        events.append([
          TextCell("  " + TerminalText.visible(side.name)), "–",
          isUnreadable ? "cannot be read further" : "no further event",
        ])
        continue
      }
      events.append([
        TextCell("  " + TerminalText.visible(side.name)), TextCell("\(event.sequence)"),
        TextCell(CivilTime(nanoseconds: event.moment.wallNanoseconds).text),
        TextCell(TerminalText.visible(event.typeName), [.bold]),
      ])
    }
    context.print(events)
    let values = ValueText(context.redaction)
    list(
      fieldDifferences.map { difference in
        func text(_ leaf: FieldLeaf?) -> String { leaf.map { values.text($0.value, $0.privacy) } ?? "unset" }
        return (difference.path, "\(text(difference.first)) ≠ \(text(difference.second))")
      })
    if let rulesText { output.line(title("rules") + rulesText) }
    output.line(title("at the end") + effectText)
    list(StateDiffItem.items(of: effect).map { row(of: $0, values) })
    if leavesClocksOut { output.line(title("left out") + "clocks and boot sessions: --exact compares them too") }
  }

  /// Whether differences between any two devices are left out.
  private var leavesClocksOut: Bool { one.pseudonym == nil && !context.arguments.flag("exact") }

  private func row(of item: StateDiffItem, _ values: ValueText) -> (String, String) {
    let count = "\(item.changes.count.counted("value"))\(item.gist)"
    switch item {
    case .change(let change):
      return (change.path, "\(values.text(change.before)) ≠ \(values.text(change.after))")
    case .appeared(let path, _): return (path, "only in \(other.name): \(count)")
    case .disappeared(let path, _): return (path, "only in \(one.name): \(count)")
    }
  }

  private func title(_ text: String) -> String {
    context.style.bold(TerminalText.padded(text, to: 12))
  }

  private func list(_ rows: [(String, String)]) {
    var table = TextTable([TextColumn("", maximumWidth: 64), TextColumn("", maximumWidth: 100)])
    for (path, text) in rows.prefix(Self.maximumLines) {
      table.append([
        TextCell("  " + TerminalText.visible(context.redaction.shown(statePath: path))),
        TextCell(TerminalText.visible(text)),
      ])
    }
    context.print(table)
    if rows.count > Self.maximumLines {
      context.output.line("  and \(rows.count - Self.maximumLines) more: -j lists all")
    }
  }

  /// The sides that end because they cannot be read further.
  private var unreadable: (first: Bool, second: Bool) {
    guard case .unreadable(let first, let second) = comparison.kind else { return (false, false) }
    return (first, second)
  }

  private var sameUntil: String {
    let end = sameEnd
    guard comparison.kind != .metadataOnly, let different = comparison.firstMetadataDifference else { return end }
    let last = comparison.lastAlike?.first ?? different.first
    let isOne = last == different.first
    let range =
      isOne ? "event \(last)" : "events \(different.first.grouped)–\(last.grouped)"
    return "\(end); \(range) say\(isOne ? "s" : "") the same but "
      + (isOne ? "was" : "partly were") + " recorded differently"
  }

  private var sameEnd: String {
    guard let last = comparison.lastSame else {
      return comparison.firstMetadataDifference == nil ? "nowhere: the first events already differ" : "nowhere"
    }
    let count =
      comparison.sameEvents == 0
      ? "where one begins, by its chain"
      : comparison.sameEvents.counted("event")
    // Without a difference, everything after the last whole segments was read.
    let reads = comparison.kind == .same ? "" : ", found with \(comparison.reads.grouped) reads"
    return one.pseudonym == nil
      ? "event \(last.first) (\(count)\(reads))"
      : "\(count) of each: \(one.name) up to \(last.first), \(other.name) up to \(last.second)"
  }

  private var kindText: String {
    let names = (TerminalText.visible(one.name), TerminalText.visible(other.name))
    switch comparison.kind {
    case .same: return "nothing: both end here"
    case .metadataOnly:
      return "metadata only: the same happened, but \(comparison.metadataDifferences) "
        + "event\(comparison.metadataDifferences == 1 ? " was" : "s were") recorded differently"
    case .prefix(let firstIsShorter):
      return "prefix: \(firstIsShorter ? names.0 : names.1) ends, \(firstIsShorter ? names.1 : names.0) goes on"
    case .gap(let inFirst, let events):
      return "gap: \(inFirst ? names.0 : names.1) lacks \(events.counted("event")) that "
        + "\(inFirst ? names.1 : names.0) has, and continues in the same way"
    case .order(let events): return "order: the same \(events) events happened in another order"
    case .differentEvents: return "different events"
    case .unreadable(let first, let second):
      let damaged = first && second ? "\(names.0) and \(names.1)" : first ? names.0 : names.1
      return "unknown: \(damaged) cannot be read further, and nothing differs before that"
    }
  }

  /// Says that processes started under different rules, and what that means for the comparison.
  private var rulesText: String? {
    guard let rules = comparison.firstOtherRules else { return nil }
    func revision(_ number: UInt32?) -> String { number.map { "revision \($0)" } ?? "no revision" }
    let (first, second) = (rules.first.grouped, rules.second.grouped)
    let place = first == second ? "event \(first)" : "events \(first) and \(second)"
    let more = comparison.otherRulesCount - 1
    let others = more == 0 ? "" : ", and at \(more.counted("later start"))"
    let revisions = "\(revision(rules.firstRevision)) ≠ \(revision(rules.secondRevision))"
    return "\(revisions) from \(place) on\(others). The digests of states recorded from there "
      + "cannot be compared and do not count; what the events say does. The states at the end "
      + "are by revision \(one.reading.journal.domain.revision) for both. Next: \(Tool.name) check for each, with a \(Tool.name) of its revision"
  }

  private var effectText: String {
    if let domain = one.reading.journal.otherDomain {
      return "the states are unknown: only the program of the domain \(domain) knows them"
    }
    let count = effect.changes.count
    let differ = count.counted("value differs", "values differ")
    guard one.reading.obstacle != nil || other.reading.obstacle != nil else {
      return effect.isEmpty ? "the states are the same" : differ
    }
    // Whatever follows an obstacle may have changed anything.
    let places = [one, other].map { $0.reading.sequence.grouped }
    let place = places[0] == places[1] ? "event \(places[0])" : "events \(places[0]) and \(places[1])"
    return effect.isEmpty
      ? "the last known states (after \(place)) are the same"
      : "\(differ) between the last known states (after \(place))"
  }

  /// The fields that differ, without the ones that say which account is meant when accounts are compared.
  private var fieldDifferences: [(path: String, first: FieldLeaf?, second: FieldLeaf?)] {
    guard let first = one.account, let second = other.account else {
      return comparison.fieldDifferences
    }
    return comparison.fieldDifferences.filter {
      $0.first?.value != .reference(first, EventAccounts.kind)
        || $0.second?.value != .reference(second, EventAccounts.kind)
    }
  }

  // MARK: JSON

  /// What `-j` writes.
  static let records = JSONOutput<ComparisonReport, Int>(
    "compare", start: [.init("first", \.one.name), .init("second", \.other.name)], [compared, field, effectRecord],
    end: [.init("effects") { $0 }])

  private static let compared = JSONRecord<ComparisonReport>(
    "comparison",
    [
      .init("sameEvents", \.comparison.sameEvents),
      .init("lastSame") { $0.comparison.lastSame.map { JSONPair($0.first, $0.second) } },
      .init("difference") { Difference($0.comparison.kind) },
      .init("metadataDifferences", \.comparison.metadataDifferences),
      .init("exact") { $0.context.arguments.flag("exact") },
      .init("rules", orNull: rules) { report in
        report.comparison.firstOtherRules.map { ($0, report.comparison.otherRulesCount) }
      }, .init("reads", \.comparison.reads), .init("first", orNull: event, \.comparison.first),
      .init("second", orNull: event, \.comparison.second),
    ])

  private static let rules: [JSONMember<(first: ComparedRules, count: UInt64)>] = [
    .init("at") { JSONPair($0.first.first, $0.first.second) },
    .init("revisions") { JSONPair($0.first.firstRevision, $0.first.secondRevision) }, .init("starts", \.count),
  ]

  private static let event: [JSONMember<FoundEvent>] = [
    .init("seq", \.sequence), .init("type", \.typeName),
    .init("time") { CivilTime(nanoseconds: $0.moment.wallNanoseconds) },
  ]

  private static let field = JSONRecord<(path: String, first: FieldLeaf?, second: FieldLeaf?)>(
    "field",
    [
      .init("path") { RedactedText.statePath($0.path) }, .init("first", \.first), .init("second", \.second),
    ])

  private static let effectRecord = JSONRecord<StateChange>(
    "effect",
    [
      .init("path") { RedactedText.statePath($0.path) }, .init("first", \.before), .init("second", \.after),
    ])

  /// Prints it in the form that is asked for.
  func print() {
    context.report { lines in
      lines.begin(Self.records, self)
      lines.add(Self.compared, self)
      lines.add(Self.field, each: fieldDifferences)
      lines.add(Self.effectRecord, each: effect.changes)
      lines.end(
        Self.records, effect.changes.count, exitCode, of: [one.reading.journal, other.reading.journal])
    } text: {
      printText()
    }
  }

  /// The first difference.
  private enum Difference: String, JSONWord {
    case same, metadataOnly, prefix, gap, order, differentEvents, unreadable

    init(_ kind: ComparisonKind) {
      self =
        switch kind {
        case .same: .same
        case .metadataOnly: .metadataOnly
        case .prefix: .prefix
        case .gap: .gap
        case .order: .order
        case .differentEvents: .differentEvents
        case .unreadable: .unreadable
        }
    }
  }
}

/// One side of a comparison, with its name.
struct ComparisonSide {
  /// The journal's path or the account's pseudonym.
  let name: String
  /// The account's number; `nil` when whole journals are compared.
  let account: UInt64?
  /// The journal's last state.
  let reading: TrustedState

  /// The account's pseudonym; `nil` when whole journals are compared.
  var pseudonym: String? { account.map(EventAccounts.pseudonym) }
}
