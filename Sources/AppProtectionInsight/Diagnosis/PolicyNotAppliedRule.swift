import AppProtection
import EventSourcing
import PlainText

/// A registered or signed-in account to which no policy is applied, or was not for long.
struct PolicyNotAppliedRule: ProblemRule {
  /// Refusals with one code.
  fileprivate struct Refusal: Sendable {
    /// The first of them, and the code that it brought: a record that is gone is followed by the refusal to enroll.
    let event: EventContext
    let first: EnrollmentStatusCode
    let code: EnrollmentStatusCode
  }

  /// What explains that an account has no policy, as far as it is known.
  fileprivate struct Record: Sendable {
    var request: EventContext?
    /// The first of the latest refusals with one code, and that code.
    var refusal: Refusal?
    var refusals = 0
    /// The refusal, and the number of them, before the account left and was registered again.
    var former: (refusal: Refusal, count: Int)?
    /// What left the account without a policy, since it last had one.
    var lack: (event: EventContext, reason: PolicyGaps.Reason)?
    /// Whether the user kept another account.
    var wasDeclined = false
    /// The answer that nothing targets the account, or the event that took its policy away.
    var untargeted: EventContext?
    var withdrawal: (event: EventContext, reason: PolicyWithdrawalReason)?
    var signedIn: EventContext?
  }

  private var records = PerAccount<Record>()
  /// The times without a policy that are over.
  private var gaps = PolicyGaps()
  private var use = PolicyUse()
  private var missing = MissingAccounts()
  private var deviceWithoutUser: EventContext?

