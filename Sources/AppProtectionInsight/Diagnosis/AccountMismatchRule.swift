import AppProtection
import EventSourcing

/// The account is not the one that the service knows (214): its name changed, its name was given to another user, its user was
/// deleted and created again, or it is another account than the enrolled one.
///
/// The deciding event is the change of name or the conflict of names, if there is one; otherwise the service's first such
/// answer.
struct AccountMismatchRule: ProblemRule {
  /// An account whose name an enrolled one has too.
  private struct Conflict: Sendable {
    let detected: EventContext
    let existing: AccountNumber
    var sightings = Occurrences()
    var failure: EventContext?
  }

  /// An account that has the name of one which is no longer managed, and another object id.
  private struct Recreation: Sendable {
    let former: AccountNumber
    /// The refusals of the new account; or of the former one, where the new one is enrolled.
    var refusals = Observations<EnrollmentStatusCode>()
    /// Whether they are the former one's.
    var isOfFormer = false
    var enrolled: EventContext?
  }

  /// Answers by which the service shows that it has another record of a name.
  private static let refusals = consequences.union([
    .alreadyEnrolled, .switchExistingAccount, .singleManagedAccountMode,
  ])

  /// Answers that a changed name can lead to.
  private static let consequences: Set<EnrollmentStatusCode> = [
    .notEnrolledAccount, .authRequired, .nilAccount, .policyRecordGone, .reEnrollForUnenrolledUser, .appNotEnrolled,
  ]

  private var runs = FailureRuns(of: [.notEnrolledAccount])
  /// Any failure that a changed name can lead to.
  private var broken = FailureRuns(of: Self.consequences)
  private var conflicts = PerAccount<Conflict>()
  /// The first conflict of every account that lasted long and is over.
  private var past = PerAccount<(conflict: Conflict, ending: DiagnosisEnding, words: String)>()
  /// Those of accounts that left: one that comes back is in the same conflict.
  private var left = PerAccount<Conflict>()
  private var recreations = PerAccount<Recreation>()
  /// The accounts of which the service has no record any more.
  private var gone = PerAccount<EventContext>()
  /// Changes of an enrolled account's name, until a check-in completes.
  private var renamed = PerAccount<EventContext>()
  /// The change of name that led to an account's failures.
  private var causes = PerAccount<EventContext>()

  init() {}

