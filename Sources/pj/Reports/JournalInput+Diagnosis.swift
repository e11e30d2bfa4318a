import AppProtection
import AppProtectionInsight
import EventSourcing
import Forensics
import Journal
import PolicyDocuments

extension JournalInput {
  /// The problems of a stretch of the history; a policy's own contradictions are those that lint finds.
  ///
  /// - Parameters:
  ///   - lower: Problems that ended before this event are left out.
  ///   - upper: The last event to look at; `nil` means the end.
  ///   - damage: What was found about the journal's bytes.
  func diagnosis(
    from lower: UInt64, upTo upper: UInt64?, damage: [Finding]
  ) throws(Failure) -> HistoryDiagnosis<AppProtectionMachine> {
    begin("diagnosing")
    return try Failure.translating(
      journal: path,
      try HistoryDiagnosis(
        of: history, from: lower, upTo: upper, damage: damage,
        by: AppProtectionExamination(contradictions: PolicyLint.contradictions)))
  }
}
