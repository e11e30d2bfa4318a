import EventSourcing
import Journal

/// Reads one journal of many: its bytes, its states and its problems, as `pj verify`, `pj check` and `pj diagnose` do.
///
/// Memory does not grow with the history.
public struct FleetExamination<Domain: DiagnosisDomain> {
  /// What was found.
  public private(set) var row: FleetRow
  @usableFromInline let redaction: Redaction
  /// What an error of a history means for its row.
  @usableFromInline let judge: (HistoryError) -> (outcome: FleetRow.Outcome, reason: String)

  /// Examines a journal.
  ///
  /// - Parameters:
  ///   - history: The journal's history.
  ///   - folder: The file or folder that was named.
  ///   - path: The journal's place below it.
  ///   - redaction: What may be shown: versions and identifiers that hold an address are withheld.
  ///   - missing: What says that the file that the journal is from is cut.
  ///   - examination: What looks at the events; it has seen none.
  ///   - judge: What an error that ends reading means: what becomes of the journal, and the reason in one sentence.
  @inlinable
  public init(
    of history: History<Domain>, folder: String, path: String, redaction: Redaction = .on,
    missing: [Journal.Finding] = [],
    by examination: Domain.Examination,
    judging judge: @escaping (HistoryError) -> (outcome: FleetRow.Outcome, reason: String)
  ) {
    self.init(folder, path, redaction, judge)
    do throws(HistoryError) {
      let damage = try verify(history, missing)
      if history.isOfOtherDomain {
        worsen(.otherDomain, nil)
        try recordEvents(of: history)
        return
      }
      record(try history.check())
      let recorded = RecordedDamage(of: history.reader)
      var pass = DiagnosisPass<Domain>(examination)
      try pass.read(history, upTo: nil, recorded) { record($0, $1, $2) }
      try record(HistoryDiagnosis(pass, from: 1, upTo: nil, recorded.superseding(damage)), of: history)
    } catch {
      let (outcome, reason) = judge(error)
      worsen(outcome, reason)
    }
  }

  @usableFromInline
  init(
    _ folder: String, _ path: String, _ redaction: Redaction,
    _ judge: @escaping (HistoryError) -> (outcome: FleetRow.Outcome, reason: String)
  ) {
    row = FleetRow(folder: folder, path: path, .clean)
    self.redaction = redaction
    self.judge = judge
  }

  /// Records a worse outcome, with the reason of the worst.
  @usableFromInline
  mutating func worsen(_ outcome: FleetRow.Outcome, _ reason: String?) {
    guard outcome > row.outcome else { return }
    (row.outcome, row.error) = (outcome, reason)
  }

  // MARK: Bytes and states

  /// Reads every byte; returns what was found.
  @usableFromInline
  mutating func verify(
    _ history: History<Domain>, _ missing: [Journal.Finding]
  ) throws(HistoryError) -> [Journal.Finding] {
    let reader = history.reader
    let report: VerificationReport
    let lost: [Journal.Finding]
    do throws(JournalError) {
      row.id = "\(reader.identity.id)"
      report = try reader.verify()
      lost =
        try reader.lostEvents(isAnyWithoutPayload: report.hasEventWithoutPayload).filter {
          missing.isEmpty || $0 != reader.unknownEnd
        } + missing
    } catch {
      throw .journal(error)
    }
    for finding in report.findings + lost { record(finding) }
    row.bytes =
      row.outcome == .unreadable
      ? .unread
      : !report.isSound ? .damaged : lost.isEmpty && report.hasStart ? .sound : .incomplete
    if !report.hasStart { worsen(.damaged, nil) }
    return report.findings + missing + (missing.isEmpty ? reader.unknownEnd.map { [$0] } ?? [] : [])
  }

  private mutating func record(_ finding: Journal.Finding) {
    switch finding.verdict {
    case .clean, .torn: return
    case .ioError: worsen(.unreadable, "\(finding.file): \(finding.cause)")
    case .unsupportedFormat: worsen(.newer, "\(finding.file): \(finding.cause)")
    case .damaged, .tailLost, .lost, .indexDamaged, .unsyncedGap:
      worsen(.damaged, "\(finding.file): \(finding.cause)")
    }
    row.damagedPlaces += 1
    row.lostEvents += UInt64(finding.lostEvents?.count ?? 0)
  }

