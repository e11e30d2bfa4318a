import AppProtection
import EventSourcing

/// App configurations that accounts had and lost: one is withdrawn, or goes with an enrollment and is not delivered after the
/// next one.
struct ConfigurationLosses: Sendable {
  private struct Loss: Sendable {
    /// What took the configuration away.
    let event: EventContext
    let words: String
    /// Whether the service itself took it, and not the end of an enrollment.
    let isWithdrawn: Bool
    /// The delivery of what the account had.
    let had: EventContext?
    /// The enrollment after it.
    var enrolled: EventContext?
    /// The first answer since then with a code that is not published.
    var unpublished: (event: EventContext, code: EnrollmentStatusCode)?
    /// The processes of the app that started since then.
    var launches = Occurrences()
    var ending: DiagnosisEnding?

    /// Whether it is over, and lasted so long that the user noticed.
    var wasNoticed: Bool {
      guard let ending, launches.count > 1, ending.event.elapsed(since: event) >= RetrySchedule.day else {
        return false
      }
      return isWithdrawn || enrolled.map { ending.event.elapsed(since: $0) >= RetrySchedule.day } ?? false
    }
  }

  private var received = PerAccount<EventContext>()
  private var losses = PerAccount<Loss>()
  /// The last of those that were over only after a time that the user noticed, and all of them.
  private var past = PerAccount<(loss: Loss, episodes: Episodes)>()

  static let events: [any EventPayload.Type] = [
    ProcessStarted.self, AccountDeregistered.self, EnrollmentSucceeded.self, EnrollmentFailed.self,
    EnrollmentRecordGone.self, UnenrollmentSucceeded.self, CheckInFailed.self, ConfigurationReceived.self,
    ConfigurationWithdrawn.self, WipeCompleted.self,
  ]

  /// Observes an event.
  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState
  ) {
    func lose(_ account: AccountNumber, _ words: String, isWithdrawn: Bool = false) {
      guard before.configuration.accounts[account] != nil, after.configuration.accounts[account] == nil else { return }
      losses[account] = Loss(event: context, words: words, isWithdrawn: isWithdrawn, had: received[account])
    }
    switch event {
    case .configurationWithdrawn(let event): lose(event.account, "none targeted it any longer", isWithdrawn: true)
    case .enrollmentRecordGone(let event): lose(event.account, "the service had lost its record (\(event.code.words))")
    case .wipeCompleted(let event): lose(event.account, "its data was wiped")
    case .unenrollmentSucceeded(let event): lose(event.account, "it left")
    case .accountDeregistered(let event): lose(event.account, "it left")
    case .configurationReceived(let event):
      received[event.account] = context
      guard var loss = losses[event.account] else { break }
      losses[event.account] = nil
      let ending = DiagnosisEnding(.recovered, at: context)
      loss.ending = ending
      guard loss.wasNoticed else { break }
      var episodes = past[event.account]?.episodes ?? Episodes()
      episodes.add(since: loss.event, ending)
      past[event.account] = (loss, episodes)
    case .enrollmentSucceeded(let event):
      if losses[event.account]?.enrolled == nil { losses[event.account]?.enrolled = context }
    case .enrollmentFailed(let event): recordCode(event.code, of: event.account, context)
    case .checkInFailed(let event): recordCode(event.code, of: event.account, context)
    case .processStarted(let event):
      guard !event.isExtension else { break }
      losses.updateAll { $0.launches.add(context) }
    default: break
    }
  }

  private mutating func recordCode(_ code: EnrollmentStatusCode, of account: AccountNumber, _ context: EventContext) {
    guard let loss = losses[account], loss.unpublished == nil, code.entry == nil else { return }
    losses[account]?.unpublished = (context, code)
  }

  /// Whether an account lost its configuration and has none since.
  func isLost(_ account: AccountNumber) -> Bool { losses[account] != nil }

  /// What was found.
  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    let standing = losses.inOrder.compactMap { account, loss -> Problem? in
      guard state.configuration.accounts[account] == nil,
        state.accounts[account]?.enrollment.status.isEnrolled == true
      else { return nil }
      let problem = loss.isWithdrawn ? withdrawn(account, loss) : lost(account, loss, last, notes)
      return problem?.following(past[account]?.episodes)
    }
    let isStanding = Set(standing.map(\.subject))
    return standing
      + past.inOrder.filter { !isStanding.contains($0.account.description) }.compactMap {
        over($0.account, $0.value.loss, $0.value.episodes)
      }
  }

  private func withdrawn(_ account: AccountNumber, _ loss: Loss) -> Problem {
    var problem = problem(
      account, loss, "has no app configuration any longer: none targets it since event \(loss.event.sequence)",
      next: "look at the groups that the app configuration policy is assigned to")
    // The administrator decides whom it targets.
    problem.isOwnCause = true
    return problem
  }

  /// A configuration that an enrollment did not bring back, although the service was asked since.
  private func lost(
    _ account: AccountNumber, _ loss: Loss, _ last: EventContext, _ notes: HistoryNotes
  ) -> Problem? {
    guard let enrolled = loss.enrolled, let contact = notes.contacts[account], let completed = contact.completed,
      completed.elapsed(since: enrolled) >= contact.grace / 2, last.elapsed(since: enrolled) >= contact.grace
    else { return nil }
    let code = loss.unpublished.map {
      "; at event \($0.event.sequence), the service answered \($0.code.rawValue), a code that is not published"
    }
    return problem(
      account, loss,
      "lost its app configuration at event \(loss.event.sequence), because \(loss.words), and none has been delivered since it "
        + "was enrolled again with event \(enrolled.sequence)" + (code ?? ""),
      next: "look whether the app configuration policy still targets the user; if it does, let the app deregister the "
        + "account and register it again")
  }

  /// A configuration that came back after a time that the user noticed.
  private func over(_ account: AccountNumber, _ loss: Loss, _ episodes: Episodes) -> Problem? {
    guard let ending = loss.ending else { return nil }
    var problem = problem(
      account, loss,
      "had no app configuration from event \(loss.event.sequence), because \(loss.words), to event \(ending.event.sequence)",
      next: "look at what took the configuration away, before it happens again")
    if episodes.count > 1 { problem.describe(episodes) }
    problem.end(ending.kind, at: ending.event)
    problem.severity = .note
    return problem
  }

  private func problem(_ account: AccountNumber, _ loss: Loss, _ sentence: String, next: String) -> Problem {
    var others = loss.had.map { [DiagnosisEvidence($0, "the configuration that it had")] } ?? []
    if let enrolled = loss.enrolled { others.append(DiagnosisEvidence(enrolled, "\(account) is enrolled again")) }
    if let (event, code) = loss.unpublished {
      others.append(DiagnosisEvidence(event, "the service answers \(code.rawValue), which is not published"))
    }
    others.append(
      loss.ending.map { DiagnosisEvidence($0.event, "a configuration arrives again") }
        ?? DiagnosisEvidence(nil, "no configuration has come since"))
    var problem = Problem(
      .appConfiguration, .likely, of: account.description, "\(account) \(sentence)",
      evidence: DiagnosisEvidence(
        loss.event, loss.isWithdrawn ? "the configuration is withdrawn" : "the configuration goes with the enrollment"),
      others, next: next, command: "log JOURNAL --account \(account) --type 'configuration.*' --type 'enrollment.*'")
    problem.restsOnAbsence = true
    return problem
  }
}
