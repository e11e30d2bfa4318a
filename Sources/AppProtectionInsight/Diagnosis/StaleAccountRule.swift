import AppProtection
import EventSourcing

/// An account left traces: the service was not notified that it left, it was signed out and never deregistered, or the service
/// has another record of it than the app.
///
/// The deciding event is what left the trace: the failed notice to the service, the sign-out, the loss of the record, or the
/// answer by which the service shows that it knows the account from before.
struct StaleAccountRule: ProblemRule {
  /// How long a sign-out may go without a deregistration before it counts although it hinders no account.
  private static let patience = RetrySchedule.day

  /// The service's record differs from the app's.
  private struct Discrepancy: Sendable {
    let event: EventContext
    let code: EnrollmentStatusCode
    var failure: EventContext?
    var failureCode: EnrollmentStatusCode?
  }

  /// What another account met of one whose user has gone.
  private struct Hindrance: Sendable {
    let event: EventContext
    let other: AccountNumber
    /// The sign-out, or the removal of the tokens.
    let gone: EventContext
  }

  private var discrepancies = PerAccount<Discrepancy>()
  /// Those of accounts that the app removed: one that is added again meets the same record.
  private var left = PerAccount<Discrepancy>()
  /// The first request of another account that an account stood in the way of.
  private var hindered = PerAccount<Hindrance>()
  /// The restarts that were asked for before the app was answered, with the answer.
  private var restarts = PerAccount<(event: EventContext, answer: EventContext?)>()
  private var enrolled = PerAccount<Bool>()
  /// Accounts about which the user was asked, or whose name another one has: their refusal is not the service's.
  private var rivals = PerAccount<Bool>()
  /// Departures that the service was not notified of, until it enrolls the account again.
  private var unheard = PerAccount<DepartureTrail>()
  private var past = PastTroubles()

  init() {}

