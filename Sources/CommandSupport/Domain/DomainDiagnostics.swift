import EventSourcing
import Forensics
import Journal

/// What the commands of a tool ask of a domain that knows which problems its histories show.
///
/// Each question is a closure that is made where the domain is named: see ``AnyHistory``.
@usableFromInline
package struct DomainDiagnostics: Sendable {
  /// The kinds of problem, in their order.
  package let families: [ProblemKind]
  @usableFromInline let diagnosing: Diagnosing
  @usableFromInline let examining: Examining

  @usableFromInline
  typealias Diagnosing =
    @Sendable (AnyHistory, UInt64, UInt64?, [Finding]) throws(HistoryError) -> FoundProblems
  @usableFromInline
  typealias Examining =
    @Sendable (AnyHistory, (folder: String, path: String), Redaction, [Finding], @escaping Judge) -> FleetRow

  /// What an error that ends the reading of a journal means for its row.
  @usableFromInline
  package typealias Judge = (HistoryError) -> (outcome: FleetRow.Outcome, reason: String)

  /// What asks a domain.
  ///
  /// - Parameter examination: Makes what looks at the events; it has seen none.
  @inlinable
  init<Domain: DiagnosisDomain & Decider>(
    _ domain: Domain.Type, by examination: @escaping @Sendable () -> Domain.Examination
  ) {
    self.init(
      families: Domain.Family.allCases.map { ProblemKind($0) },
      diagnosing: { (history, lower, upper, damage) throws(HistoryError) in
        FoundProblems(
          try HistoryDiagnosis(
            of: history.of(Domain.self), from: lower, upTo: upper, damage: damage, by: examination()))
      },
      examining: { history, place, redaction, missing, judge in
        FleetExamination(
          of: history.of(Domain.self), folder: place.folder, path: place.path, redaction: redaction, missing: missing,
          by: examination(), judging: judge
        ).row
      })
  }

  @usableFromInline
  init(families: [ProblemKind], diagnosing: @escaping Diagnosing, examining: @escaping Examining) {
    (self.families, self.diagnosing, self.examining) = (families, diagnosing, examining)
  }

  /// Reads one journal of many: its bytes, its states and its problems.
  ///
  /// - Parameters:
  ///   - place: The file or folder that was named, and the journal's place below it.
  ///   - redaction: What may be shown.
  ///   - missing: What says that the file that the journal is from is cut.
  ///   - judge: What an error that ends the reading means.
  package func examine(
    _ history: AnyHistory, at place: (folder: String, path: String), _ redaction: Redaction, missing: [Finding],
    judging judge: @escaping Judge
  ) -> FleetRow { examining(history, place, redaction, missing, judge) }

  /// The problems of a stretch of a history.
  ///
  /// - Parameters:
  ///   - lower: Problems that ended before this event are left out.
  ///   - upper: The last event to look at; `nil` means the end.
  ///   - damage: What was found about the journal's bytes.
  package func diagnose(
    _ history: AnyHistory, from lower: UInt64, upTo upper: UInt64?, damage: [Finding]
  ) throws(HistoryError) -> FoundProblems { try diagnosing(history, lower, upper, damage) }
}
