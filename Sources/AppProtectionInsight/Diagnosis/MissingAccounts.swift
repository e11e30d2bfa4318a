import AppProtection
import EventSourcing

/// Why no account is registered: the user cancels, the app finds none, or an extension calls in the app's place.
struct MissingAccounts: Sendable {
  private var extensionCalls = Occurrences()
  /// The sign-ins that the user canceled since an account was registered.
  private var cancellations = Occurrences()
  /// The processes since an account was last registered.
  private var launches = Occurrences()

  static let events: [any EventPayload.Type] = [
    ProcessStarted.self, CommandRefused.self, AccountRegistered.self, LoginAnswered.self,
  ]

  /// Observes an event.
  mutating func observe(_ event: AppProtectionEvent, _ context: EventContext) {
    switch event {
    case .accountRegistered: (cancellations, launches) = (Occurrences(), Occurrences())
    case .loginAnswered(let event): if event.account == nil { cancellations.add(context) }
    case .processStarted(let event): if !event.isExtension { launches.add(context) }
    case .commandRefused(let event): if event.code == .unsupportedAPI { extensionCalls.add(context) }
    default: break
    }
  }

  /// What was found.
  func problems(at state: AppProtectionState, _ last: EventContext) -> [Problem] {
    guard !state.accounts.records.contains(where: { $0.enrollment.status.isRegistered }) else { return [] }
    return [canceled(last), notFound(state), calledByExtension(last)].compactMap { $0 }
  }

  private func canceled(_ last: EventContext) -> Problem? {
    guard let cancellation = cancellations.first else { return nil }
    let verb = Episodes.isOutOfSight(cancellations.last, at: last) ? "was" : "is"
    var problem = Problem(
      .policyNotApplied, .certain,
      "the user canceled the sign-in (219) \(cancellations.times), and no account \(verb) registered",
      evidence: DiagnosisEvidence(cancellation, "the user cancels the sign-in"),
      Array(cancellations.evidence("the user cancels again").dropFirst()),
      next: StatusAdvice.next(after: .loginCanceled),
      command: "log JOURNAL --type 'login.*'")
    problem.severity = cancellations.count > 1 ? .warning : .note
    problem.endOutOfSight(since: cancellations.last, cancellations.count, at: last)
    return problem
  }

  private func notFound(_ state: AppProtectionState) -> Problem? {
    guard state.settings.app.autoEnrollOnLaunch, launches.count > 1, cancellations.count == 0,
      let first = launches.first
    else { return nil }
    var problem = Problem(
      .policyNotApplied, .likely,
      "the app enrolls at launch, and found no account in \(launches.count) launches since event \(first.sequence)",
      evidence: DiagnosisEvidence(first, "the app starts, and has no account to enroll"),
      launches.evidence("the app starts again").dropFirst() + [DiagnosisEvidence(nil, "no account is registered")],
      next: "let the app find the account that is signed in to another app of the publisher, or call "
        + "loginAndEnrollAccount, with which the user signs in",
      command: "log JOURNAL --type 'process.*' --type 'account.*'")
    problem.severity = .warning
    problem.restsOnAbsence = true
    return problem
  }

  private func calledByExtension(_ last: EventContext) -> Problem? {
    guard let call = extensionCalls.first else { return nil }
    let verb = Episodes.isOutOfSight(extensionCalls.last, at: last) ? "was" : "is"
    var problem = Problem(
      .policyNotApplied, .certain,
      "an extension called what only the app may call (223), and no account \(verb) registered",
      evidence: DiagnosisEvidence(call, "the call is refused: 223 unsupportedAPI"),
      Array(extensionCalls.evidence("the call is refused again").dropFirst()),
      next: "call registerAndEnroll from the app, not from its extension", command: "show JOURNAL \(call.sequence)")
    problem.endOutOfSight(since: extensionCalls.last, extensionCalls.count, at: last)
    return problem
  }
}
