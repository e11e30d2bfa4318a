import AppProtection
import CommandSupport
import EventSourcing
import Forensics
import PlainText
import PolicyDocuments

/// One event as the log shows it, computed from its record and the states around it.
final class LoggedEvent {
  /// The event and the states around it.
  let step: HistoryStep<AppProtectionMachine>
  /// What is printed of it.
  let printed: PrintedEvent
  private let tools: LogTools

  init(_ step: HistoryStep<AppProtectionMachine>, _ tools: LogTools) {
    self.step = step
    printed = PrintedEvent(step.record)
    self.tools = tools
  }

  private var values: ValueText { tools.values }
  /// Prints the event's fields.
  var printer: EventPrinter { tools.printer }

  var record: RecordedEvent<AppProtectionEvent> { step.record }

  /// The event's fields, with those that hold their default where that is an answer.
  private(set) lazy var fields = record.answers
  /// What it changed; `nil` when a state is unknown.
  private(set) lazy var changes = step.changes(tools.differ)
  /// The numbers of the accounts it concerns.
  private lazy var accountNumbers = printer.accounts(of: printed)
  /// The pseudonyms of those accounts.
  var pseudonyms: [String] { accountNumbers.map(EventAccounts.pseudonym) }
  /// All names of those accounts, from the states around the event.
  private(set) lazy var accounts = accountNumbers.map { names(of: $0) }
  /// What it says about mistakes in the app; `nil` when a state is unknown.
  private(set) lazy var findings = step.findings
  /// The launch conditions that an evaluation found not to be met; none where a state is unknown.
  private(set) lazy var unmetConditions = conditions { _ in true }
  /// Those of them that keep the account out: the user cannot answer them.
  private(set) lazy var closedConditions = conditions { !$0.outcome.isAnswered }

  /// The evaluation that ordered the event; `nil` for none, where the envelope names it as the cause already, and where
  /// a state is unknown.
  private(set) lazy var orderedBy: UInt64? = {
    guard let event = record.event else { return nil }
    let evaluation = step.withEarlierState {
      AppProtectionMachine.evaluation(ordering: event, at: record.sequence, before: $0)
    }
    guard let evaluation = evaluation ?? nil, evaluation != record.envelope.cause else { return nil }
    return evaluation
  }()
  /// The type's name.
  var typeName: String { printer.kind(of: printed).name }
  /// The change in brief.
  private lazy var summary = EventSummary(
    changes ?? StateDiff(), of: AppProtectionMachine.self, type: typeName, showing: tools.paths)

  /// Appends what the event means, or the change in brief where that was asked for or is all that is known, and the number
  /// of other changes.
  func appendSummary(to bytes: inout [UInt8]) {
    EventSummary.append(others: appendChange(to: &bytes), to: &bytes)
    bytes.append(inferred)
  }

  /// What of it an import inferred, as it stands after the summary; empty where nothing was.
  private(set) lazy var inferred: String = {
    let names = record.envelope.attributes?.metadata.compactMap { FieldLog.Inference(key: $0.key)?.rawValue } ?? []
    return names.isEmpty ? "" : "  (inferred: \(names.joined(separator: ", ")))"
  }()

  /// Appends the summary without the number of other changes, which it returns.
  func appendChange(to bytes: inout [UInt8]) -> Int {
    if tools.paths.isEmpty || !summary.isAsked,
      let others = tools.headlines.append(record, changing: changes ?? StateDiff(), to: &bytes)
    {
      return others
    }
    return summary.appendText(values, to: &bytes) { printer.appendSummary(of: printed, to: &$0) }
  }

