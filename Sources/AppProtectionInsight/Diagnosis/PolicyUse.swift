import AppProtection
import EventSourcing

/// Accounts that have a policy, and for which the app does not act: what their user sees is unmanaged.
struct PolicyUse: Sendable {
  /// How long an app may run with a policy before it sets an identity.
  private static let hesitation = RetrySchedule.hour
  /// How long it may before that is more than a note, or is one although it acts for another account, so that it knows how:
  /// the user may not have come to this one.
  static let longHesitation = RetrySchedule.day
  /// So many processes of an updated app that do not act for an account show that it has forgotten how.
  private static let manyLaunches = 4

  private struct Record: Sendable {
    var policy: EventContext?
    /// Whether a process, a window or the main thread ever acted for it since it has a policy.
    var wasSet = false
    /// Whether the app asked to act for it since then, and was refused.
    var wasRefused = false
    /// The first other thread that did, whose identity does not make what the user sees managed.
    var setOnThread: EventContext?
    /// The start of another version of the app after which it does not any more, and the processes since.
    var update: EventContext?
    var launches = 0
  }

  private var records = PerAccount<Record>()
  /// The times that are over.
  private var gaps = PolicyGaps()
  private var unmanagedUI: EventContext?
  /// The managed accounts that the app ever acted for.
  private var everSet = PerAccount<Bool>()

  static let events: [any EventPayload.Type] = [
    ProcessStarted.self, AccountRegistered.self, PolicyReceived.self, PolicyWithdrawn.self, IdentitySwitched.self,
    IdentitySwitchRefused.self,
  ]

