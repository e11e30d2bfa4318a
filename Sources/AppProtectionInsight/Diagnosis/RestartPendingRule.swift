import AppProtection
import EventSourcing
import PlainText

/// A restart that was asked for and has not come, or came late: until then, the first policy of an account is not enforced.
struct RestartPendingRule: ProblemRule {
  /// How long a restart may be awaited before it counts: the user sees the dialog first.
  private static let patience = 10 * RetrySchedule.minute

  /// So long may a policy go without being enforced before that is reported although the restart came (DERIVED).
  private static let endurance = ProcessTrail.endurance

  /// A restart that came late.
  private struct Delay: Sendable {
    let asked: EventContext
    let restart: PendingRestart
    let answer: EventContext?
    /// The accounts whose policies were not enforced.
    let waiting: [AccountNumber]
    /// How long the app ran without them.
    let length: Int64
    let start: EventContext
  }

  private var demand: EventContext?
  private var answer: EventContext?
  /// The end of the process that was to be restarted.
  private var processEnd: EventContext?
  /// The latest of the restarts.
  private var delay: Delay?
  private var extensions = Occurrences()

  static let events: [any EventPayload.Type] = [
    ProcessStarted.self, ProcessEnded.self, RestartRequired.self, RestartAnswered.self,
  ]

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .restartRequired:
      if before.process.restart == nil { (demand, answer, extensions, processEnd) = (context, nil, Occurrences(), nil) }
    case .restartAnswered: answer = context
    case .processEnded: processEnd = processEnd ?? context
    case .processStarted(let event):
      if event.isExtension && after.process.restart != nil { extensions.add(context) }
      if let restart = before.process.restart, after.process.restart == nil { end(restart, before, context, notes) }
    default: break
    }
  }

  /// The app starts again.
  private mutating func end(
    _ restart: PendingRestart, _ before: AppProtectionState, _ context: EventContext, _ notes: HistoryNotes
  ) {
    let waiting = before.policies.records.filter { !$0.isEnforced }.map(\.account)
    guard let demand, !waiting.isEmpty else { return }
    let end = processEnd ?? context
    let length = notes.facts.clock.elapsed(from: demand, to: end)
    guard length > Self.endurance, length > delay?.length ?? 0 else { return }
    delay = Delay(
      asked: demand, restart: restart, answer: answer, waiting: waiting, length: length, start: context)
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    (delay.map { [Self.problem($0)] } ?? []) + present(at: state, last, notes)
  }

  private static func problem(_ delay: Delay) -> Problem {
    let accounts = delay.waiting.map(\.description).joined(separator: ", ")
    var problem = Problem(
      .restartPending, .certain, of: (delay.restart.account ?? delay.waiting.first)?.description,
      "a restart was awaited from event \(delay.asked.sequence) to event \(delay.start.sequence), because "
        + "\(words(delay.restart.reason)), and the app ran for \(SpanWords.words(delay.length)) without the policy of "
        + accounts,
      evidence: DiagnosisEvidence(delay.asked, "the restart is asked for"),
      (delay.answer.map { [DiagnosisEvidence($0, words(delay.restart.answer))] } ?? [])
        + [DiagnosisEvidence(delay.start, "the app starts again")],
      next: next(after: delay.restart.answer), command: "show JOURNAL \(delay.asked.sequence)")
    problem.felt = delay.asked.sequence
    problem.end(.recovered, at: delay.start)
    problem.severity = .note
    return problem
  }

  private static func next(after answer: RestartAnswer) -> String {
    answer == .appRestartsItself
      ? "let the app restart itself as its delegate promised, or return false so that the SDK asks the user"
      : "close the app and open it again"
  }

  private func present(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    guard let restart = state.process.restart else { return [] }
    let waiting = state.policies.records.filter { !$0.isEnforced }.map(\.account)
    let subject = restart.account ?? waiting.first
    let asked = restart.requestedBy
    let isLate =
      demand.map { demand in
        // A user who postpones it is asked again.
        let pause = restart.due.map { max($0.distanceClamping(from: demand.moment.wallNanoseconds), 0) } ?? 0
        return notes.processes.isLate(since: demand, at: last, after: Self.patience.advancedClamping(by: pause))
      } ?? true
    var others: [DiagnosisEvidence] = []
    if let answer { others.append(DiagnosisEvidence(answer, Self.words(restart.answer))) }
    others += extensions.evidence("an extension starts, which does not end the wait")
    others.append(DiagnosisEvidence(nil, "no later process of the app has started"))
    let effect =
      waiting.isEmpty ? "" : ", and the policy of \(waiting.map(\.description).joined(separator: ", ")) is not enforced"
    var problem = Problem(
      .restartPending, .certain, of: subject?.description,
      "a restart has been awaited since event \(asked), because \(Self.words(restart.reason))\(effect)",
      evidence: DiagnosisEvidence(asked, "the restart is asked for"), others,
      next: Self.next(after: restart.answer), command: "show JOURNAL \(asked)")
    problem.felt = asked
    problem.restsOnAbsence = true
    // A remediation that waits for it is the complaint.
    if state.compliance.active == restart.account { problem.causes = [asked] }
    if !isLate { (problem.severity, problem.harm) = (.note, .irregular) }
    return [problem]
  }

  private static func words(_ reason: RestartReason) -> String {
    switch reason {
    case .firstPolicy: "a first policy arrived"
    case .accountRemoved: "a managed account was removed"
    case .conditionalLaunchWipe: "a launch condition wiped an account"
    }
  }

  private static func words(_ answer: RestartAnswer) -> String {
    switch answer {
    case .none: "no answer"
    case .appRestartsItself: "the delegate promises that the app restarts itself"
    case .dialogShown: "the delegate leaves it to the SDK, which shows its dialog"
    case .postponed: "the user postpones it"
    }
  }
}
