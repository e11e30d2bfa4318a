import AppProtection
import EventSourcing

/// The app removed an account's tokens before it deregistered the account: the service could not be notified, and keeps its
/// record.
///
/// The deciding event is the removal of the tokens.
struct DeregisterAfterTokenRemovalRule: ProblemRule {
  init() {}

  static var events: [any EventPayload.Type] { [] }

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {}

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    notes.departures.inOrder.compactMap { account, departure in
      guard let removal = departure.earlyRemoval, let request = departure.request else { return nil }
      var others = [DiagnosisEvidence(request, "the account is deregistered")]
      if let failure = departure.failure {
        let words = departure.code.map { ": \($0.words)" } ?? ""
        others.append(DiagnosisEvidence(failure, "the service cannot be notified\(words)"))
      }
      if let lingering = departure.lingering {
        others.append(DiagnosisEvidence(lingering, "the account leaves, and the service's record stays"))
      }
      others.append(DiagnosisEvidence(nil, "no token was acquired in between"))
      var problem = Problem(
        .deregisterAfterTokenRemoval, of: account.description,
        "the tokens of \(account) were removed with event \(removal.sequence), before it was deregistered with event "
          + "\(request.sequence): the service \(departure.lingering == nil ? "waits for a token" : "keeps its record")",
        evidence: DiagnosisEvidence(removal, "the app removes the account's tokens"), others,
        next: "call deregisterAndUnenroll before the tokens are removed; a new sign-in of \(account) clears the record",
        command: "log JOURNAL \(removal.sequence)..\(last.sequence) --account \(account)")
      // Once the service could not be notified, nothing later changes that.
      problem.restsOnAbsence = departure.failure == nil
      return problem
    }
  }
}
