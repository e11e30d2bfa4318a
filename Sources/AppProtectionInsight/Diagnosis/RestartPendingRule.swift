import AppProtection
import EventSourcing

/// A restart that was asked for and has not come: until then, the first policy of an account is not enforced.
struct RestartPendingRule: ProblemRule {
  /// How long a restart may be awaited before it counts: the user sees the dialog first.
  private static let patience = 10 * RetrySchedule.minute

  private var demand: EventContext?
  private var answer: EventContext?
  private var extensions = Occurrences()

  static let events: [any EventPayload.Type] = [
    ProcessStarted.self, RestartRequired.self, RestartAnswered.self,
  ]

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .restartRequired:
      if before.process.restart == nil { (demand, answer, extensions) = (context, nil, Occurrences()) }
    case .restartAnswered: answer = context
    case .processStarted(let event): if event.isExtension && after.process.restart != nil { extensions.add(context) }
    default: break
    }
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
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
      "a restart is awaited since event \(asked), because \(Self.words(restart.reason))\(effect)",
      evidence: DiagnosisEvidence(asked, "the restart is asked for"), others,
      next: restart.answer == .appRestartsItself
        ? "let the app restart itself as its delegate promised, or return false so that the SDK asks the user"
        : "close the app and open it again",
      command: "show JOURNAL \(asked)")
    problem.felt = asked
    problem.restsOnAbsence = true
    // A remediation that waits for it is the complaint.
    if state.compliance.active == restart.account { problem.causes = [asked] }
    if !isLate { problem.severity = .note }
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
