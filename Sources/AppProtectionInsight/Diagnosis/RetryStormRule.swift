import AppProtection
import EventSourcing

/// The same request, repeated much more often than the schedule asks for.
struct RetryStormRule: ProblemRule {
  /// So many requests within a window are a storm: pauses after failures grow, so that they allow fewer.
  private static let most = 8
  private static let window = 10 * RetrySchedule.minute
  /// After so long a calm, another storm has another cause.
  private static let calm = 30 * RetrySchedule.day

  private struct Record: Sendable {
    /// The latest requests, at most ``RetryStormRule/most`` of them.
    var recent: [EventContext] = []
    /// The last one that the engine made by itself.
    var scheduled: EventContext?
    /// The failures among them.
    var failures: [EventContext] = []
    var storm: Storm?
    /// What began the first storm of a series, and the number of storms in it.
    var series: (began: DiagnosisEvidence, storms: Int)?
  }

  private struct Storm: Sendable {
    var requests = Occurrences()
    var episodes = Episodes()
    var code: EnrollmentStatusCode?
    var isOver = false
  }

  /// What is repeated.
  private enum Kind: String, CaseIterable {
    case enrollment, checkIn, token, remediation, registration

    var words: String {
      switch self {
      case .enrollment: "enrollment"
      case .checkIn: "check-in"
      case .token: "token"
      case .remediation: "remediation"
      case .registration: "registration"
      }
    }
  }

  private var records: [Kind: PerAccount<Record>] = [:]

  static let events: [any EventPayload.Type] = [
    AccountRegistered.self, EnrollmentRequested.self, EnrollmentFailed.self, CheckInRequested.self, CheckInFailed.self,
    TokenDenied.self, RemediationRequested.self,
  ]

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .enrollmentRequested(let event): recordAttempt(.enrollment, event.account, context)
    case .checkInRequested(let event):
      recordAttempt(.checkIn, event.account, context, isScheduled: event.trigger == .schedule)
    case .tokenDenied(let event): recordAttempt(.token, event.account, context)
    case .remediationRequested(let event): recordAttempt(.remediation, event.account, context)
    case .accountRegistered(let event): recordAttempt(.registration, event.account, context)
    case .enrollmentFailed(let event): fail(.enrollment, event.account, context, event.code)
    case .checkInFailed(let event): fail(.checkIn, event.account, context, event.code)
    default: break
    }
  }

  private mutating func recordAttempt(
    _ kind: Kind, _ account: AccountNumber, _ context: EventContext, isScheduled: Bool = false
  ) {
    var record = records[kind]?[account] ?? Record()
    if isScheduled { record.scheduled = context }
    record.recent.append(context)
    if record.recent.count > Self.most { record.recent.removeFirst() }
    let isStorm = record.recent.count == Self.most && context.elapsed(since: record.recent[0]) <= Self.window
    if isStorm && record.storm?.isOver != false {
      let failure = record.failures.first { $0.sequence > record.recent[0].sequence }
      let began =
        failure.map { DiagnosisEvidence($0, "the first one that fails") }
        ?? DiagnosisEvidence(record.recent[record.recent[0] == record.scheduled ? 1 : 0], "the first one")
      let isNew = record.storm?.requests.last.map { context.elapsed(since: $0) > Self.calm } ?? true
      record.series = isNew ? (began, 1) : record.series.map { ($0.began, $0.storms + 1) }
      var storm = Storm()
      storm.code = record.storm?.code
      if !isNew { storm.episodes = record.storm?.episodes ?? Episodes() }
      for earlier in record.recent {
        storm.requests.add(earlier)
        storm.episodes.see(earlier)
      }
      record.storm = storm
    } else if isStorm {
      record.storm?.requests.add(context)
      record.storm?.episodes.see(context)
    } else {
      if record.storm?.isOver == false { record.storm?.episodes.end(.recovered, at: context) }
      record.storm?.isOver = true
    }
    records[kind, default: PerAccount()][account] = record
  }

  private mutating func fail(
    _ kind: Kind, _ account: AccountNumber, _ context: EventContext, _ code: EnrollmentStatusCode
  ) {
    guard var record = records[kind]?[account] else { return }
    record.failures.append(context)
    if record.failures.count > Self.most { record.failures.removeFirst() }
    record.storm?.code = code
    records[kind]?[account] = record
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    Kind.allCases.flatMap { kind in
      (records[kind]?.inOrder ?? []).compactMap { account, record in
        guard let storm = record.storm, let series = record.series else { return nil }
        return problem(kind, account, storm, series, last)
      }
    }
  }

  private func problem(
    _ kind: Kind, _ account: AccountNumber, _ storm: Storm, _ series: (began: DiagnosisEvidence, storms: Int),
    _ last: EventContext
  ) -> Problem {
    let times = storm.requests.count
    let span = storm.requests.last.flatMap { last in storm.requests.first.map { last.elapsed(since: $0) } } ?? 0
    let failing = storm.code.map { ", and failed last with \($0.words)" } ?? ""
    let earlier =
      series.storms > 1 ? "; it is storm number \(series.storms) since event \(series.began.sequence ?? 0)" : ""
    var problem = Problem(
      .retryStorm, .certain, of: account.description,
      "the \(kind.words) of \(account) was asked for \(times) times within \(SpanWords.words(span))\(failing)\(earlier)",
      evidence: series.began, storm.requests.evidence("asked for"),
      next: "let the SDK repeat requests: its pauses grow, and asking again does not hasten the answer",
      command: "stats JOURNAL")
    problem.until = storm.requests.last?.sequence
    problem.show(storm.episodes, at: last)
    return problem
  }
}