  static let events: [any EventPayload.Type] =
    [
      DeviceConfigurationChanged.self, SignInsReported.self, EnrollmentRequested.self, EnrollmentSucceeded.self,
      EnrollmentFailed.self, AccountSwitchAnswered.self, EnrollmentRecordGone.self, CheckInUnchanged.self,
      CheckInFailed.self,
    ] + PolicyUse.events + MissingAccounts.events + AppProtectionEvent.leaving

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    use.observe(event, context, before: before, after: after, notes)
    missing.observe(event, context)
    switch event {
    case .accountRegistered(let event):
      if let signedIn = records[event.account]?.signedIn {
        gaps.end(of: event.account, since: signedIn, .unregistered, DiagnosisEnding(.recovered, at: context), notes)
      }
      let lack = records[event.account]?.lack
      records[event.account] = Record(former: records[event.account]?.lastRefusal, lack: lack)
    case .enrollmentRequested(let event): records[event.account, default: Record()].request = context
    case .enrollmentSucceeded(let event):
      records[event.account, default: Record()].answer()
      if event.code == .noPolicyReceived { records[event.account, default: Record()].untarget(context) }
    case .enrollmentFailed(let event): records[event.account, default: Record()].refuse(context, event.code)
    case .enrollmentRecordGone(let event): records[event.account, default: Record()].refuse(context, event.code)
    case .checkInUnchanged(let event):
      if event.code == .noPolicyReceived { records[event.account, default: Record()].untarget(context) }
    case .accountSwitchAnswered(let event):
      records[event.account, default: Record()].wasDeclined = event.choice != .switchAccounts
    case .checkInFailed(let event):
      // A check-in that fails without an answer takes no policy away, and is not why there is none.
      guard !after.isManaged(event.account), event.code.saysSomethingAboutAccount else { break }
      records[event.account, default: Record()].refuse(context, event.code)
    case .policyWithdrawn(let event):
      records[event.account, default: Record()].withdrawal = (context, event.reason)
      if event.reason != .unenrolled {
        records[event.account]?.lack = (context, event.reason == .untargeted ? .untargeted : .lost)
      }
    case .policyReceived(let event):
      endLack(of: event.account, .recovered, context, after, notes)
      records[event.account, default: Record()].answer()
      records[event.account]?.lack = nil
    case .signInsReported:
      for account in after.unregisteredSignIns where records[account]?.signedIn == nil {
        records[account, default: Record()].signedIn = context
      }
    case .deviceConfigurationChanged(let event):
      deviceWithoutUser = event.deviceID != nil && !after.isManagedDevice ? context : nil
    default: break
    }
    guard let account = event.leavingAccount else { return }
    if case .wipeRequested = event {
      endLack(of: account, .wiped, context, before, notes)
    } else {
      endLack(of: account, .abandoned, context, before, notes)
    }
  }

  /// The account has a policy, or leaves. One that leaves beside a managed one had to have none.
  private mutating func endLack(
    of account: AccountNumber, _ kind: DiagnosisEnding.Kind, _ context: EventContext, _ state: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    guard let lack = records[account]?.lack,
      kind == .recovered || !notes.facts.managesOrManagedAnother(than: account, at: state)
    else { return }
    gaps.end(of: account, since: lack.event, lack.reason, DiagnosisEnding(kind, at: context), notes)
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    let standing = records.inOrder.compactMap { account, record in problem(account, record, state, last, notes) }
    return gaps.problems(besides: standing) + missing.problems(at: state, last)
  }

  func rest(
    beside found: [Problem], at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes
  ) -> [Problem] {
    use.problems(besides: found, at: state, last, notes)
  }

  private func problem(
    _ account: AccountNumber, _ record: Record, _ state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes
  ) -> PolicyGaps.Standing? {
    guard let enrollment = state.accounts[account]?.enrollment, !state.isManaged(account) else { return nil }
    switch enrollment.status {
    case .unknown, .removed: return unregistered(account, record, state, last, notes).map { ($0, .unregistered) }
    case .unenrolling, .wiping: return nil
    // The service gave a policy that the history does not show, as a log of the field shows none.
    case .enrolledWithPolicy: return nil
    case .registered, .enrolling, .enrolledWithoutPolicy: break
    }
    // A question to the user is another family's.
    guard enrollment.switchQuestion == 0 else { return nil }
    if let request = record.request, enrollment.enrollmentRequest == request.sequence {
      if let refusal = record.refusal {
        return (refused(account, record, refusal, state, last), record.reason(of: refusal))
      }
      return unanswered(account, request, last, notes).map { ($0, nil) }
    }
    if let refusal = record.refusal, enrollment.lastCode == refusal.code {
      return (refused(account, record, refusal, state, last), record.reason(of: refusal))
    }
    return untargeted(account, record, state, notes).map { ($0, record.isLost ? .lost : .untargeted) }
  }

  /// The service was asked, and did not answer.
  private func unanswered(
    _ account: AccountNumber, _ request: EventContext, _ last: EventContext, _ notes: HistoryNotes
  ) -> Problem? {
    let isLate = notes.processes.isLate(since: request, at: last)
    let length = SpanWords.words(notes.facts.clock.elapsed(from: request, to: last))
    var problem = Problem.withoutPolicy(
      account, isLate ? .certain : .possible,
      "\(account) has no policy: the request of event \(request.sequence) to enroll it has no answer",
      DiagnosisEvidence(request, "the service is asked to enroll \(account)"),
      [DiagnosisEvidence(nil, "no answer has come for \(length)")],
      next: "look at the network, and open the app while online")
    problem.restsOnAbsence = true
    if !isLate { (problem.severity, problem.harm) = (.note, .irregular) }
    return problem
  }

  private func refused(
    _ account: AccountNumber, _ record: Record, _ refusal: Refusal, _ state: AppProtectionState, _ last: EventContext
  ) -> Problem {
    let (event, code) = (refusal.event, refusal.code)
    let times = record.refusals > 1 ? ", \(record.refusals) times" : ""
    var problem = Problem.withoutPolicy(
      account, .certain,
      "\(account) has no policy: \(code.refusal())\(times)",
      DiagnosisEvidence(event, refusal.first.words), [], next: StatusAdvice.next(after: code))
    if code.isUpToAdministrator
      || (code == .singleManagedAccountMode && state.managesAnother(than: account))
    {
      problem.severity = .warning
    }
    if record.wasDeclined {
      (problem.severity, problem.harm) = (.note, .bystander)
    }
    if code.classification == .transient, last.elapsed(since: event) < ProcessTrail.endurance,
      state.accounts[account]?.enrollment.isRepeating == true
    {
      (problem.severity, problem.harm) = (.note, .irregular)
    }
    return problem
  }

  /// Enrolled, and nothing targets the account.
  private func untargeted(
    _ account: AccountNumber, _ record: Record, _ state: AppProtectionState, _ notes: HistoryNotes
  ) -> Problem? {
    if let (event, reason) = record.withdrawal, reason != .unenrolled {
      let withdrawal = DiagnosisEvidence(event, "the policy is withdrawn")
      if reason == .untargeted, let end = notes.management.end, Self.follows(event, end) {
        var problem = Problem.withoutPolicy(
          account, .likely,
          "\(account) lost its policy at event \(event.sequence) (103), after the device left device management: the "
            + "policy was perhaps for managed devices only",
          DiagnosisEvidence(end.first, "the device leaves device management"), [withdrawal],
          next: "enroll the device again, or assign a policy for devices that are not managed")
        problem.consequences = [.appConfiguration]
        return problem
      }
      var problem = Problem.withoutPolicy(
        account, .certain,
        "\(account) lost its policy at event \(event.sequence), because "
          + (reason == .untargeted ? "nothing targets it any longer (103)" : "the service lost its record (220)"),
        withdrawal, [],
        next: "look at the groups and the apps that the policy is assigned to")
      problem.severity = .warning
      // The administrator decides whom it targets.
      problem.isOwnCause = reason == .untargeted
      return problem
    }
    guard let event = record.untargeted else { return nil }
    if let deviceWithoutUser {
      return Problem.withoutPolicy(
        account, .likely,
        "\(account) is enrolled without a policy (103), and the device's configuration names a device and no user, so "
          + "that policies for managed devices do not apply",
        DiagnosisEvidence(deviceWithoutUser, "the configuration names a device and no user"),
        [DiagnosisEvidence(event, "the service has no policy for the account (103)")],
        next: "add IntuneMAMUPN and IntuneMAMOID to the app's configuration in device management")
    }
    var problem = Problem.withoutPolicy(
      account, .certain, "\(account) is enrolled without a policy: none targets this user and this app (103)",
      DiagnosisEvidence(event, "the service has no policy for the account (103)"), [],
      next: "assign a policy that includes this app to a group of the user, and wait for the next check-in")
    problem.severity = .warning
    return problem
  }

  /// Whether a policy went away because device management ended: the app may learn of that a moment later.
  private static func follows(_ withdrawal: EventContext, _ end: (first: EventContext, last: EventContext)) -> Bool {
    withdrawal.sequence < end.first.sequence
      ? end.first.elapsed(since: withdrawal) <= RetrySchedule.minute
      : withdrawal.elapsed(since: end.last) <= 3 * RetrySchedule.day
  }

  /// Used for work, and never registered.
  private func unregistered(
    _ account: AccountNumber, _ record: Record, _ state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes
  ) -> Problem? {
    guard let signedIn = record.signedIn, state.unregisteredSignIns.contains(account),
      last.sequence > signedIn.sequence
    else { return nil }
    let words: String
    var others: [DiagnosisEvidence] = []
    switch notes.facts.registration(of: account, at: state) {
    case .never: words = "was never registered"
    case .notSeen, .standing: words = "is not registered"
    case .left(let departure):
      words = "has not been registered again since it left" + (departure.map { " with event \($0.sequence)" } ?? "")
      if let departure { others.append(DiagnosisEvidence(departure, "\(account) leaves")) }
    }
    var problem = Problem.withoutPolicy(
      account, .likely,
      "\(account) has been signed in for work or school since event \(signedIn.sequence) and \(words)",
      DiagnosisEvidence(signedIn, "the app reports the sign-in"),
      others + [DiagnosisEvidence(nil, "no registration has come since")],
      next: "call registerAndEnroll after the sign-in")
    problem.restsOnAbsence = true
    if !notes.processes.isLate(since: signedIn, at: last) {
      (problem.severity, problem.confidence, problem.harm) = (.note, .possible, .irregular)
    }
    return problem
  }

}

