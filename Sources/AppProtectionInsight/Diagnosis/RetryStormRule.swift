import AppProtection
import EventSourcing
import PlainText

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
    /// Whether a storm is under way.
    var isStorm = false
    var series: Series?
  }

  /// Storms with one cause: the first one counts.
  private struct Series: Sendable {
    let began: DiagnosisEvidence
    /// The requests of the first storm, and the code with which the last of them failed.
    var requests = Occurrences()
    var code: EnrollmentStatusCode?
    /// The number of storms, and the last request in any of them.
    var storms = 1
    var latest: EventContext
    var episodes = Episodes()
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
    if isStorm {
      let seen = record.isStorm ? [context] : record.recent
      var series = record.series.flatMap { context.elapsed(since: $0.latest) > Self.calm ? nil : $0 }
      if series != nil, !record.isStorm { series?.storms += 1 }
      record.series = Self.add(seen, to: series ?? Series(began: Self.beginning(of: record), latest: context))
    } else if record.isStorm, let series = record.series {
      // What comes at its own time shows that the storm was over before.
      record.series?.episodes.end(.recovered, at: series.latest)
    }
    record.isStorm = isStorm
    records[kind, default: PerAccount()][account] = record
  }

  /// The first failure among the latest requests, or else the first of them that the app asked for.
  private static func beginning(of record: Record) -> DiagnosisEvidence {
    let failure = record.failures.first { $0.sequence > record.recent[0].sequence }
    return failure.map { DiagnosisEvidence($0, "the first one that fails") }
      ?? DiagnosisEvidence(record.recent[record.recent[0] == record.scheduled ? 1 : 0], "the first one")
  }

  private static func add(_ requests: [EventContext], to series: Series) -> Series {
    var series = series
    for request in requests {
      if series.storms == 1 { series.requests.add(request) }
      series.episodes.see(request)
      series.latest = request
    }
    return series
  }

  private mutating func fail(
    _ kind: Kind, _ account: AccountNumber, _ context: EventContext, _ code: EnrollmentStatusCode
  ) {
    guard var record = records[kind]?[account] else { return }
    record.failures.append(context)
    if record.failures.count > Self.most { record.failures.removeFirst() }
    if record.isStorm, record.series?.storms == 1 { record.series?.code = code }
    records[kind]?[account] = record
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    Kind.allCases.flatMap { kind in
      (records[kind]?.inOrder ?? []).compactMap { account, record in
        record.series.map { problem(kind, account, $0, last) }
      }
    }
  }

  private func problem(
    _ kind: Kind, _ account: AccountNumber, _ series: Series, _ last: EventContext
  ) -> Problem {
    let requests = series.requests
    let span = requests.last.flatMap { last in requests.first.map { last.elapsed(since: $0) } } ?? 0
    let failing = series.code.map { ", and failed last with \($0.words)" } ?? ""
    let again = series.storms > 1 ? "; it came \(series.storms) times up to event \(series.latest.sequence)" : ""
    var problem = Problem(
      .retryStorm, .certain, of: account.description,
      "the \(kind.words) of \(account) was asked for \(requests.count) times within \(SpanWords.limit(span))\(failing)\(again)",
      evidence: series.began,
      requests.evidence("asked for") + (again.isEmpty ? [] : [DiagnosisEvidence(series.latest, "asked for again")]),
      next: "let the SDK repeat requests: its pauses grow, and asking again does not hasten the answer",
      command: "stats JOURNAL")
    problem.until = series.latest.sequence
    problem.show(series.episodes, at: last)
    return problem
  }
}