  /// Appends the accounts in brief: `a1`, `a1→a2` where one takes the place of another, `a1,a2`.
  func appendAccounts(to bytes: inout [UInt8]) {
    if let (before, after) = replacement {
      bytes.append("\(before)→\(after)")
      return
    }
    guard values.redaction.revealsAccounts else {
      for (index, number) in accountNumbers.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(EventAccounts.pseudonym(number))
      }
      return
    }
    bytes.append(accounts.map(shown).joined(separator: ","))
  }

  /// The accounts of the first change that puts one in the place of another.
  private var replacement: (before: String, after: String)? {
    for change in changes?.changes ?? [] {
      if case .name(let before)? = change.before, case .name(let after)? = change.after, AccountNumber(before) != nil,
        AccountNumber(after) != nil
      {
        return (before, after)
      }
    }
    return nil
  }

  /// Everything that is shown of the event, for searching, in UTF-8.
  private(set) lazy var searchText: [UInt8] = {
    var bytes = Array(typeName.utf8)
    bytes.append(UInt8(ascii: "\n"))
    appendAccounts(to: &bytes)
    printer.appendLines(of: printed, to: &bytes)
    for change in changes?.changes ?? [] {
      bytes.append(UInt8(ascii: "\n"))
      values.append(change, to: &bytes)
    }
    for finding in findings ?? [] {
      bytes.append(UInt8(ascii: "\n"))
      bytes.append(text(finding))
    }
    for condition in unmetConditions {
      bytes.append(UInt8(ascii: "\n"))
      append(condition, to: &bytes)
    }
    return bytes
  }()

  /// A finding in one line.
  func text(_ finding: TraceFinding) -> String {
    "\(finding.rule): \(values.redaction.shown(sentence: "\(finding)"))"
  }

  /// A launch condition in one line, such as
  /// `launch.osMinimum: block; minimumRequiredOsVersion = 15.0, /process/osVersion = 14.8`.
  func line(_ condition: LaunchCondition) -> String {
    var bytes: [UInt8] = []
    append(condition, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What a launch condition leads to, by which settings and facts.
  func text(behind condition: LaunchCondition) -> String {
    var bytes: [UInt8] = []
    appendText(behind: condition, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends a launch condition in one line.
  func append(_ condition: LaunchCondition, to bytes: inout [UInt8]) {
    bytes.append(condition.finding.rule.id)
    bytes.append(literal: ": ")
    appendText(behind: condition, to: &bytes)
  }

  private func appendText(behind condition: LaunchCondition, to bytes: inout [UInt8]) {
    bytes.append(condition.finding.outcome.name)
    var separator: StaticString = "; "
    func append(_ path: some Sequence<UInt8>, _ value: StateValue) {
      bytes.append(literal: separator)
      bytes.append(contentsOf: path)
      bytes.append(literal: " = ")
      values.append(value, to: &bytes)
      separator = ", "
    }
    for read in condition.settings {
      append(Self.setting(at: values.redaction.shown(statePath: read.path)), read.value)
    }
    for read in condition.facts { append(values.redaction.shown(statePath: read.path).utf8, read.value) }
  }

  /// A path of a setting without those of the policies and the account before it.
  private static func setting(at path: String) -> Substring.UTF8View {
    var slashes = 0
    let end = path.utf8.firstIndex { byte in
      if byte == UInt8(ascii: "/") { slashes += 1 }
      return slashes == 3
    }
    return end.map { path[path.utf8.index(after: $0)...].utf8 } ?? ""[...].utf8
  }

  /// What filters ask about.
  var subject: FilterSubject {
    FilterSubject(
      sequence: record.sequence, type: typeName, cause: record.envelope.cause,
      orderedBy: { self.orderedBy }, process: record.envelope.process, accounts: { self.accounts },
      changedPaths: { self.changes?.changes.map(\.path) },
      findings: { self.findings?.map(\.rule) }, shownText: { self.searchText })
  }

  private func conditions(_ isWanted: (LaunchFinding) -> Bool) -> [LaunchCondition] {
    guard case .launchEvaluated(let event)? = record.event, event.findings.contains(where: isWanted) else { return [] }
    return step.withLaterState { $0.conditions(of: event, where: isWanted) } ?? []
  }

  private func names(of number: UInt64) -> AccountNames {
    let after = AccountNames(ofAccount: number, in: step.after, of: AppProtectionMachine.self)
    // An account that this event removed was known before it.
    return after.identities.isEmpty
      ? AccountNames(ofAccount: number, in: step.before, of: AppProtectionMachine.self) : after
  }

  private func shown(_ names: AccountNames) -> String {
    guard let identity = names.identities.first else { return names.pseudonym }
    return "\(names.pseudonym) \(values.redaction.shown(sentence: identity))"
  }
}

/// What the events of a log share: what computes their changes and prints them, and remembers what repeats.
final class LogTools {
  let values: ValueText
  let printer: EventPrinter
  let differ = StateDiffer(rank: AppProtectionMachine.headlineRank)
  /// Says what events mean.
  let headlines: EventHeadline<AppProtectionMachine>
  /// The parts of the state that were asked for.
  let paths: [PathPattern]

  init(_ redaction: Redaction, showing paths: [PathPattern] = []) {
    values = ValueText(redaction)
    headlines = EventHeadline(values)
    printer = EventPrinter(AppProtectionEvent.catalog, redaction)
    self.paths = paths
  }
}
