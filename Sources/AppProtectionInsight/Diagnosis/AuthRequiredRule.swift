import AppProtection
import EventSourcing

/// The service demands a sign-in (203): the token is missing, has expired, or is refused by conditional access.
///
/// The deciding event is the removal of the tokens, if the app removed them; otherwise the service's first such answer.
struct AuthRequiredRule: ProblemRule {
  private var runs = FailureRuns(of: [.authRequired])
  /// What to do where a token was acquired, and the service demands a sign-in all the same.
  static let nextAfterSignIn =
    "acquire the token interactively for the service's own scope, and look up in the sign-in logs which conditional access "
    + "policy refuses it"

  /// The removal of tokens before a run.
  private var removals = PerAccount<EventContext>()
  /// The removal that led to an account's run.
  private var causes = PerAccount<EventContext>()
  /// The change of the clock that made an account's token older than it is.
  private var jumps = PerAccount<UInt64>()

  init() {}

  static let events: [any EventPayload.Type] =
    [
      TokenAcquired.self, TokenRemoved.self,
    ] + FailureRuns.events

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .tokenRemoved(let event): removals[event.account] = context
    case .tokenAcquired(let event):
      removals[event.account] = nil
      runs.relieve(event.account, context)
    default: break
    }
    if let account = runs.observe(event, context, before: before) {
      causes[account] = removals[account]
      jumps[account] = Self.jump(before: context, notes.contacts[account], notes.facts.clock)
    }
  }

  /// The change since the last completed check-in by which the clock was ahead for longer than a token is valid (DERIVED), where
  /// the time that really passed would have left it valid.
  private static func jump(before event: EventContext, _ trail: ContactTrail?, _ clock: HistoryClock) -> UInt64? {
    guard let trail, let jump = trail.jump, let completed = trail.completed,
      clock.lead(at: event, since: completed) > RetrySchedule.hour,
      clock.elapsed(from: completed, to: event) <= RetrySchedule.hour
    else { return nil }
    return jump.sequence
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    runs.inOrder.map { account, run in problem(account, run, last) }
  }

  private func problem(_ account: AccountNumber, _ run: FailureRun, _ last: EventContext) -> Problem {
    let failures = run.failures.evidence { "the service answers \($0.words)" }
    let first = run.failures.first?.sequence ?? 0
    let isOver = run.ending != nil
    let times =
      run.failures.count == 1
      ? "" : ", \(run.failures.count) times" + (isOver ? "" : " up to event \(run.failures.last?.sequence ?? 0)")
    var sentence = "the service \(isOver ? "demanded" : "demands") a sign-in of \(account) (203) \(run.span)\(times)"
    let removal = causes[account].map { DiagnosisEvidence($0, "the app removes the account's tokens") }
    if let removal { sentence += ", because the app removed its tokens with event \(removal.sequence ?? 0)" }
    var others = Array(removal == nil ? failures.dropFirst() : failures[...])
    let next: String
    let tokens = run.remedies.all.evidence("a token is acquired")
    if run.remedies.futile > 0, !isOver {
      sentence += ", and \(Self.times(run.remedies.futile)) did not help"
      others = (tokens + others).sorted { $0.sequence ?? 0 < $1.sequence ?? 0 }
      next = Self.nextAfterSignIn
    } else {
      next = "let the app acquire a token interactively: no silent repetition helps"
      if !isOver {
        others.insert(DiagnosisEvidence(nil, "no token has been acquired since"), at: 0)
      } else if let relief = run.remedies.relief, run.end == relief {
        sentence += ", until a token was acquired with event \(relief.sequence)"
        others += tokens.suffix(1)
      }
    }
    var problem = Problem(
      .authRequired, of: account.description, sentence,
      evidence: removal ?? failures.first ?? DiagnosisEvidence(first, "203"), others, next: next,
      command: "log JOURNAL --account \(account) --type 'token.*' --type '*.failed'")
    problem.conclude(run, runs.episodes(of: account), at: last)
    (problem.began, problem.felt) = (first, first)
    if removal == nil, let jump = jumps[account] { problem.causes = [jump] }
    problem.restsOnAbsence = run.remedies.all.count == 0
    return problem
  }

  private static func times(_ count: Int) -> String { count == 1 ? "one sign-in" : "\(count) sign-ins" }
}
