import AppProtection
import EventSourcing

/// The service got no object id (207): the app passed no account, or a name for which the directory has no object id.
///
/// The deciding event is the first request that ended so.
struct NilAccountRule: ProblemRule {
  private var runs = FailureRuns(of: [.nilAccount])
  /// The accounts that had no object id when their run began.
  private var isNamedOnly = PerAccount<Bool>()
  /// Calls without an account since one was last registered, and the number of processes before the first of them.
  private var calls = Occurrences()
  private var launches = 0
  /// The first calls that were over only in another process, or after long, and the account that was registered then.
  private var past: (calls: Occurrences, account: AccountNumber, end: EventContext)?

  init() {}

  static let events: [any EventPayload.Type] =
    [
      CommandRefused.self, AccountRegistered.self,
    ] + FailureRuns.events

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .commandRefused(let event):
      guard event.code == .nilAccount else { break }
      if calls.count == 0 { launches = notes.processes.launches }
      calls.add(context)
    case .accountRegistered(let event):
      let isLong = calls.first.map { context.elapsed(since: $0) > Episodes.pause } ?? false
      if past == nil, isLong || (calls.count > 0 && notes.processes.launches > launches) {
        past = (calls, event.account, context)
      }
      calls = Occurrences()
    default: break
    }
    if let account = runs.observe(event, context, before: before) {
      isNamedOnly[account] = before.accounts[account]?.$objectID.isAbsent ?? true
    }
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    var problems = runs.inOrder.map { account, run in problem(account, run, state, last) }
    if let call = calls.first {
      let isOver = Episodes.isOutOfSight(calls.last, at: last)
      var problem = Problem(
        .nilAccount, .certain,
        isOver
          ? "the app called without an account (207) \(Self.span(of: calls)), and registered none later"
          : "the app calls without an account (207) since event \(call.sequence), and registers none later",
        evidence: DiagnosisEvidence(call, "a call names no account"),
        calls.evidence("a call names no account") + [DiagnosisEvidence(nil, "no account is registered later")],
        next: "call registerAndEnroll with the object id from the token library's result",
        command: "show JOURNAL \(call.sequence)")
      problem.endOutOfSight(since: calls.last, calls.count, at: last)
      problems.append(problem)
    }
    if let past { problems.append(Self.problem(past.calls, until: past.account, past.end)) }
    return problems
  }

  private static func span(of calls: Occurrences) -> String {
    let (first, last) = (calls.first?.sequence ?? 0, calls.last?.sequence ?? 0)
    return first == last ? "at event \(first)" : "\(calls.times) from event \(first) to event \(last)"
  }

  /// Calls without an account, until there was one.
  private static func problem(_ calls: Occurrences, until account: AccountNumber, _ end: EventContext) -> Problem {
    let first = calls.first?.sequence ?? 0
    var problem = Problem(
      .nilAccount, .certain,
      "the app called without an account (207) \(span(of: calls)), and registered \(account) only with event \(end.sequence)",
      evidence: calls.first.map { DiagnosisEvidence($0, "a call names no account") }
        ?? DiagnosisEvidence(first, "a call names no account"),
      calls.evidence("a call names no account") + [DiagnosisEvidence(end, "\(account) is registered")],
      next: "call registerAndEnroll with the object id from the token library's result, after the sign-in",
      command: "show JOURNAL \(first)")
    problem.end(.recovered, at: end)
    problem.severity = .note
    return problem
  }

  private func problem(
    _ account: AccountNumber, _ run: FailureRun, _ state: AppProtectionState, _ last: EventContext
  ) -> Problem {
    let failures = run.failures.evidence { "the service answers \($0.words)" }
    let first = run.failures.first?.sequence ?? 0
    let isNamedOnly = isNamedOnly[account] ?? true
    let (has, does) = run.ending == nil ? ("has", "does") : ("had", "did")
    let introduction =
      isNamedOnly
      ? "the app passed its name without an object id, and the directory \(has) none for this name"
      : "the directory \(does) not know the object id and name that the app passed"
    let times = run.failures.count == 1 ? "" : ", \(run.failures.count) times"
    let verb = run.ending == nil ? "finds" : "found"
    var problem = Problem(
      .nilAccount, of: account.description,
      "the service \(verb) no account for \(account) (207) \(run.span)\(times): \(introduction)",
      evidence: failures.first ?? DiagnosisEvidence(first, "207"),
      (notes(of: account, state)) + failures,
      next: isNamedOnly
        ? "pass the object id of the token library's result instead of the name, and sign in again"
        : "compare the object id and the name with the user in the directory",
      command: "show JOURNAL \(first)")
    problem.conclude(run, runs.episodes(of: account), at: last)
    return problem
  }

  private func notes(of account: AccountNumber, _ state: AppProtectionState) -> [DiagnosisEvidence] {
    let isAbsent = state.accounts[account]?.$objectID.isAbsent ?? true
    return isAbsent ? [DiagnosisEvidence(nil, "no object id of \(account) became known")] : []
  }
}
