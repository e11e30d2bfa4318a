import AppProtection
import EventSourcing

/// A registered or signed-in account to which no policy is applied, or was not for long.
struct PolicyNotAppliedRule: ProblemRule {
  /// How long an app may run with a policy before it sets an identity.
  private static let hesitation = RetrySchedule.hour
  /// How long it may before that is more than a note, or is one although it acts for another account, so that it knows how:
  /// the user may not have come to this one.
  private static let longHesitation = RetrySchedule.day

  /// So many processes of an updated app that do not act for an account show that it has forgotten how.
  private static let manyLaunches = 4

  /// Refusals with one code.
  fileprivate struct Refusal: Sendable {
    /// The first of them, and the code that it brought: a record that is gone is followed by the refusal to enroll.
    let event: EventContext
    let first: EnrollmentStatusCode
    let code: EnrollmentStatusCode
  }

  /// Why an account had no policy for a time.
  fileprivate enum Reason: Equatable, Sendable {
    case refused(EnrollmentStatusCode), untargeted, lost, unregistered, neverActedFor, noLongerActedFor

    /// So long is ordinary, and not reported once it is over: what waits for an assignment, or the network, is asked again every
    /// 12 hours (D).
    var patience: Int64 {
      switch self {
      case .refused(let code):
        code.classification == .transient || PolicyNotAppliedRule.isAdministrators(code)
          ? RetrySchedule.day / 2 : Episodes.pause
      case .untargeted: RetrySchedule.day / 2
      case .lost, .unregistered: Episodes.pause
      case .neverActedFor: PolicyNotAppliedRule.longHesitation
      case .noLongerActedFor: 2 * PolicyNotAppliedRule.longHesitation
      }
    }
  }

  /// A time without a policy that is over.
  fileprivate struct Gap: Sendable {
    let began: EventContext
    let reason: Reason
    let length: Int64
    let ending: DiagnosisEnding
  }

  /// What explains that an account has no policy, as far as it is known.
  fileprivate struct Record: Sendable {
    var registered: EventContext?
    var request: EventContext?
    /// The first of the latest refusals with one code, and that code.
    var refusal: Refusal?
    var refusals = 0
    /// The refusal, and the number of them, before the account left and was registered again.
    var former: (refusal: Refusal, count: Int)?
    /// What left the account without a policy, since it last had one.
    var lack: (event: EventContext, reason: Reason)?
    /// Whether the user kept another account.
    var wasDeclined = false
    /// The answer that nothing targets the account, or the event that took its policy away.
    var untargeted: EventContext?
    var withdrawal: (event: EventContext, reason: PolicyWithdrawalReason)?
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
    var signedIn: EventContext?
  }

  private var records = PerAccount<Record>()
  /// The longest times without a policy that are over.
  private var gaps = PerAccount<Gap>()
  private var deviceWithoutUser: EventContext?
  private var extensionCalls = Occurrences()
  private var unmanagedUI: EventContext?
  /// The sign-ins that the user canceled since an account was registered.
  private var cancellations = Occurrences()
  /// The processes since an account was last registered.
  private var launchesWithoutAccount = Occurrences()
  /// The managed accounts that the app ever acted for.
  private var everSet = PerAccount<Bool>()

