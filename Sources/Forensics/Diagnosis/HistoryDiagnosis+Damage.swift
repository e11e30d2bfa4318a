import EventSourcing
import Journal
import PlainText

extension HistoryDiagnosis {
  /// What is wrong with a journal's bytes, as one problem. An unfinished write at the end was never acknowledged, and is not
  /// one; nor is what a newer program wrote.
  static func damaged(_ findings: [Finding]) -> [Diagnosis<Domain.Family>] {
    let harmful = findings.filter { finding in
      switch finding.verdict {
      case .damaged, .tailLost, .lost, .indexDamaged, .unsyncedGap, .ioError: true
      case .clean, .torn, .unsupportedFormat: false
      }
    }
    guard let first = harmful.first(where: losesEvents) ?? harmful.first else { return [] }
    let lost = harmful.reduce(0) { $0 + UInt64($1.lostEvents?.count ?? 0) }
    let others = harmful.filter { $0 != first }.map(evidence)
    var diagnosis = Diagnosis(
      Domain.Family.damagedJournal, confidence(first), sentence(first, lost, harmful.count), evidence: evidence(first),
      others,
      // Without the file that another program renamed, the other places are what is left.
      next: (harmful.first { ForeignName($0.file) != nil } ?? first).remedy,
      command: first.verdict == .lost ? "help damage" : "salvage JOURNAL -o copy")
    if !losesEvents(first) { diagnosis.severity = .warning }
    return [diagnosis]
  }

  /// Whether events are missing there, or may be.
  static func losesEvents(_ finding: Finding) -> Bool {
    switch finding.verdict {
    case .damaged, .tailLost, .lost, .ioError, .unsupportedFormat: true
    case .clean, .torn, .unsyncedGap, .indexDamaged: false
    }
  }

  private static func sentence(_ finding: Finding, _ lost: UInt64, _ places: Int) -> String {
    let saysSo = finding.verdict == .lost && places == 1
    let events = lost == 0 || saysSo ? "" : "; \(lost.counted("event is", "events are")) lost"
    let more = places == 1 ? "" : ", the first of \(places) places"
    return "\(place(finding))\(finding.cause)\(more)\(events)"
  }

  private static func evidence(_ finding: Finding) -> DiagnosisEvidence {
    let event = finding.lostEvents?.lowerBound ?? finding.strandedEvents?.lowerBound
    return DiagnosisEvidence(event, place(finding, ", byte \(finding.byteRange.lowerBound)") + finding.evidence)
  }

  /// The file with the damage. Lost events are in none, and what keeps their place differs from copy to copy.
  private static func place(_ finding: Finding, _ byte: String = "") -> String {
    finding.verdict == .lost ? "" : "\(finding.file)\(byte): "
  }

  private static func confidence(_ finding: Finding) -> DiagnosisConfidence {
    switch finding.verdict {
    case .damaged, .tailLost, .lost, .indexDamaged, .clean, .torn: .certain
    case .ioError, .unsupportedFormat: .likely
    case .unsyncedGap: .possible
    }
  }
}
