import AppProtection
import EventSourcing

/// The app removed an account's tokens before it deregistered the account: the service could not be notified, and keeps its
/// record.
///
/// The deciding event is the removal of the tokens. It is over once the service is notified, or enrolls the account again.
struct DeregisterAfterTokenRemovalRule: ProblemRule {
  /// The departures in the wrong order that last.
  private var current = PerAccount<DepartureTrail>()
  private var past = PastTroubles()

  init() {}

  static let events: [any EventPayload.Type] = [
    AccountDeregistered.self, EnrollmentSucceeded.self, UnenrollmentRequested.self, UnenrollmentSucceeded.self,
    UnenrollmentFailed.self, WipeCompleted.self,
  ]

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .unenrollmentRequested(let event): follow(event.account, "", context, notes)
    case .unenrollmentFailed(let event): follow(event.account, "", context, notes)
    case .wipeCompleted(let event): follow(event.account, "", context, notes)
    case .accountDeregistered(let event): follow(event.account, "the account was deregistered", context, notes)
    case .unenrollmentSucceeded(let event): follow(event.account, "the service was notified", context, notes)
    case .enrollmentSucceeded(let event): follow(event.account, "the account was enrolled again", context, notes)
    default: break
    }
  }

  /// Compares with what the notes know: a departure that they have forgotten is over.
  private mutating func follow(
    _ account: AccountNumber, _ words: String, _ context: EventContext, _ notes: HistoryNotes
  ) {
    if let departure = notes.departures[account], departure.earlyRemoval != nil {
      if current[account] == nil { past.see(account, context, notes) }
      current[account] = departure
    } else if let departure = current[account], let removal = departure.earlyRemoval, let request = departure.request {
      current[account] = nil
      past.end(
        account, .recovered, at: context, notes, didHarm: departure.lingering != nil,
        Problem(
          .deregisterAfterTokenRemoval, of: account.description,
          "the tokens of \(account) were removed with event \(removal.sequence), before it was deregistered with event "
            + "\(request.sequence): the service kept its record until \(words) with event \(context.sequence)",
          evidence: DiagnosisEvidence(removal, "the app removes the account's tokens"),
          Self.evidence(departure, request) + [DiagnosisEvidence(context, words)],
          next: "call deregisterAndUnenroll before the tokens are removed",
          command: "log JOURNAL \(removal.sequence)..\(context.sequence) --account \(account)"))
    }
  }

  private static func evidence(_ departure: DepartureTrail, _ request: EventContext) -> [DiagnosisEvidence] {
    var evidence = [DiagnosisEvidence(request, "the account is deregistered")]
    if let failure = departure.failure {
      let words = departure.code.map { ": \($0.words)" } ?? ""
      evidence.append(DiagnosisEvidence(failure, "the service cannot be notified\(words)"))
    }
    if let lingering = departure.lingering {
      evidence.append(DiagnosisEvidence(lingering, "the account leaves, and the service's record stays"))
    }
    return evidence + [DiagnosisEvidence(nil, "no token was acquired in between")]
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    let lasting = notes.departures.inOrder.compactMap { account, departure -> Problem? in
      guard let removal = departure.earlyRemoval, let request = departure.request else { return nil }
      var problem = Problem(
        .deregisterAfterTokenRemoval, of: account.description,
        "the tokens of \(account) were removed with event \(removal.sequence), before it was deregistered with event "
          + "\(request.sequence): the service \(departure.lingering == nil ? "waits for a token" : "keeps its record")",
        evidence: DiagnosisEvidence(removal, "the app removes the account's tokens"), Self.evidence(departure, request),
        next: "call deregisterAndUnenroll before the tokens are removed; a new sign-in of \(account) clears the record",
        command: "log JOURNAL \(removal.sequence)..\(last.sequence) --account \(account)")
      problem.show(past.episodes(of: account))
      // Once the service could not be notified, nothing later changes that.
      problem.restsOnAbsence = departure.failure == nil
      return problem
    }
    return lasting + past.problems { notes.departures[$0]?.earlyRemoval != nil }
  }
}
