import EventSourcing
import Forensics
import PlainText

/// One event as the log shows it, computed from its record and the states around it, which ``LoggedStep`` has.
@usableFromInline
package class LoggedEvent {
  /// The event.
  package let record: EventRecord
  /// What is printed of it.
  package let printed: PrintedEvent
  private let tools: LogTools

  @usableFromInline
  init(_ record: EventRecord, _ printed: PrintedEvent, _ tools: LogTools) {
    (self.record, self.printed, self.tools) = (record, printed, tools)
  }

  private var values: ValueText { tools.values }
  /// Prints the event's fields.
  package var printer: EventPrinter { tools.printer }

  /// What is seldom asked about it.
  package private(set) lazy var particulars = tools.questions.particulars(self)
  /// What it changed; `nil` when a state is unknown.
  package private(set) lazy var changes = tools.questions.changes(self)
  /// The numbers of the accounts it concerns.
  private lazy var accountNumbers = printer.accounts(of: printed)
  /// The pseudonyms of those accounts.
  package var pseudonyms: [String] { accountNumbers.map(EventAccounts.pseudonym) }
  /// All names of those accounts, from the states around the event.
  private(set) lazy var accounts = accountNumbers.map { tools.questions.names(self, $0) }
  /// What it says about mistakes in the app; `nil` when a state is unknown.
  package private(set) lazy var findings = tools.questions.findings(self)
  /// The conditions that it found not to be met; none where a state is unknown.
  package private(set) lazy var unmetConditions = tools.additions?.conditions(of: self, closedAlone: false) ?? []
  /// Those of them that the user cannot answer.
  package private(set) lazy var closedConditions = tools.additions?.conditions(of: self, closedAlone: true) ?? []
  /// The event that ordered it; `nil` for none, where the envelope names it as the cause already, and where a state is unknown.
  package private(set) lazy var orderedBy = tools.additions?.order(of: self)
  /// The version of the program that wrote it; empty where that is unknown.
  package var writer: String { tools.additions?.writer(of: self) ?? "" }
  /// How far the device's local time was ahead of UTC after it; `nil` where that is unknown.
  package var utcOffset: Int64? { tools.additions?.utcOffset(after: self) }
  /// What it says of the surroundings, and what the state after it does; `nil` for the second where that state is unknown.
  package var surroundings: (event: HistoryEnvironment?, after: HistoryEnvironment??) {
    tools.questions.surroundings(self)
  }
  /// What it means and what to do about it, where that depends on its contents.
  package var advice: (meaning: String, remedy: String)? { tools.additions?.advice(on: self) }
  /// The type's name.
  package var typeName: String { printer.kind(of: printed).name }
  /// The change in brief.
  private lazy var summary = tools.questions.summary(changes ?? StateDiff(), typeName, tools.paths)

  /// Appends what the event means, or the change in brief where that was asked for or is all that is known, and the number
  /// of other changes.
  package func appendSummary(to bytes: inout [UInt8]) {
    EventSummary.append(others: appendChange(to: &bytes), to: &bytes)
    bytes.append(inferred)
  }

  /// What of it an import inferred, as it stands after the summary; empty where nothing was.
  package private(set) lazy var inferred: String = {
    let names = record.envelope.attributes.flatMap { tools.additions?.inferences(in: $0) } ?? []
    return names.isEmpty ? "" : "  (inferred: \(names.joined(separator: ", ")))"
  }()

  /// Appends the summary without the number of other changes, which it returns.
  package func appendChange(to bytes: inout [UInt8]) -> Int {
    if tools.paths.isEmpty || !summary.isAsked,
      let others = tools.questions.headline(self, changes ?? StateDiff(), &bytes)
    {
      return others
    }
    return summary.appendText(values, to: &bytes) { printer.appendSummary(of: printed, to: &$0) }
  }

  /// Appends the accounts in brief: `a1`, `a1→a2` where one takes the place of another, `a1,a2`.
  package func appendAccounts(to bytes: inout [UInt8]) {
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
    // Elsewhere, a name such as a4 may be anything.
    guard tools.hasAccounts else { return nil }
    for change in changes?.changes ?? [] {
      if case .name(let before)? = change.before, case .name(let after)? = change.after,
        EventAccounts.number(of: before) != nil, EventAccounts.number(of: after) != nil
      {
        return (before, after)
      }
    }
    return nil
  }

  /// Everything that is shown of the event, for searching, in UTF-8.
  package private(set) lazy var searchText: [UInt8] = {
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
  package func text(_ finding: any HistoryFinding) -> String {
    "\(finding.rule): \(values.redaction.shown(sentence: "\(finding)"))"
  }

  /// The rule and the subject of a finding.
  package func label(of finding: any HistoryFinding) -> String { tools.additions?.label(of: finding) ?? finding.rule }

  /// A condition in one line, such as
  /// `launch.osMinimum: block; minimumRequiredOsVersion = 15.0, /process/osVersion = 14.8`.
  package func line(_ condition: UnmetCondition) -> String {
    var bytes: [UInt8] = []
    append(condition, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What a condition leads to, by which settings and facts.
  package func text(behind condition: UnmetCondition) -> String {
    var bytes: [UInt8] = []
    appendText(behind: condition, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends a condition in one line.
  package func append(_ condition: UnmetCondition, to bytes: inout [UInt8]) {
    bytes.append(condition.rule)
    bytes.append(literal: ": ")
    appendText(behind: condition, to: &bytes)
  }

  private func appendText(behind condition: UnmetCondition, to bytes: inout [UInt8]) {
    bytes.append(condition.outcome)
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
  package var subject: FilterSubject {
    FilterSubject(
      sequence: record.sequence, type: typeName, cause: record.envelope.cause,
      orderedBy: { self.orderedBy }, process: record.envelope.process, accounts: { self.accounts },
      changedPaths: { self.changes?.changes.map(\.path) },
      findings: { self.findings?.map(\.rule) }, shownText: { self.searchText })
  }

  /// The version of an account's policy after it, or of the one that it brings; `nil` for none.
  package func policyVersion(of account: String?) -> UInt64? {
    tools.additions?.policyVersion(after: self, of: account)
  }

  /// The part of the state after it at a path; `nil` when that state is unknown.
  package func part(at path: String) -> StateTree?? { tools.questions.part(self, path) }

  private func shown(_ names: AccountNames) -> String {
    guard let identity = names.identities.first else { return names.pseudonym }
    return "\(names.pseudonym) \(values.redaction.shown(sentence: identity))"
  }
}

/// What the events of a log share: what computes their changes and prints them, and remembers what repeats.
@usableFromInline
package final class LogTools {
  let values: ValueText
  package let printer: EventPrinter
  let questions: EventQuestions
  let additions: (any DomainAdditions)?
  /// Whether events name accounts.
  let hasAccounts: Bool
  /// The parts of the state that were asked for.
  let paths: [PathPattern]

  package init(_ domain: AnyDomain, _ redaction: Redaction, showing paths: [PathPattern] = []) {
    values = ValueText(redaction)
    questions = domain.eventQuestions(values)
    (additions, hasAccounts) = (domain.additions, domain.hasAccounts)
    printer = EventPrinter(domain.catalog, redaction)
    self.paths = paths
  }
}
