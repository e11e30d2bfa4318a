import EventSourcing
import Forensics

/// A kind of problem, of whichever domain.
@usableFromInline
package struct ProblemKind: Hashable, Sendable {
  /// The stable name, in lower case with hyphens.
  package let id: String
  /// What is wrong, in a few words.
  package let title: String
  /// How bad it is, unless a problem says otherwise.
  package let severity: DiagnosisSeverity
  /// The page that describes it, with the heading.
  package let page: String
  /// Whether it is damage of the journal's bytes, which every domain has.
  package let isOfBytes: Bool

  @usableFromInline
  init<Family: DiagnosisFamily>(_ family: Family) {
    (id, title, severity, page) = (family.id, family.title, family.severity, family.page)
    isOfBytes = family == .damagedJournal
  }
}

/// A problem that a history shows, of whichever domain: see `Diagnosis`, of which these are the contents.
@usableFromInline
package struct FoundProblem: Equatable, Sendable {
  package let kind: ProblemKind
  package let severity: DiagnosisSeverity
  package let confidence: DiagnosisConfidence
  package let subject: String?
  package let title: String?
  package let sentence: String
  package let evidence: [DiagnosisEvidence]
  package let next: String
  package let command: String?
  package let until: UInt64?
  package let isOver: Bool
  package let ending: DiagnosisEnding?
  package let episodes: [DiagnosisEpisode]
  package let episodeCount: Int

  @usableFromInline
  init<Family: DiagnosisFamily>(_ problem: Diagnosis<Family>) {
    (kind, severity, confidence) = (ProblemKind(problem.family), problem.severity, problem.confidence)
    (subject, title, sentence) = (problem.subject, problem.title, problem.sentence)
    (evidence, next, command) = (problem.evidence, problem.next, problem.command)
    (until, isOver, ending) = (problem.until, problem.isOver, problem.ending)
    (episodes, episodeCount) = (problem.episodes, problem.episodeCount)
  }

  /// The event that decided it; 0 if it is none that the history has.
  package var decidingEvent: UInt64 { evidence.first?.sequence ?? 0 }

  /// When that was recorded; `nil` if the history does not have it.
  package var decidingMoment: Moment? { evidence.first?.moment }
}

/// A problem in a list, and the one that led to it.
@usableFromInline
package struct RankedProblem: Sendable {
  package let problem: FoundProblem
  /// The place in the list of the problem that led to it; `nil` for a cause, and where that is not in the list.
  package let explainedBy: Int?

  @usableFromInline
  init(_ problem: FoundProblem, explainedBy: Int?) { (self.problem, self.explainedBy) = (problem, explainedBy) }
}

extension [RankedProblem] {
  /// Those that meet a condition, with their causes where these do, too.
  package func limited(to isWanted: (FoundProblem) -> Bool) -> [RankedProblem] {
    let kept = indices.filter { isWanted(self[$0].problem) }
    let places = Dictionary(uniqueKeysWithValues: zip(kept, kept.indices))
    return kept.map { RankedProblem(self[$0].problem, explainedBy: self[$0].explainedBy.flatMap { places[$0] }) }
  }
}

/// The problems of a history: see `HistoryDiagnosis`, of which these are the contents.
@usableFromInline
package struct FoundProblems: Sendable {
  /// The problems: causes first, each directly followed by what it led to.
  package let problems: [RankedProblem]
  /// The number of those left out, the mildest ones.
  package let leftOut: Int
  /// The last event that was judged; 0 if none was.
  package let last: UInt64
  /// When it was decided, in nanoseconds since 1970-01-01T00:00:00Z.
  package let lastWallNanoseconds: Int64
  /// Why nothing after it could be judged; `nil` if everything was.
  package let obstacle: HistoryError?
  /// Marks the problems in a drawing of the same history, with the name of the tool for the next steps.
  package let mark: @Sendable (inout Timeline, Redaction, String) -> Void
  /// What differs between the history, up to an event, and a healthy one.
  package let contrast: @Sendable (AnyHistory, UInt64?, AnyHistory) throws(HistoryError) -> [HistoryDifference]

  @usableFromInline
  init<Domain: DiagnosisDomain>(_ diagnosis: HistoryDiagnosis<Domain>) {
    problems = diagnosis.findings.map { RankedProblem(FoundProblem($0.diagnosis), explainedBy: $0.explainedBy) }
    (leftOut, last, lastWallNanoseconds) = (diagnosis.leftOut, diagnosis.last, diagnosis.lastWallNanoseconds)
    obstacle = diagnosis.obstacle
    mark = { $0.add(diagnosis, $1, tool: $2) }
    contrast = { (history, upper, healthy) throws(HistoryError) in
      try HistoryContrast(
        of: history.of(Domain.self), upTo: upper, with: healthy.of(Domain.self), problems: diagnosis.findings
      ).differences
    }
  }
}