  static let events: [any EventPayload.Type] =
    [
      ProcessStarted.self, CommandRefused.self, DeviceConfigurationChanged.self, AccountRegistered.self,
      SignInsReported.self, EnrollmentRequested.self, EnrollmentSucceeded.self, EnrollmentFailed.self,
      AccountSwitchAnswered.self, EnrollmentRecordGone.self, LoginAnswered.self, CheckInUnchanged.self,
      CheckInFailed.self, PolicyReceived.self, PolicyWithdrawn.self, IdentitySwitched.self, IdentitySwitchRefused.self,
    ] + AppProtectionEvent.leaving

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .accountRegistered(let event):
      if let signedIn = records[event.account]?.signedIn {
        endGap(of: event.account, since: signedIn, .unregistered, DiagnosisEnding(.recovered, at: context), notes)
      }
      let lack = records[event.account]?.lack
      records[event.account] = Record(registered: context, former: records[event.account]?.lastRefusal, lack: lack)
      (cancellations, launchesWithoutAccount) = (Occurrences(), Occurrences())
    case .loginAnswered(let event): if event.account == nil { cancellations.add(context) }
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
      records[event.account, default: Record()].policy = nil
      if event.reason != .unenrolled {
        records[event.account]?.lack = (context, event.reason == .untargeted ? .untargeted : .lost)
      }
    case .policyReceived(let event):
      let isFirst = before.policies[event.account] == nil
      endLack(of: event.account, .recovered, context, after, notes)
      records[event.account, default: Record()].receive(context, isFirst: isFirst)
      if isFirst, Self.acts(for: event.account, after) { records[event.account, default: Record()].wasSet = true }
    case .identitySwitched(let event):
      if let account = event.identity.account { recordIdentity(account, event.scope, context, after, notes) }
      if event.scope == .ui { unmanagedUI = event.identity == .unmanaged ? context : nil }
    case .identitySwitchRefused(let event):
      if let account = event.identity.account { recordRefusal(account, event.scope) }
    case .processStarted(let event):
      guard !event.isExtension else { break }
      launchesWithoutAccount.add(context)
      launch(context, isUpdate: before.process.launch > 0 && before.process.appVersion != after.process.appVersion)
    case .signInsReported:
      for account in after.unregisteredSignIns where records[account]?.signedIn == nil {
        records[account, default: Record()].signedIn = context
      }
    case .deviceConfigurationChanged(let event):
      deviceWithoutUser = event.deviceID != nil && !after.isManagedDevice ? context : nil
    case .commandRefused(let event): if event.code == .unsupportedAPI { extensionCalls.add(context) }
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
    guard let lack = records[account]?.lack, kind == .recovered || !state.managesAnother(than: account) else { return }
    endGap(of: account, since: lack.event, lack.reason, DiagnosisEnding(kind, at: context), notes)
  }

  private mutating func endGap(
    of account: AccountNumber, since began: EventContext, _ reason: Reason, _ ending: DiagnosisEnding,
    _ notes: HistoryNotes
  ) {
    let length = notes.facts.clock.elapsed(from: began, to: ending.event)
    guard length > reason.patience, length > gaps[account]?.length ?? 0 else { return }
    gaps[account] = Gap(began: began, reason: reason, length: length, ending: ending)
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
    endGap(
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

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    var problems = records.inOrder.compactMap { account, record in problem(account, record, state, last, notes) }
    let present = problems
    problems += gaps.inOrder.filter { gap in !present.contains { $0.subject == gap.account.description } }
      .map { past($0.account, $0.value) }
    let isSomeoneRegistered = state.accounts.records.contains { $0.enrollment.status.isRegistered }
    if let cancellation = cancellations.first, !isSomeoneRegistered {
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
      problems.append(problem)
    }
    if !isSomeoneRegistered, state.settings.app.autoEnrollOnLaunch, launchesWithoutAccount.count > 1,
      cancellations.count == 0, let first = launchesWithoutAccount.first
    {
      var problem = Problem(
        .policyNotApplied, .likely,
        "the app enrolls at launch, and found no account in \(launchesWithoutAccount.count) launches since event "
          + "\(first.sequence)",
        evidence: DiagnosisEvidence(first, "the app starts, and has no account to enroll"),
        launchesWithoutAccount.evidence("the app starts again").dropFirst()
          + [DiagnosisEvidence(nil, "no account is registered")],
        next: "let the app find the account that is signed in to another app of the publisher, or call "
          + "loginAndEnrollAccount, with which the user signs in",
        command: "log JOURNAL --type 'process.*' --type 'account.*'")
      problem.severity = .warning
      problem.restsOnAbsence = true
      problems.append(problem)
    }
    if let call = extensionCalls.first, !isSomeoneRegistered {
      let verb = Episodes.isOutOfSight(extensionCalls.last, at: last) ? "was" : "is"
      var problem = Problem(
        .policyNotApplied, .certain,
        "an extension called what only the app may call (223), and no account \(verb) registered",
        evidence: DiagnosisEvidence(call, "the call is refused: 223 unsupportedAPI"),
        Array(extensionCalls.evidence("the call is refused again").dropFirst()),
        next: "call registerAndEnroll from the app, not from its extension", command: "show JOURNAL \(call.sequence)")
      problem.endOutOfSight(since: extensionCalls.last, extensionCalls.count, at: last)
      problems.append(problem)
    }
    return problems
  }

  /// An account that had no policy for long.
  private func past(_ account: AccountNumber, _ gap: Gap) -> Problem {
    let (began, end) = (gap.began, gap.ending.event)
    let span = "for \(SpanWords.words(gap.length)), from event \(began.sequence) to event \(end.sequence)"
    let (sentence, words, next) = Self.words(account, span, gap.reason)
    let ending =
      switch gap.reason {
      case .unregistered: "\(account) is registered"
      case .neverActedFor, .noLongerActedFor: "the app acts for \(account)"
      case .refused, .untargeted, .lost:
        switch gap.ending.kind {
        case .recovered: "a policy arrives"
        case .wiped: "the wipe of \(account) is ordered"
        case .replaced, .abandoned, .outOfSight: "\(account) leaves"
        }
      }
    var problem = make(
      account, .certain, sentence, DiagnosisEvidence(began, words), [DiagnosisEvidence(end, ending)], next: next)
    problem.end(gap.ending.kind, at: end)
    problem.severity = .note
    return problem
  }

  /// What was wrong for a time, what its first event shows, and what to do.
  private static func words(
    _ account: AccountNumber, _ span: String, _ reason: Reason
  ) -> (sentence: String, event: String, next: String) {
    switch reason {
    case .refused(let code):
      (
        "\(account) had no policy \(span), because \(refusal(code.classification == .transient, code, isOver: true)) \(code.words)",
        code.words, StatusAdvice.next(after: code)
      )
    case .untargeted:
      (
        "\(account) had no policy \(span), because none targeted this user and this app (103)",
        "the service has no policy for the account (103)",
        "assign the policy before its users begin: an account without one is asked about every 12 hours"
      )
    case .lost:
      (
        "\(account) had no policy \(span), because the service had lost its record (220)", "the policy is withdrawn",
        StatusAdvice.next(after: .policyRecordGone)
      )
    case .unregistered:
      (
        "\(account) was signed in for work or school \(span), before the app registered it",
        "the app reports the sign-in", "call registerAndEnroll after the sign-in"
      )
    case .neverActedFor:
      (
        "\(account) had a policy, and the app did not act for it \(span), so that it acted unmanaged",
        "the policy arrives", "set the identity of the windows and the threads that handle the account's data"
      )
    case .noLongerActedFor:
      (
        "the app acted for \(account) until it was updated, and not \(span), so that it acted unmanaged",
        "another version of the app starts", "look at where this version sets the identity, and when"
      )
    }
  }

  private func problem(
    _ account: AccountNumber, _ record: Record, _ state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes
  ) -> Problem? {
    guard let enrollment = state.accounts[account]?.enrollment else { return nil }
    if state.isManaged(account) { return unused(account, record, state, last, notes) }
    switch enrollment.status {
    case .unknown, .removed: return unregistered(account, record, state, last, notes)
    case .unenrolling, .wiping: return nil
    // The service gave a policy that the history does not show, as a log of the field shows none.
    case .enrolledWithPolicy: return nil
    case .registered, .enrolling, .enrolledWithoutPolicy: break
    }
    // A question to the user is another family's.
    guard enrollment.switchQuestion == 0 else { return nil }
    if let request = record.request, enrollment.enrollmentRequest == request.sequence {
      guard record.refusal == nil else { return refused(account, record, state, last) }
      return unanswered(account, request, last, notes)
    }
    if let refusal = record.refusal, enrollment.lastCode == refusal.code {
      return refused(account, record, state, last)
    }
    return untargeted(account, record, state, notes)
  }

  /// The service was asked, and did not answer.
  private func unanswered(
    _ account: AccountNumber, _ request: EventContext, _ last: EventContext, _ notes: HistoryNotes
  ) -> Problem? {
    let isLate = notes.processes.isLate(since: request, at: last)
    let length = SpanWords.words(notes.facts.clock.elapsed(from: request, to: last))
    var problem = make(
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
    _ account: AccountNumber, _ record: Record, _ state: AppProtectionState, _ last: EventContext
  ) -> Problem? {
    guard let refusal = record.refusal else { return nil }
    let (event, code) = (refusal.event, refusal.code)
    let times = record.refusals > 1 ? ", \(record.refusals) times" : ""
    // Nothing was refused where the service was not reached.
    let isTransient = code.classification == .transient
    var problem = make(
      account, .certain,
      "\(account) has no policy: \(Self.refusal(isTransient, code)) \(code.words)\(times)",
      DiagnosisEvidence(event, refusal.first.words), [], next: StatusAdvice.next(after: code))
    if Self.isAdministrators(code) || (code == .singleManagedAccountMode && state.managesAnother(than: account)) {
      problem.severity = .warning
    }
    if record.wasDeclined {
      (problem.severity, problem.harm) = (.note, .bystander)
    }
    if isTransient, last.elapsed(since: event) < ProcessTrail.endurance,
      state.accounts[account]?.enrollment.isRepeating == true
    {
      (problem.severity, problem.harm) = (.note, .irregular)
    }
    return problem
  }

  /// What became of the enrollment, as the beginning of a sentence that ends in the code.
  private static func refusal(_ isTransient: Bool, _ code: EnrollmentStatusCode, isOver: Bool = false) -> String {
    if code == .adalMethodUnsupported {
      return
        "the app's token library \(isOver ? "was" : "is") too old for the SDK, which \(isOver ? "ended" : "ends") with"
    }
    return "\(isTransient ? "its enrollment failed" : "the service refused it") with"
  }

  /// Enrolled, and nothing targets the account.
  private func untargeted(
    _ account: AccountNumber, _ record: Record, _ state: AppProtectionState, _ notes: HistoryNotes
  ) -> Problem? {
    if let (event, reason) = record.withdrawal, reason != .unenrolled {
      let withdrawal = DiagnosisEvidence(event, "the policy is withdrawn")
      if reason == .untargeted, let end = notes.management.end, Self.follows(event, end) {
        var problem = make(
          account, .likely,
          "\(account) lost its policy at event \(event.sequence) (103), after the device left device management: the "
            + "policy was perhaps for managed devices only",
          DiagnosisEvidence(end.first, "the device leaves device management"), [withdrawal],
          next: "enroll the device again, or assign a policy for devices that are not managed")
        problem.consequences = [.appConfiguration]
        return problem
      }
      var problem = make(
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
      return make(
        account, .likely,
        "\(account) is enrolled without a policy (103), and the device's configuration names a device and no user, so "
          + "that policies for managed devices do not apply",
        DiagnosisEvidence(deviceWithoutUser, "the configuration names a device and no user"),
        [DiagnosisEvidence(event, "the service has no policy for the account (103)")],
        next: "add IntuneMAMUPN and IntuneMAMOID to the app's configuration in device management")
    }
    var problem = make(
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
    var problem = make(
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

  /// Has a policy, and the app never acts for the account.
  private func unused(
    _ account: AccountNumber, _ record: Record, _ state: AppProtectionState, _ last: EventContext,
    _ notes: HistoryNotes
  ) -> Problem? {
    if let problem = forgotten(account, record, state, last) { return problem }
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
    var problem = make(
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
    var problem = make(
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

  private func make(
    _ account: AccountNumber, _ confidence: DiagnosisConfidence, _ sentence: String, _ deciding: DiagnosisEvidence,
    _ others: [DiagnosisEvidence], next: String
  ) -> Problem {
    Problem(
      .policyNotApplied, confidence, of: account.description, sentence, evidence: deciding, others, next: next,
      command: "explain JOURNAL 'managed(\(account))' --when")
  }

  /// Whether the administrator, not the app, must act.
  fileprivate static func isAdministrators(_ code: EnrollmentStatusCode) -> Bool {
    switch code {
    case .accountNotLicensed, .licensedNotTargeted, .loginCanceled, .noPolicyReceived: true
    default: false
    }
  }
}

extension PolicyNotAppliedRule.Record {
  /// What stays of what was known before the service enrolled the account.
  private init(answering earlier: Self) {
    self.init()
    (registered, request, policy) = (earlier.registered, earlier.request, earlier.policy)
    (wasSet, wasRefused) = (earlier.wasSet, earlier.wasRefused)
    (setOnThread, signedIn) = (earlier.setOnThread, earlier.signedIn)
    (update, launches, lack) = (earlier.update, earlier.launches, earlier.lack)
  }

  /// What an account that is removed and added again brings with it.
  fileprivate var lastRefusal: (refusal: PolicyNotAppliedRule.Refusal, count: Int)? {
    refusal.map { ($0, refusals) } ?? former
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

  /// A policy arrived.
  fileprivate mutating func receive(_ context: EventContext, isFirst: Bool) {
    answer()
    lack = nil
    guard isFirst else { return }
    launches = 0
    (policy, wasSet, wasRefused, setOnThread, update) = (context, false, false, nil, nil)
  }
}