  /// Records a check. An obstacle is reported by the pass that follows.
  @usableFromInline
  mutating func record(_ report: CheckReport) {
    if let mismatch = report.mismatch {
      row.states = .differ
      worsen(.differs, "event \(mismatch.sequence): the rules of this program give another state than the recorded one")
    } else if report.obstacle == nil, report.isConclusive {
      row.states = .agree
    }
  }

  // MARK: Events

  /// Records the next event.
  @inlinable
  mutating func record(_ sequence: UInt64, _ moment: Moment, _ event: Domain.Event?) {
    recordEvent(sequence, moment.wallNanoseconds)
    if let event, let surroundings = Domain.surroundings(of: event) { record(surroundings) }
  }

  @usableFromInline
  mutating func recordEvent(_ sequence: UInt64, _ nanoseconds: Int64) {
    let mark = FleetRow.Mark(event: sequence, nanoseconds: nanoseconds)
    row.events += 1
    if row.first == nil { row.first = mark }
    row.last = mark
  }

  @usableFromInline
  mutating func record(_ surroundings: HistoryEnvironment) {
    func add<Name: Equatable>(_ name: Name?, to names: inout [Name]) {
      guard let name, names.count < FleetRow.maximumNames, !names.contains(name) else { return }
      names.append(name)
    }
    func text(_ name: String?) -> String? {
      guard let name, !name.isEmpty else { return nil }
      return redaction.shown(name) ?? redaction.placeholder(for: .account)
    }
    add(text(surroundings.app), to: &row.app)
    add(text(surroundings.engine), to: &row.engine)
    add(text(surroundings.system), to: &row.system)
    add(text(surroundings.model), to: &row.model)
    add(
      surroundings.policy.map { .init(id: text($0.id) ?? "", revision: text($0.revision) ?? "") }, to: &row.policies)
  }

  /// Counts the events of a journal whose states are unknown.
  @usableFromInline
  mutating func recordEvents(of history: History<Domain>) throws(HistoryError) {
    try history.forEachHeading(after: 0) { heading in
      recordEvent(heading.sequence, heading.wallNanoseconds)
      return true
    }
  }

  // MARK: Problems

  @usableFromInline
  mutating func record(_ report: HistoryDiagnosis<Domain>, of history: History<Domain>) throws(HistoryError) {
    row.judgedUpTo = report.last
    if let obstacle = report.obstacle {
      let (outcome, reason) = judge(obstacle)
      worsen(outcome, reason)
      if row.error == nil { row.error = reason }
    }
    let shown = report.findings.prefix(FleetRow.maximumFindings)
    row.leftOut = UInt64(report.leftOut + report.findings.count - shown.count)
    row.findings = shown.map { ranked in
      let problem = ranked.diagnosis
      return FleetRow.Finding(
        family: problem.family.id, severity: problem.severity, subject: problem.subject.map(redaction.shown(sentence:)),
        sentence: redaction.shown(sentence: problem.sentence),
        confidence: problem.confidence, event: problem.evidence.first?.sequence, type: nil, nanoseconds: nil,
        until: problem.until, explainedBy: ranked.explainedBy, isOver: problem.isOver)
    }
    if let worst = row.findings.map(\.severity).max() { worsen(worst > .note ? .problems : .notes, nil) }
    let wanted = Set(row.findings.compactMap(\.event))
    guard let first = wanted.min(), let last = wanted.max() else { return }
    try history.forEachHeading(after: max(first, 1) - 1) { heading in
      if wanted.contains(heading.sequence) {
        for index in row.findings.indices where row.findings[index].event == heading.sequence {
          (row.findings[index].type, row.findings[index].nanoseconds) = (heading.typeName, heading.wallNanoseconds)
        }
      }
      return heading.sequence < last
    }
  }
}

extension FleetRow.Outcome: Comparable {
  /// Better outcomes come first.
  public static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
