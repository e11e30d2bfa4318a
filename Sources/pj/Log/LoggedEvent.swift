import AppProtection
import EventSourcing
import Forensics

/// One event as the log shows it, computed from its record and the states around it.
final class LoggedEvent {
  /// The event and the states around it.
  let step: HistoryStep<AppProtectionMachine>
  private let values: ValueText
  /// The parts of the state that were asked for.
  private let paths: [PathPattern]

  init(_ step: HistoryStep<AppProtectionMachine>, _ redaction: Redaction, showing paths: [PathPattern] = []) {
    self.step = step
    values = ValueText(redaction)
    self.paths = paths
  }

  var record: RecordedEvent<AppProtectionEvent> { step.record }

  /// The event's fields, with those that hold their default where that is an answer.
  private(set) lazy var fields = record.answers
  /// What it changed; `nil` when a state is unknown.
  private(set) lazy var changes = step.changes
  /// The numbers of the accounts it concerns.
  private lazy var accountNumbers = EventAccounts.numbers(in: fields)
  /// The pseudonyms of those accounts.
  var pseudonyms: [String] { accountNumbers.map(EventAccounts.pseudonym) }
  /// All names of those accounts, from the states around the event.
  private(set) lazy var accounts = accountNumbers.map { names(of: $0) }
  /// What it says about mistakes in the app; `nil` when a state is unknown.
  private(set) lazy var findings = step.findings
  /// The launch conditions that an evaluation found not to be met; none where a state is unknown.
  private(set) lazy var unmetConditions: [LaunchCondition] = {
    guard case .launchEvaluated(let event)? = record.event, let after = step.after else { return [] }
    return after.conditions(of: event)
  }()
  /// The evaluation that ordered the event; `nil` for none, where the envelope names it as the cause already, and where
  /// a state is unknown.
  private(set) lazy var orderedBy: UInt64? = {
    guard let event = record.event, let before = step.before else { return nil }
    let evaluation = AppProtectionMachine.evaluation(ordering: event, at: record.sequence, before: before)
    return evaluation == record.envelope.cause ? nil : evaluation
  }()
  /// The change in brief.
  private(set) lazy var summary = EventSummary(
    changes ?? StateDiff(), of: AppProtectionMachine.self, type: record.typeName,
    fields: values.fields(fields).filter { $0.name != "account" }, showing: paths, values)

  /// What the line of the event says: the change in brief, and what the event itself says where it changed nothing.
  var changeText: String { summary.line }

  /// The accounts in brief: `a1`, `a1→a2` where one takes the place of another, `a1,a2`.
  private(set) lazy var accountText: String = {
    if case .change(let change)? = summary.item, case .name(let before)? = change.before,
      case .name(let after)? = change.after, AccountNumber(before) != nil, AccountNumber(after) != nil
    {
      return "\(before)→\(after)"
    }
    return (values.redaction.revealsAccounts ? accounts.map(shown) : pseudonyms).joined(separator: ",")
  }()

  /// Everything that is shown of the event, for searching.
  private(set) lazy var searchText: String = {
    var parts = [record.typeName, accountText]
    parts += values.fields(fields).map { "\($0.name): \($0.text)" }
    parts += (changes.map(StateDiffItem.items) ?? []).flatMap(\.changes).map {
      "\($0.path): \(values.text($0.before)) → \(values.text($0.after))"
    }
    parts += (findings ?? []).map(Self.text) + unmetConditions.map(line)
    return parts.joined(separator: "\n")
  }()

  /// A finding in one line.
  static func text(_ finding: TraceFinding) -> String { "\(finding.rule): \(finding)" }

  /// A launch condition in one line, such as
  /// `launch.osMinimum: block; minimumRequiredOsVersion = 15.0, /process/osVersion = 14.8`.
  func line(_ condition: LaunchCondition) -> String {
    "\(condition.finding.rule.id): \(text(behind: condition))"
  }

  /// What a launch condition leads to, by which settings and facts.
  func text(behind condition: LaunchCondition) -> String {
    let settings = condition.settings.map { read in
      "\(read.path.split(separator: "/").dropFirst(2).joined(separator: "/")) = \(values.text(read.value))"
    }
    let facts = condition.facts.map { "\($0.path) = \(values.text($0.value))" }
    let reads = (settings + facts).joined(separator: ", ")
    return condition.finding.outcome.name + (reads.isEmpty ? "" : "; \(reads)")
  }

  /// What filters ask about.
  var subject: FilterSubject {
    FilterSubject(
      sequence: record.sequence, type: record.typeName, cause: record.envelope.cause,
      orderedBy: { self.orderedBy }, process: record.envelope.process, accounts: { self.accounts },
      changedPaths: { self.changes?.changes.map(\.path) },
      findings: { self.findings?.map(\.rule) }, shownText: { self.searchText })
  }

  private func names(of number: UInt64) -> AccountNames {
    let after = AccountNames(ofAccount: number, in: step.after, of: AppProtectionMachine.self)
    // An account that this event removed was known before it.
    return after.identities.isEmpty
      ? AccountNames(ofAccount: number, in: step.before, of: AppProtectionMachine.self) : after
  }

  private func shown(_ names: AccountNames) -> String {
    guard let identity = names.identities.first else { return names.pseudonym }
    return "\(names.pseudonym) \(identity)"
  }
}
