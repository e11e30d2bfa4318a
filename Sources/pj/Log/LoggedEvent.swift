import AppProtection
import EventSourcing
import Forensics

/// One event as the log shows it, worked out from its record and the states around it.
final class LoggedEvent {
  /// The event and the states around it.
  let step: HistoryStep<AppProtectionMachine>
  private let values: ValueText

  init(_ step: HistoryStep<AppProtectionMachine>, _ redaction: Redaction) {
    self.step = step
    values = ValueText(redaction)
  }

  var record: RecordedEvent<AppProtectionEvent> { step.record }

  /// The event's fields.
  private(set) lazy var fields = record.fields
  /// What it changed; `nil` when a state is unknown.
  private(set) lazy var changes = step.changes
  /// The accounts it concerns.
  private(set) lazy var accounts = EventAccounts.numbers(in: fields).map { names(of: $0) }
  /// What it says about mistakes of the app; `nil` when a state is unknown.
  private(set) lazy var findings = step.findings
  /// The change in brief.
  private(set) lazy var summary = EventSummary(changes ?? StateDiff(), type: record.typeName, values)

  /// What the line of the event says: the change in brief, and what the event itself says where it changed nothing.
  private(set) lazy var changeText: String = {
    guard summary.item == nil else { return summary.line }
    let said = values.fields(fields).filter { $0.name != "account" }.prefix(3).map { "\($0.name): \($0.text)" }
    return said.isEmpty ? "" : "(\(said.joined(separator: ", ")))"
  }()

  /// The accounts in brief: `a1`, `a1→a2` where one takes the place of another, `a1,a2`.
  private(set) lazy var accountText: String = {
    if case .change(let change)? = summary.item, case .name(let before)? = change.before,
      case .name(let after)? = change.after, AccountNumber(before) != nil, AccountNumber(after) != nil
    {
      return "\(before)→\(after)"
    }
    return accounts.map(shown).joined(separator: ",")
  }()

  /// Everything that is shown of the event, for searching.
  private(set) lazy var searchText: String = {
    var parts = [record.typeName, accountText]
    parts += values.fields(fields).map { "\($0.name): \($0.text)" }
    parts += (changes.map(StateDiffItem.items) ?? []).flatMap(\.changes).map {
      "\($0.path): \(values.text($0.before)) → \(values.text($0.after))"
    }
    parts += (findings ?? []).map(Self.text)
    return parts.joined(separator: "\n")
  }()

  /// A finding in one line.
  static func text(_ finding: TraceFinding) -> String { "\(finding.rule): \(finding)" }

  /// What filters ask about.
  var subject: FilterSubject {
    FilterSubject(
      sequence: record.sequence, type: record.typeName, cause: record.envelope.cause,
      process: record.envelope.process, accounts: { self.accounts },
      changedPaths: { self.changes?.changes.map(\.path) },
      findings: { self.findings?.map(\.rule) }, shownText: { self.searchText })
  }

  private func names(of number: UInt64) -> AccountNames {
    let after = AccountNames(ofAccount: number, in: step.after)
    // An account that this event removed was known before it.
    return after.identities.isEmpty ? AccountNames(ofAccount: number, in: step.before) : after
  }

  private func shown(_ names: AccountNames) -> String {
    guard values.redaction.revealsAccounts, let identity = names.identities.first else { return names.pseudonym }
    return "\(names.pseudonym) \(identity)"
  }
}