  static let events: [any EventPayload.Type] = [
    RestartRequired.self, AccountDeregistered.self, EnrollmentSucceeded.self, EnrollmentFailed.self,
    AccountSwitchAsked.self, EnrollmentConflictDetected.self, EnrollmentRecordGone.self, CheckInUnchanged.self,
    UnenrollmentSucceeded.self, UnenrollmentFailed.self, PolicyReceived.self, WipeCompleted.self,
  ]

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .enrollmentRecordGone(let event):
      if discrepancies[event.account] == nil {
        discrepancies[event.account] = Discrepancy(event: context, code: event.code)
        past.see(event.account, context, notes)
      }
    case .enrollmentFailed(let event): fail(event.account, event.code, context, before, notes)
    case .enrollmentSucceeded(let event): succeed(event.account, context, notes)
    case .checkInUnchanged(let event): succeed(event.account, context, notes)
    case .policyReceived(let event): succeed(event.account, context, notes)
    case .unenrollmentFailed(let event): remember(event.account, context, notes)
    case .unenrollmentSucceeded(let event): leave(event.account, context, notes)
    case .accountDeregistered(let event):
      remember(event.account, context, notes)
      let discrepancy = discrepancies[event.account] ?? left[event.account]
      leave(event.account, context, notes)
      left[event.account] = discrepancy
    case .wipeCompleted(let event): leave(event.account, context, notes, isWiped: true)
    case .enrollmentConflictDetected(let event): rivals[event.account] = true
    case .accountSwitchAsked(let event):
      rivals[event.account] = true
      if let departure = notes.departures[event.existing], departure.isForgotten {
        hinder(event.existing, event.account, departure, context, notes)
      }
    case .restartRequired:
      for finding in AppProtectionMachine.findings(for: event, before: before, after: after) {
        if case .restartBeforeCallback(let account) = finding { restarts[account] = (context, nil) }
      }
    default: break
    }
  }

  private mutating func fail(
    _ account: AccountNumber, _ code: EnrollmentStatusCode, _ context: EventContext, _ before: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    guard code.classification != .transient else { return }
    if discrepancies[account] != nil {
      if discrepancies[account]?.failure == nil {
        discrepancies[account]?.failure = context
        discrepancies[account]?.failureCode = code
      }
      return
    }
    // Only the service can know an account that this app has never enrolled.
    let isKnownToServiceOnly = code == .alreadyEnrolled && enrolled[account] == nil
    // So can it another account that is in the way, where this app manages none and none left traces.
    let isOtherKnownToServiceOnly =
      Self.meetsAnotherManaged.contains(code) && before.policies.isEmpty
      && notes.traces(inTheWayOf: account).isEmpty && rivals[account] == nil
      && before.formerNamesake(of: account) == nil
    if isKnownToServiceOnly || isOtherKnownToServiceOnly || code == .reEnrollForUnenrolledUser {
      let earlier = left[account].flatMap { $0.code == code ? $0 : nil }
      discrepancies[account] = earlier ?? Discrepancy(event: context, code: code)
      left[account] = nil
      past.see(account, context, notes)
    }
    if Self.meetsAnother.contains(code) {
      for (other, departure) in notes.departures.inOrder where other != account && departure.isForgotten {
        hinder(other, account, departure, context, notes)
      }
    }
  }

  private mutating func hinder(
    _ account: AccountNumber, _ other: AccountNumber, _ departure: DepartureTrail, _ context: EventContext,
    _ notes: HistoryNotes
  ) {
    guard hindered[account] == nil, let gone = departure.signOut ?? departure.removal else { return }
    hindered[account] = Hindrance(event: context, other: other, gone: gone)
    past.see(account, context, notes)
  }

  /// Codes by which the service says that another managed account is in the way.
  private static let meetsAnotherManaged: Set<EnrollmentStatusCode> = [
    .switchExistingAccount, .singleManagedAccountMode,
  ]
  /// Codes by which the service says that another account is in the way.
  private static let meetsAnother: Set<EnrollmentStatusCode> = [
    .notEnrolledAccount, .switchExistingAccount, .singleManagedAccountMode,
  ]

  private mutating func succeed(_ account: AccountNumber, _ context: EventContext, _ notes: HistoryNotes) {
    if restarts[account]?.answer == nil { restarts[account]?.answer = context }
    if let discrepancy = discrepancies[account] ?? left[account] {
      let event = discrepancy.event.sequence
      conclude(
        account, discrepancy.event,
        discrepancy.code == .policyRecordGone
          ? "the service lost its record of \(account) (\(discrepancy.code.words), event \(event))"
          : "the service refused \(account) because of a record from before (\(discrepancy.code.words), event \(event))",
        "the account was enrolled", context, notes,
        // It had to have a policy meanwhile.
        didHarm: (discrepancy.code != .policyRecordGone || discrepancy.failure != nil)
          && context.elapsed(since: discrepancy.event) > Episodes.pause)
    } else if let departure = unheard[account] {
      conclude(account, departure, "the account was enrolled again", context, notes)
    }
    (discrepancies[account], left[account], unheard[account], enrolled[account]) = (nil, nil, nil, true)
  }

  private mutating func leave(
    _ account: AccountNumber, _ context: EventContext, _ notes: HistoryNotes, isWiped: Bool = false
  ) {
    if isWiped {
      past.forget(account)
    } else if let hindered = hindered[account] {
      conclude(
        account, hindered.gone,
        "\(account) was signed out with event \(hindered.gone.sequence) and not deregistered, and stood in the way of "
          + "\(hindered.other) (event \(hindered.event.sequence))",
        "the account left", context, notes, didHarm: true, hindering: hindered)
    } else if let departure = unheard[account], departure.lingering == nil, notes.departures[account] == nil {
      conclude(account, departure, "the service was notified", context, notes)
      unheard[account] = nil
    }
    (discrepancies[account], hindered[account], restarts[account]) = (nil, nil, nil)
    (rivals[account], left[account]) = (nil, nil)
  }

  /// Remembers a departure that the service was not notified of, although the app kept the tokens.
  private mutating func remember(_ account: AccountNumber, _ context: EventContext, _ notes: HistoryNotes) {
    guard let departure = notes.departures[account], departure.earlyRemoval == nil, departure.failure != nil else {
      return
    }
    past.see(account, context, notes)
    unheard[account] = departure
  }

  /// The service knows that an account left, or has it again.
  private mutating func conclude(
    _ account: AccountNumber, _ departure: DepartureTrail, _ words: String, _ context: EventContext,
    _ notes: HistoryNotes
  ) {
    guard let failure = departure.failure else { return }
    let code = departure.code.map { "\($0.words), " } ?? ""
    conclude(
      account, failure,
      "the service was not notified that \(account) left (\(code)event \(failure.sequence)), and kept its record",
      words,
      context, notes, didHarm: departure.lingering != nil)
  }

  /// The trace is gone.
  private mutating func conclude(
    _ account: AccountNumber, _ deciding: EventContext, _ sentence: String, _ words: String, _ context: EventContext,
    _ notes: HistoryNotes, didHarm: Bool = false, hindering: Hindrance? = nil
  ) {
    let hindrance = hindering.map { DiagnosisEvidence($0.event, "it stands in the way of \($0.other)") }
    var problem = Problem(
      .staleAccount, of: account.description, "\(sentence), until \(words) with event \(context.sequence)",
      evidence: DiagnosisEvidence(
        deciding, hindering == nil ? "the service's record differs from the app's" : "the user signs out"),
      (hindrance.map { [$0] } ?? []) + [DiagnosisEvidence(context, words)],
      next: "call deregisterAndUnenroll when a user signs out, while the account's tokens are valid",
      command: "log JOURNAL \(deciding.sequence)..\(context.sequence) --account \(account)")
    if let hindering { problem.others = [hindering.other.description] }
    if !didHarm { problem.harm = .irregular }
    past.end(account, .recovered, at: context, notes, didHarm: didHarm, problem)
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    let departures = notes.departures.inOrder
    let present =
      departures.compactMap { unheard($0.account, $0.value, last) }
      + departures.compactMap { forgotten($0.account, $0.value, state, last, notes) }
      + discrepancies.inOrder.compactMap { account, discrepancy in
        guard var problem = problem(account, discrepancy, last) else { return nil }
        if notes.facts.isGuest(account) { (problem.severity, problem.harm) = (.note, .bystander) }
        return problem
      }
      + restarts.inOrder.map { Self.restarted($0.account, $0.value.event, $0.value.answer, last) }
    return past.problems(besides: present)
  }

  /// An account that left, or is leaving, without the service's knowledge, although the app kept its tokens.
  private func unheard(_ account: AccountNumber, _ departure: DepartureTrail, _ last: EventContext) -> Problem? {
    guard departure.earlyRemoval == nil, let request = departure.request, let failure = departure.failure else {
      return nil
    }
    let isOld = last.elapsed(since: request) >= Self.patience
    guard departure.lingering != nil || isOld else { return nil }
    let code = departure.code?.words
    var others = [DiagnosisEvidence(request, "the account is deregistered")]
    if let lingering = departure.lingering {
      others.append(DiagnosisEvidence(lingering, "the account leaves, and the service's record stays"))
    }
    return Problem(
      .staleAccount, of: account.description,
      "the service was not notified that \(account) leaves (\(code.map { "\($0), " } ?? "")event \(failure.sequence)), and keeps its record",
      evidence: DiagnosisEvidence(failure, "the service cannot be notified" + (code.map { ": \($0)" } ?? "")), others,
      next:
        "sign in with \(account) and deregister it again while its tokens are valid, or remove its record in the portal",
      command: "log JOURNAL --account \(account) --type 'unenrollment.*' --type account.deregistered")
  }

  /// An account whose user has signed out, and which the app never deregistered.
  private func forgotten(
    _ account: AccountNumber, _ departure: DepartureTrail, _ state: AppProtectionState, _ last: EventContext,
    _ notes: HistoryNotes
  ) -> Problem? {
    guard departure.isForgotten, state.accounts[account]?.enrollment.status.isRegistered == true else { return nil }
    let hindered = hindered[account]
    // Missing tokens alone are the family of missing sign-ins.
    guard let gone = departure.signOut ?? (hindered == nil ? nil : departure.removal) else { return nil }
    let isOld = last.elapsed(since: gone) >= Self.patience
    guard hindered != nil || isOld else { return nil }
    let words = departure.signOut == nil ? "its tokens were removed" : "it was signed out"
    let isEnrolled = state.accounts[account]?.enrollment.status.isEnrolled == true
    let standing =
      isEnrolled
      ? "enrolled" : notes.facts.wasEnrolled(account) == false ? "registered, and was never enrolled," : "registered"
    var others: [DiagnosisEvidence] = [DiagnosisEvidence(nil, "the app has not deregistered \(account)")]
    var effect = ""
    if let hindered {
      others.append(DiagnosisEvidence(hindered.event, "it stands in the way of \(hindered.other)"))
      effect = ", and stands in the way of \(hindered.other)"
    }
    var problem = Problem(
      .staleAccount, hindered == nil ? .likely : .certain, of: account.description,
      "\(account) is still \(standing) although \(words) with event \(gone.sequence)\(effect)",
      evidence: DiagnosisEvidence(gone, departure.signOut == nil ? "its tokens are removed" : "the user signs out"),
      others, next: "call deregisterAndUnenroll for \(account) when its user signs out, before its tokens are removed",
      command: "log JOURNAL \(gone.sequence)..\(last.sequence) --account \(account)")
    problem.restsOnAbsence = true
    // No user is left to sign in for it, and nothing of it would be asked for if it had been deregistered.
    problem.consequences = [.authRequired, .checkInOverdue, .offlineBlock]
    if hindered == nil { (problem.severity, problem.harm) = (.note, .irregular) }
    return problem
  }

  /// An account of which the service has another record than the app.
  private func problem(
    _ account: AccountNumber, _ discrepancy: Discrepancy, _ last: EventContext
  ) -> Problem? {
    let event = discrepancy.event
    let isLost = discrepancy.code == .policyRecordGone
    let isOld = last.elapsed(since: event) >= Self.patience
    guard !isLost || discrepancy.failure != nil || isOld else { return nil }
    var others: [DiagnosisEvidence] = []
    if let failure = discrepancy.failure, let code = discrepancy.failureCode {
      others.append(DiagnosisEvidence(failure, "the new enrollment is refused: \(code.words)"))
    }
    others.append(DiagnosisEvidence(nil, "no enrollment has succeeded since"))
    if Self.meetsAnotherManaged.contains(discrepancy.code) { return leftover(account, discrepancy, others) }
    let isKnown = discrepancy.code == .alreadyEnrolled
    return Problem(
      .staleAccount, isKnown ? .likely : .certain, of: account.description,
      isKnown
        ? "the service has \(account) enrolled (208, event \(event.sequence)), which this history of the app has not: it "
          + "was reinstalled, or never deregistered"
        : "the service has no record of \(account) any more (\(discrepancy.code.words), event \(event.sequence)), and it is "
          + "not enrolled again",
      evidence: DiagnosisEvidence(event, isKnown ? "the service knows the account" : "the service's record is gone"),
      others,
      next: isKnown
        ? "deregister \(account) with valid tokens, or remove its registration in the portal, and let the user sign in again"
        : "let the user sign in and enroll again",
      command: "log JOURNAL \(event.sequence)..\(last.sequence) --account \(account) --type 'enrollment.*'")
  }

  /// An account that another one, which this history does not show, is in the way of.
  private func leftover(
    _ account: AccountNumber, _ discrepancy: Discrepancy, _ others: [DiagnosisEvidence]
  ) -> Problem {
    let event = discrepancy.event.sequence
    return Problem(
      .staleAccount, .likely, of: account.description,
      "another account is in the way of \(account) (\(discrepancy.code.words), event \(event)), and this app managed "
        + "none then: it was left behind before the app was reinstalled, or by another app",
      evidence: DiagnosisEvidence(event, "the service knows another managed account"), others,
      next: "remove the other account's registration in the portal, or sign in with it and deregister it",
      command: "show JOURNAL \(event)")
  }

  private static func restarted(
    _ account: AccountNumber, _ event: EventContext, _ answer: EventContext?, _ last: EventContext
  ) -> Problem {
    let isOver = answer != nil || Episodes.isOutOfSight(event, at: last)
    var problem = Problem(
      .staleAccount, .likely, of: account.description,
      "the app was reinstalled: the keychain \(isOver ? "remembered" : "remembers") the enrollment of \(account), and a "
        + "restart \(isOver ? "was" : "is") asked for before it \(isOver ? "was" : "is") answered",
      evidence: DiagnosisEvidence(event, "a restart is asked for while the enrollment is under way"),
      next: "restart the app: the callback comes afterwards", command: "show JOURNAL \(event.sequence)")
    (problem.severity, problem.harm) = (.note, .irregular)
    if let answer { problem.end(.recovered, at: answer) }
    problem.endOutOfSight(since: event, at: last)
    return problem
  }
}