extension PolicyNotAppliedRule.Record {
  /// What stays of what was known before the service enrolled the account.
  private init(answering earlier: Self) {
    self.init()
    (request, signedIn, lack) = (earlier.request, earlier.signedIn, earlier.lack)
  }

  /// What an account that is removed and added again brings with it.
  fileprivate var lastRefusal: (refusal: PolicyNotAppliedRule.Refusal, count: Int)? {
    refusal.map { ($0, refusals) } ?? former
  }

  /// Whether the service had the account, and lost it.
  fileprivate var isLost: Bool { lack?.reason == .lost }

  /// Why the account has no policy while a refusal holds.
  fileprivate func reason(of refusal: PolicyNotAppliedRule.Refusal) -> PolicyGaps.Reason {
    isLost && refusal.first == .policyRecordGone ? .lost : .refused(refusal.first)
  }

  /// The service enrolled the account.
  fileprivate mutating func answer() { self = Self(answering: self) }

  /// Nothing targets it; the first such answer counts.
  fileprivate mutating func untarget(_ context: EventContext) {
    untargeted = untargeted ?? context
    lack = lack ?? (context, .untargeted)
    (refusal, refusals) = (nil, 0)
  }

  /// The service refused it; the first answer with this code counts.
  fileprivate mutating func refuse(_ context: EventContext, _ code: EnrollmentStatusCode) {
    // The service refuses an enrollment because its record is gone.
    let cause = refusal.flatMap { $0.code == .policyRecordGone && code == .reEnrollForUnenrolledUser ? $0 : nil }
    if let former, former.refusal.code == code {
      (refusal, refusals, self.former) = (former.refusal, former.count, nil)
    } else if refusal?.code != code {
      refusal = .init(event: cause?.event ?? context, first: cause?.first ?? code, code: code)
      refusals = 0
    }
    refusals += 1
    // What the service answers tells more than a network that failed before.
    let isReached = code.classification != .transient
    if case .refused(let earlier)? = lack?.reason, earlier.classification == .transient, isReached { lack = nil }
    lack = lack ?? (context, .refused(code))
  }
}