  /// Observes an event.
  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .accountRegistered(let event): records[event.account] = nil
    case .policyWithdrawn(let event): records[event.account]?.policy = nil
    case .policyReceived(let event):
      guard before.policies[event.account] == nil else { break }
      records[event.account] = Record(policy: context, wasSet: Self.acts(for: event.account, after))
    case .identitySwitched(let event):
      if let account = event.identity.account { recordIdentity(account, event.scope, context, after, notes) }
      if event.scope == .ui { unmanagedUI = event.identity == .unmanaged ? context : nil }
    case .identitySwitchRefused(let event):
      if let account = event.identity.account { recordRefusal(account, event.scope) }
    case .processStarted(let event):
      guard !event.isExtension else { break }
      launch(context, isUpdate: before.process.launch > 0 && before.process.appVersion != after.process.appVersion)
    default: break
    }
  }

  private mutating func recordIdentity(
    _ account: AccountNumber, _ scope: IdentityScope, _ context: EventContext, _ after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    if case .thread(let label) = scope, label != IdentityScope.mainThread {
      let first = records[account]?.setOnThread
      records[account, default: Record()].setOnThread = first ?? context
      return
    }
    endDisuse(of: account, context, after, notes)
    records[account, default: Record()].wasSet = true
    records[account]?.update = nil
    if after.isManaged(account) { everSet[account] = true }
  }

  /// The app acts for an account at last.
  private mutating func endDisuse(
    of account: AccountNumber, _ context: EventContext, _ after: AppProtectionState, _ notes: HistoryNotes
  ) {
    guard let record = records[account], after.isManaged(account), after.settings.app.multiIdentity, !record.wasRefused,
      record.launches >= Self.manyLaunches, let began = record.wasSet ? record.update : record.policy
    else { return }
    // The user may not have come to this one.
    guard !everSet.inOrder.contains(where: { $0.account != account }) else { return }
    gaps.end(
      of: account, since: began, record.wasSet ? .noLongerActedFor : .neverActedFor,
      DiagnosisEnding(.recovered, at: context), notes)
  }

  /// The app asked to act for an account: what stood against it is another problem.
  private mutating func recordRefusal(_ account: AccountNumber, _ scope: IdentityScope) {
    if case .thread(let label) = scope, label != IdentityScope.mainThread { return }
    records[account]?.wasRefused = true
    records[account]?.update = nil
  }

  /// What an earlier version of the app did, another one may not do.
  private mutating func launch(_ context: EventContext, isUpdate: Bool) {
    records.updateAll { record in
      if isUpdate && record.wasSet { (record.update, record.launches) = (context, 0) }
      record.launches += 1
    }
  }

  /// What was found.
  ///
  /// - Parameter found: What all rules found. Whatever the service answers, the app itself does not act for an account, unless
  ///   it answers the questions that come first with a constant that means something else.
  func problems(
    besides found: [Problem], at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes
  ) -> [Problem] {
    let standing = records.inOrder.compactMap { account, record -> PolicyGaps.Standing? in
      guard state.isManaged(account) else { return nil }
      let forgotten = forgotten(account, record, state, last)
      guard var problem = forgotten ?? unused(account, record, state, last, notes) else { return nil }
      let subject = account.description
      problem.isOwnCause = true
      problem.causes = found.filter { $0.family == .wrongEnumeration && !$0.isOver && $0.subject == subject }
        .map(\.decidingEvent)
      return (problem, forgotten == nil ? .neverActedFor : .noLongerActedFor)
    }
    return gaps.problems(besides: standing)
  }

  /// Has a policy, and the app never acts for the account.
  private func unused(
    _ account: AccountNumber, _ record: Record, _ state: AppProtectionState, _ last: EventContext,
    _ notes: HistoryNotes
  ) -> Problem? {
    let knowsHow = everSet.inOrder.contains { $0.account != account }
    guard let policy = record.policy, !record.wasSet, !record.wasRefused,
      // Before the history begins, it may have been set.
      let begin = notes.opening.flatMap({ notes.isMissing(policy) ? $0 : nil }) ?? record.policy,
      state.settings.app.multiIdentity,
      state.policies[account]?.isEnforced == true, !Self.acts(for: account, state),
      notes.processes.isLate(since: begin, at: last, after: Self.hesitation)
    else { return nil }
    let isLong = last.elapsed(since: begin) >= Self.longHesitation
    if knowsHow && !isLong { return nil }
    // It may have been set under an earlier policy of the account.
    let earlier = notes.facts.actedFor(account)
    let isNever = earlier == nil && !notes.isMissing(policy)
    let missing = "no identity of the process or a window was \(isNever ? "ever " : "")set to \(account)"
    var others = [DiagnosisEvidence(nil, missing + (isNever ? "" : " since"))]
    if let earlier { others.append(DiagnosisEvidence(earlier, "the app acts for \(account), before that")) }
    if let thread = record.setOnThread {
      others.append(DiagnosisEvidence(thread, "a thread acts for \(account), and no window shows it"))
    }
    if let unmanagedUI {
      others.insert(DiagnosisEvidence(unmanagedUI, "the user interface is set to no account"), at: 0)
    }
    var problem = Problem.withoutPolicy(
      account, record.setOnThread == nil ? .likely : .possible,
      "\(account) has had a policy since event \(policy.sequence), and the app \(isNever ? "never set" : "has not set") its identity\(isNever ? "" : " since")"
        + (record.setOnThread == nil
          ? ", so that it acts unmanaged" : " but on threads, so that what it shows is unmanaged"),
      DiagnosisEvidence(policy, "the policy arrives"), others,
      next: "set the identity of the windows and the threads that handle the account's data")
    problem.severity = isLong && !knowsHow && !notes.isMissing(policy) ? .warning : .note
    if problem.severity == .note { problem.harm = .irregular }
    problem.restsOnAbsence = true
    return problem
  }

  /// Has a policy, and the app acted for the account until it was updated.
  private func forgotten(
    _ account: AccountNumber, _ record: Record, _ state: AppProtectionState, _ last: EventContext
  ) -> Problem? {
    guard let update = record.update, record.launches >= Self.manyLaunches, state.settings.app.multiIdentity,
      !Self.acts(for: account, state), last.elapsed(since: update) >= 2 * Self.longHesitation
    else { return nil }
    var problem = Problem.withoutPolicy(
      account, .possible,
      "the app acted for \(account) until it was updated with event \(update.sequence), and never since, in "
        + "\(record.launches) processes, so that it acts unmanaged",
      DiagnosisEvidence(update, "another version of the app starts"),
      [DiagnosisEvidence(nil, "no identity of the process, a window or a thread was set to \(account) since")],
      next: "set the identity of the windows and the threads that handle the account's data, as the earlier version did"
    )
    problem.severity = .warning
    problem.restsOnAbsence = true
    return problem
  }

  private static func acts(for account: AccountNumber, _ state: AppProtectionState) -> Bool {
    let identities = state.identities
    return identities.process.account == account || identities.ui.account == account
      || identities.windows.contains { $0.identity.account == account }
  }
}
