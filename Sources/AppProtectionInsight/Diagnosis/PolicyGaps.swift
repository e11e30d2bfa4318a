import AppProtection
import EventSourcing

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

  private struct Gap: Sendable {
    let began: EventContext
    let reason: Reason
    let length: Int64
    let ending: DiagnosisEnding
  }

  /// The longest one of every account.
  private var longest = PerAccount<Gap>()
  /// All that were long.
  private var episodes = PerAccount<Episodes>()

  /// A time without a policy is over.
  mutating func end(
    of account: AccountNumber, since began: EventContext, _ reason: Reason, _ ending: DiagnosisEnding,
    _ notes: HistoryNotes
  ) {
    let length = notes.facts.clock.elapsed(from: began, to: ending.event)
    guard length > reason.patience else { return }
    episodes[account, default: Episodes()].add(since: began, ending)
    guard length > longest[account]?.length ?? 0 else { return }
    longest[account] = Gap(began: began, reason: reason, length: length, ending: ending)
  }

  /// What lasts, with the times before it, and the longest times of the accounts for which nothing lasts.
  func problems(besides standing: [Problem]) -> [Problem] {
    standing.map { problem in
      let account = problem.subject.flatMap { AccountNumber($0) }
      return problem.following(account.flatMap { episodes[$0] })
    }
      + longest.inOrder.filter { gap in !standing.contains { $0.subject == gap.account.description } }
      .map { past($0.account, $0.value) }
  }

  /// An account that had no policy for long.
  private func past(_ account: AccountNumber, _ gap: Gap) -> Problem {
    let (began, end) = (gap.began, gap.ending.event)
    let span = "for \(SpanWords.words(gap.length)), from event \(began.sequence) to event \(end.sequence)"
    let (sentence, words, next) = Self.words(account, span, gap.reason)
    let ending =
      switch gap.reason {
      case .unregistered: "\(account) is registered"
      case .neverActedFor, .noLongerActedFor: "the app acts for \(account)"
      case .refused, .untargeted, .lost:
        switch gap.ending.kind {
        case .recovered: "a policy arrives"
        case .wiped: "the wipe of \(account) is ordered"
        case .replaced, .abandoned, .outOfSight: "\(account) leaves"
        }
      }
    var problem = Problem.withoutPolicy(
      account, .certain, sentence, DiagnosisEvidence(began, words), [DiagnosisEvidence(end, ending)], next: next)
    if let all = episodes[account], all.count > 1 { problem.describe(all) }
    let latest = problem.episodes.last?.ending ?? gap.ending
    problem.end(latest.kind, at: latest.event)
    problem.severity = .note
    return problem
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
