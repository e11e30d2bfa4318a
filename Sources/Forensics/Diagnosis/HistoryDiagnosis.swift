import EventSourcing
import Journal

/// The problems that a history shows, causes first.
///
/// One pass; memory does not grow with the history.
public struct HistoryDiagnosis<Domain: DiagnosisDomain>: Sendable {
  /// A problem, and the one that led to it.
  public struct Ranked: Equatable, Sendable {
    /// The problem.
    public let diagnosis: Diagnosis<Domain.Family>
    /// The place in ``HistoryDiagnosis/findings`` of the problem that led to it; `nil` if it is a cause itself.
    public let explainedBy: Int?
  }

  /// The problems: causes, the most severe first, then the most certain, then the earliest; each directly followed by what it
  /// led to.
  public private(set) var findings: [Ranked] = []
  /// The number of problems left out because they are too many, the mildest ones.
  public private(set) var leftOut = 0
  /// The last event that was judged; 0 if none was.
  public private(set) var last: UInt64 = 0
  /// When it was decided, in nanoseconds since 1970-01-01T00:00:00Z.
  public private(set) var lastWallNanoseconds: Int64 = 0
  /// Why nothing after ``last`` could be judged; `nil` if everything was.
  public private(set) var obstacle: HistoryError?

  /// The most problems that are ranked.
  static var maximumFindings: Int { 512 }

  /// Reads a history.
  ///
  /// - Parameters:
  ///   - history: The history.
  ///   - lower: Problems that ended before this event are left out.
  ///   - upper: The last event to look at; `nil` means the end.
  ///   - damage: What was found about the journal's bytes.
  ///   - examination: What looks at the events; it has seen none.
  @inlinable
  public init(
    of history: History<Domain>, from lower: UInt64 = 1, upTo upper: UInt64? = nil, damage: [Finding] = [],
    by examination: Domain.Examination = Domain.Examination()
  ) throws(HistoryError) {
    var pass = DiagnosisPass<Domain>(examination)
    let recorded = RecordedDamage(of: history.reader)
    try pass.read(history, upTo: upper, recorded)
    self.init(pass, from: lower, upTo: upper, recorded.superseding(damage))
  }

  @usableFromInline
  init(_ pass: DiagnosisPass<Domain>, from lower: UInt64, upTo upper: UInt64?, _ damage: [Finding]) {
    (last, lastWallNanoseconds) = (pass.last.sequence, pass.last.moment.wallNanoseconds)
    obstacle = pass.obstacle
    var found = pass.diagnoses()
    // Where events may be missing, what did not happen may have happened in them.
    if obstacle != nil || damage.contains(where: Self.losesEvents) {
      for index in found.indices where found[index].restsOnAbsence { found[index].confidence = .possible }
    }
    found += Self.damaged(damage + lossThatEndsIt(damage))
    found.removeAll { $0.span.upperBound < lower || $0.span.lowerBound > upper ?? .max }
    let opening = pass.opening ?? 0
    findings = Self.ranked(found, after: opening).map { ranked in
      Ranked(diagnosis: ranked.diagnosis.concluded.placed(after: opening), explainedBy: ranked.explainedBy)
    }
    leftOut = found.count - findings.count
  }

  /// The lost events that end what can be judged, unless they are among what was found about the journal's bytes.
  private func lossThatEndsIt(_ damage: [Finding]) -> [Finding] {
    guard case .damaged(_, let loss?)? = obstacle, loss.verdict == .lost else { return [] }
    let isKnown = damage.contains { finding in
      guard let lost = loss.lostEvents, let known = finding.lostEvents else { return finding.cause == loss.cause }
      return known.overlaps(lost)
    }
    return isKnown ? [] : [loss]
  }
}