  static let events: [any EventPayload.Type] =
    [
      AccountIdentified.self, EnrollmentSucceeded.self, EnrollmentFailed.self, EnrollmentConflictDetected.self,
      EnrollmentRecordGone.self, CheckInUnchanged.self, PolicyReceived.self,
    ] + FailureRuns.events

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .accountIdentified(let identified):
      let findings = AppProtectionMachine.findings(for: event, before: before, after: after)
      if findings.contains(where: { $0.kind == .nameChanged }) { rename(identified.account, context) }
    case .enrollmentConflictDetected(let event):
      if conflicts[event.account] == nil {
        let earlier = left[event.account].flatMap { $0.existing == event.existing ? $0 : nil }
        conflicts[event.account] = earlier ?? Conflict(detected: context, existing: event.existing)
      }
      conflicts[event.account]?.sightings.add(context)
    case .enrollmentRecordGone(let event):
      causes[event.account] = causes[event.account] ?? renamed[event.account]
      gone[event.account] = gone[event.account] ?? context
    case .enrollmentFailed(let event):
      if conflicts[event.account] != nil {
        if conflicts[event.account]?.failure == nil { conflicts[event.account]?.failure = context }
      } else if Self.refusals.contains(event.code), let former = after.formerNamesake(of: event.account) {
        var recreation = recreations[event.account] ?? Recreation(former: former)
        recreation.refusals.add(context, event.code)
        recreations[event.account] = recreation
      }
    case .enrollmentSucceeded(let event):
      succeedFormer(of: event.account, context, after, notes)
      endConflict(event.account, .recovered, context, "\(event.account) was enrolled")
    case .checkInUnchanged(let event):
      endConflict(event.account, .recovered, context, "a check-in of \(event.account) completed")
    case .policyReceived(let event):
      endConflict(event.account, .recovered, context, "\(event.account) got a policy")
    default: break
    }
    if let account = event.leavingAccount { leave(account, context) }
    if !Self.isOfAnotherFamily(event, before) { runs.observe(event, context, before: before) }
    if let account = broken.observe(event, context, before: before) {
      causes[account] = causes[account] ?? renamed[account]
    }
  }

  /// Whether a refusal is that of an account which device management does not allow.
  private static func isOfAnotherFamily(_ event: AppProtectionEvent, _ state: AppProtectionState) -> Bool {
    switch event {
    case .enrollmentFailed(let event): event.code == .notEnrolledAccount && state.isRestricted(event.account)
    case .checkInFailed(let event): event.code == .notEnrolledAccount && state.isRestricted(event.account)
    default: false
    }
  }

  /// The app often learns of a new name from what the service answers, a moment after the answer.
  private mutating func rename(_ account: AccountNumber, _ context: EventContext) {
    renamed[account] = context
    guard let run = broken[account], run.end == nil, let first = run.failures.first,
      context.elapsed(since: first) <= RetrySchedule.minute
    else { return }
    causes[account] = causes[account] ?? context
  }

  /// The service enrolls an account: one of its name that was refused before was probably that of the same user.
  private mutating func succeedFormer(
    of account: AccountNumber, _ context: EventContext, _ state: AppProtectionState, _ notes: HistoryNotes
  ) {
    if recreations[account] != nil {
      if recreations[account]?.enrolled == nil { recreations[account]?.enrolled = context }
    } else if let former = state.formerNamesake(of: account), let refusal = notes.contacts[former]?.firstRefusal,
      Self.consequences.contains(refusal.code)
    {
      var recreation = Recreation(former: former, isOfFormer: true, enrolled: context)
      recreation.refusals.add(refusal.event, refusal.code)
      recreations[account] = recreation
    }
  }

  private mutating func endConflict(
    _ account: AccountNumber, _ kind: DiagnosisEnding.Kind, _ context: EventContext, _ words: String
  ) {
    if past[account] == nil, let conflict = conflicts[account],
      context.elapsed(since: conflict.detected) > Episodes.pause
    {
      past[account] = (conflict, DiagnosisEnding(kind, at: context), words)
    }
    (conflicts[account], renamed[account], causes[account]) = (nil, nil, nil)
    left[account] = nil
  }

  /// An account that leaves is in no conflict, and with none that stays.
  private mutating func leave(_ account: AccountNumber, _ context: EventContext) {
    let conflict = conflicts[account] ?? left[account]
    endConflict(account, .abandoned, context, "\(account) left")
    left[account] = conflict
    for (other, conflict) in conflicts.inOrder where conflict.existing == account {
      endConflict(other, .recovered, context, "\(account) left")
    }
    for (other, conflict) in left.inOrder where conflict.existing == account { left[other] = nil }
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    let changed = causes.inOrder.map { account, cause in renaming(account, cause, state) }
    let conflicting = conflicts.inOrder.map { account, conflict in problem(account, conflict, state, notes) }
    let recreations = recreations.inOrder.filter { causes[$0.account] == nil && conflicts[$0.account] == nil }
    let others = runs.inOrder.filter {
      causes[$0.account] == nil && conflicts[$0.account] == nil && self.recreations[$0.account] == nil
    }
    // One that an account brought back lasts.
    let resolved = past.inOrder.filter { conflicts[$0.account]?.detected != $0.value.conflict.detected }.map {
      account, past in
      Self.problem(account, past.conflict, past.ending, past.words)
    }
    return changed + conflicting + resolved + recreations.compactMap { recreated($0.account, $0.value, notes) }
      + others.map { problem($0.account, $0.value, state, last, notes) }
  }

  private func recreated(_ account: AccountNumber, _ recreation: Recreation, _ notes: HistoryNotes) -> Problem? {
    let former = recreation.former
    guard let first = recreation.refusals.first, let code = recreation.refusals.firstValue else { return nil }
    let isOver = recreation.enrolled != nil
    let (has, isOrWas) = isOver ? ("had", "was") : ("has", "is")
    let times = recreation.refusals.count == 1 ? "" : ", \(recreation.refusals.times)"
    var problem = Problem(
      .accountMismatch, .likely, of: account.description,
      "\(account) \(has) the name of \(former), which \(isOrWas) no longer managed, and another object id: its user was probably "
        + "deleted and created again; the service \(isOver ? "refused" : "has refused") \(recreation.isOfFormer ? former : account) "
        + "\(isOver ? "from" : "since") event \(first.sequence)\(isOver ? " on" : "") (\(code.words)\(times))",
      evidence: DiagnosisEvidence(first, "the service answers \(code.words)"),
      recreation.refusals.evidence { "the service answers \($0.words)" }
        + (recreation.enrolled.map { [DiagnosisEvidence($0, "\(account) is enrolled")] } ?? []),
      next:
        "remove the registration of \(former) in the portal, reset the device's account in Authenticator, and sign in again",
      command: "log JOURNAL --type 'account.*' --type 'enrollment.*'")
    problem.others = [former.description]
    problem.began =
      [first.sequence, gone[former]?.sequence, notes.contacts[former]?.firstFailure?.event.sequence].compactMap { $0 }
      .min()
    if let enrolled = recreation.enrolled {
      problem.end(.recovered, at: enrolled)
      problem.severity = .note
    }
    return problem
  }

  private func renaming(_ account: AccountNumber, _ cause: EventContext, _ state: AppProtectionState) -> Problem {
    let run = broken[account]
    let code = run?.failures.firstValue ?? .policyRecordGone
    var problem = Problem(
      .accountMismatch, .likely, of: account.description,
      "the name of \(account) changed with event \(cause.sequence), and the service has refused it since (first with \(code.words))",
      evidence: DiagnosisEvidence(cause, "the enrolled account gets another name"),
      [DiagnosisEvidence(nil, "no check-in has completed since")]
        + (run?.failures.evidence { "a request to the service fails: \($0.words)" } ?? []),
      next: "wipe the account's data from the administration portal, and let the user sign in again",
      command: "blame JOURNAL /accounts/\(account)/userPrincipalName")
    // The app may learn of the name a moment after the first refusal.
    problem.began = [cause.sequence, run?.failures.first?.sequence].compactMap { $0 }.min()
    return problem
  }

  private func problem(
    _ account: AccountNumber, _ conflict: Conflict, _ state: AppProtectionState, _ notes: HistoryNotes
  ) -> Problem {
    let existing = conflict.existing
    var others = Array(conflict.sightings.evidence("the same conflict again").dropFirst())
    if let failure = conflict.failure {
      others.append(DiagnosisEvidence(failure, "the enrollment is refused"))
    }
    others.append(DiagnosisEvidence(nil, "\(conflict.existing) has not left since"))
    let isDisabled = state.launch.accounts[existing]?.isDisabled ?? false
    // The service knows the former user no longer.
    let refusal = notes.contacts[existing]?.firstRefusal.flatMap { Self.consequences.contains($0.code) ? $0 : nil }
    let times =
      conflict.sightings.count > 1
      ? ", \(conflict.sightings.times) up to event \(conflict.sightings.last?.sequence ?? 0)" : ""
    var problem = Problem(
      .accountMismatch, of: account.description,
      "\(account) has the name of \(existing), which is managed, and another object id\(times): "
        + (isDisabled
          ? "the service has disabled \(existing), so that its user was probably re-created"
          : refusal.map {
            "the service has refused \(existing) since event \($0.event.sequence) (\($0.code.words)), so that its user was probably "
              + "deleted and created again"
          } ?? "the name was given to another user, or the same one was re-created"),
      evidence: DiagnosisEvidence(conflict.detected, "one name, two object ids"), others,
      next: "deregister \(existing), or reset the device's account in Authenticator and reinstall the app",
      command: "show JOURNAL \(conflict.detected.sequence)")
    problem.consequences = [.secondManagedAccount]
    problem.others = [existing.description]
    // A re-created user lost the old account before the new one showed it.
    if let failure = isDisabled ? notes.contacts[existing]?.firstFailure : refusal {
      problem.began = min(failure.event.sequence, conflict.detected.sequence)
      problem.add([DiagnosisEvidence(failure.event, "a request for \(existing) fails: \(failure.code.words)")])
    }
    return problem
  }

  /// A conflict that is over.
  private static func problem(
    _ account: AccountNumber, _ conflict: Conflict, _ ending: DiagnosisEnding, _ end: String
  ) -> Problem {
    let existing = conflict.existing
    var problem = Problem(
      .accountMismatch, of: account.description,
      "\(account) had the name of \(existing), which was managed, and another object id, until \(end) with event "
        + "\(ending.event.sequence)",
      evidence: DiagnosisEvidence(conflict.detected, "one name, two object ids"),
      (conflict.failure.map { [DiagnosisEvidence($0, "the enrollment is refused")] } ?? [])
        + [DiagnosisEvidence(ending.event, end)],
      next: "deregister an account when its user leaves, before the name is given to another one",
      command: "show JOURNAL \(conflict.detected.sequence)")
    problem.consequences = [.secondManagedAccount]
    problem.others = [existing.description]
    problem.end(ending.kind, at: ending.event)
    problem.severity = .note
    return problem
  }

  private func problem(
    _ account: AccountNumber, _ run: FailureRun, _ state: AppProtectionState, _ last: EventContext,
    _ notes: HistoryNotes
  ) -> Problem {
    let failures = run.failures.evidence { "the service answers \($0.words)" }
    let (verb, has, shows) = run.ending == nil ? ("is", "has", "does") : ("was", "had", "did")
    let first = run.failures.first?.sequence ?? 0
    let comparisons = state.comparisons(of: AccountReference(account)).filter { $0.enrolled != account }
    let comparison = comparisons.map(\.description).joined(separator: "; ")
    let traces = notes.traces(inTheWayOf: account)
    let rivals = traces.map { "\($0.account), of which event \($0.event) left a trace" }.joined(separator: ", or ")
    let difference =
      !comparison.isEmpty
      ? comparison
      : rivals.isEmpty
        ? "the service \(has) another account enrolled for this app and device, which this history \(shows) not show"
        : "the record in the way \(verb) perhaps that of \(rivals)"
    let times = run.failures.count == 1 ? "" : ", \(run.failures.count) times"
    var problem = Problem(
      .accountMismatch, of: account.description,
      "\(account) \(verb) not the account that the service \(has) enrolled (214, \(run.span)\(times)): \(difference)",
      evidence: failures.first ?? DiagnosisEvidence(first, "214"), Array(failures.dropFirst()),
      next: comparisons.isEmpty
        ? "compare the object id of \(account) with the one in the diagnostic console, and deregister the other account"
        : "pass the object id of the enrolled account, or deregister that account before \(account) is registered",
      command: "show JOURNAL \(first)")
    problem.conclude(run, runs.episodes(of: account), at: last)
    problem.causes = traces.map(\.event)
    return problem
  }
}

extension AppProtectionState {
  /// Another account of the same name with another object id, which is not managed: perhaps the same user's, before the
  /// directory deleted it and created it again.
  func formerNamesake(of account: AccountNumber) -> AccountNumber? {
    guard let own = accounts[account] else { return nil }
    var reference = AccountReference(account)
    (reference.objectID, reference.userPrincipalName) = (own.objectID, own.userPrincipalName)
    return accounts.records.first { other in
      guard other.account != account, !isManaged(other.account) else { return false }
      let comparison = EnrolledAccountComparison(reference, with: other)
      return comparison.objectID == .different && [.equal, .equalIgnoringCase].contains(comparison.name)
    }?.account
  }
}
