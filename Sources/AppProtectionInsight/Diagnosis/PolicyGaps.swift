import AppProtection
import EventSourcing
import PlainText

/// The times without a policy, or without an app that acts for the account, that are over.
struct PolicyGaps: Sendable {
  /// Why an account had no policy for a time.
  enum Reason: Equatable, Sendable {
    case refused(EnrollmentStatusCode), untargeted, lost, unregistered, neverActedFor, noLongerActedFor

    /// So long is ordinary, and not reported once it is over: what waits for an assignment, or the network, is asked again every
    /// 12 hours (D).
    var patience: Int64 {
      switch self {
      case .refused(let code):
        code.classification == .transient || code.isUpToAdministrator ? RetrySchedule.day / 2 : Episodes.pause
      case .untargeted: RetrySchedule.day / 2
      case .lost, .unregistered: Episodes.pause
      case .neverActedFor: PolicyUse.longHesitation
      case .noLongerActedFor: 2 * PolicyUse.longHesitation
      }
    }
  }

  /// What lasts, with its reason; `nil` for one that no time that is over has.
  typealias Standing = (problem: Problem, reason: Reason?)

  /// Those that were long.
  private var times = PerAccount<PastTimes<Reason>>()

  /// A time without a policy is over.
  mutating func end(
    of account: AccountNumber, since began: EventContext, _ reason: Reason, _ ending: DiagnosisEnding,
    _ notes: HistoryNotes
  ) {
    let length = notes.facts.clock.elapsed(from: began, to: ending.event)
    guard length > reason.patience else { return }
    times[account, default: PastTimes()].add(
      reason,
      PastTimes.Time(
        began: began, length: length, ending: ending, words: Self.words(account, reason, endingBy: ending.kind)))
  }

  /// What lasts, with the times before it for the same reason, and the longest time for each other one.
  func problems(besides standing: [Standing]) -> [Problem] {
    let past = times.inOrder.flatMap { account, times in
      times.troubles.filter { trouble in
        !standing.contains { $0.problem.subject == account.description && $0.reason == trouble.kind }
      }.map { Self.past(account, $0) }
    }
    return standing.map { problem, reason in
      let account = problem.subject.flatMap { AccountNumber($0) }
      return problem.following(account.flatMap { times[$0]?.episodes(of: reason) })
    } + past
  }

  /// An account that had no policy for long.
  private static func past(_ account: AccountNumber, _ trouble: PastTimes<Reason>.Trouble) -> Problem {
    let time = trouble.longest
    let span = "for \(SpanWords.words(time.length)), \(time.span)"
    let (sentence, words, next) = Self.words(account, span, trouble.kind)
    var problem = Problem.withoutPolicy(
      account, .certain, sentence, DiagnosisEvidence(time.began, words),
      [DiagnosisEvidence(time.ending.event, time.words)], next: next)
    problem.conclude(trouble)
    return problem
  }

  /// What the event shows with which it ended.
  private static func words(
    _ account: AccountNumber, _ reason: Reason, endingBy kind: DiagnosisEnding.Kind
  ) -> String {
    switch reason {
    case .unregistered: "\(account) is registered"
    case .neverActedFor, .noLongerActedFor: "the app acts for \(account)"
    case .refused, .untargeted, .lost:
      switch kind {
      case .recovered: "a policy arrives"
      case .wiped: "the wipe of \(account) is ordered"
      case .replaced, .abandoned, .outOfSight: "\(account) leaves"
      }
    }
  }

  /// What was wrong for a time, what its first event shows, and what to do.
  private static func words(
    _ account: AccountNumber, _ span: String, _ reason: Reason
  ) -> (sentence: String, event: String, next: String) {
    switch reason {
    case .refused(let code):
      (
        "\(account) had no policy \(span), because \(code.refusal(isOver: true))", code.words,
        StatusAdvice.next(after: code)
      )
    case .untargeted:
      (
        "\(account) had no policy \(span), because none targeted this user and this app (103)",
        "the service has no policy for the account (103)",
        "assign the policy before its users begin: an account without one is asked about every 12 hours"
      )
    case .lost:
      (
        "\(account) had no policy \(span), because the service had lost its record (220)", "the policy is withdrawn",
        StatusAdvice.next(after: .policyRecordGone)
      )
    case .unregistered:
      (
        "\(account) was signed in for work or school \(span), before the app registered it",
        "the app reports the sign-in", "call registerAndEnroll after the sign-in"
      )
    case .neverActedFor:
      (
        "\(account) had a policy, and the app did not act for it \(span), so that it acted unmanaged",
        "the policy arrives", "set the identity of the windows and the threads that handle the account's data"
      )
    case .noLongerActedFor:
      (
        "the app acted for \(account) until it was updated, and not \(span), so that it acted unmanaged",
        "another version of the app starts", "look at where this version sets the identity, and when"
      )
    }
  }
}

extension EnrollmentStatusCode {
  /// Whether the administrator, not the app, must act.
  var isUpToAdministrator: Bool {
    switch self {
    case .accountNotLicensed, .licensedNotTargeted, .loginCanceled, .noPolicyReceived: true
    default: false
    }
  }

  /// Why an enrollment that ended with the code gave no policy. Nothing was refused where the service was not reached.
  func refusal(isOver: Bool = false) -> String {
    if self == .adalMethodUnsupported {
      let (was, ended) = isOver ? ("was", "ended") : ("is", "ends")
      return "the app's token library \(was) too old for the SDK, which \(ended) with \(words)"
    }
    return "\(classification == .transient ? "its enrollment failed" : "the service refused it") with \(words)"
  }
}

extension Problem {
  /// An account to which no policy is applied.
  static func withoutPolicy(
    _ account: AccountNumber, _ confidence: DiagnosisConfidence, _ sentence: String, _ deciding: DiagnosisEvidence,
    _ others: [DiagnosisEvidence], next: String
  ) -> Problem {
    Problem(
      .policyNotApplied, confidence, of: account.description, sentence, evidence: deciding, others, next: next,
      command: "explain JOURNAL 'managed(\(account))' --when")
  }
}
