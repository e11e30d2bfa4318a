import AppProtection
import EventSourcing

/// An account's data was wiped: by whose order, and because of what.
struct UnexpectedWipeRule: ProblemRule {
  /// What led to a wipe, as it was when the wipe was ordered.
  private struct Wipe: Sendable {
    let event: EventContext
    let request: WipeRequested
    /// The launch condition that was not met.
    var rule: LaunchRule?
    let deciding: DiagnosisEvidence
    var others: [DiagnosisEvidence]
    let words: String
    let next: String
    /// The orders for the same reason, one soon after another; the first one decides.
    var orders = Occurrences()
    /// The end of the latest of them.
    var completed: EventContext?
    /// Whether it was wanted, so that it does no more harm than it was meant to: by the administrator, or the user who chose
    /// another account.
    var isWanted = false
    var causes: [UInt64] = []
    /// What brought it about, where that is not the deciding event.
    var began: UInt64?
    var severity = DiagnosisSeverity.critical
    /// Whether it follows from nothing that the history shows: an order of the administrator, or of the app alone.
    var isOwnCause = false

    var cause: Cause { Cause(reason: request.reason, origin: request.origin, rule: rule) }
  }

  /// What wipes have in common that count together.
  private struct Cause: Equatable, Sendable {
    let reason: WipeReason
    let origin: WipeOrigin
    let rule: LaunchRule?
  }

  /// The most causes of one account that are remembered: the latest ones.
  private static let maximumKept = 8

  private var wipes = PerAccount<Wipe>()
  /// The wipes of every account for each cause.
  private var episodes = PerAccount<[(cause: Cause, episodes: Episodes)]>()
  /// The first enrollment after the last wipe, and the processes of the app since.
  private var returns = PerAccount<(event: EventContext, launches: Int)>()
  private var unenrollments = PerAccount<EventContext>()
  private var evaluations = PerAccount<(event: EventContext, evaluation: LaunchEvaluated)>()
  private var answers = PerAccount<EventContext>()
  private var refusals = PerAccount<EventContext>()
  /// The last change of which accounts device management allows, and the demand to remove an account that followed from it.
  private var restriction: EventContext?
  private var removals = PerAccount<(restriction: EventContext?, demand: EventContext)>()

  static let events: [any EventPayload.Type] = [
    AllowedAccountsChanged.self, ManagedDeviceAccountChanged.self, AccountRemovalRequired.self,
    AccountSwitchAnswered.self, CheckInUnchanged.self, EnrollmentSucceeded.self, UnenrollmentRequested.self,
    WipeRequested.self, WipeCompleted.self, LaunchEvaluated.self, LaunchCanceled.self, ProcessStarted.self,
  ]

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .unenrollmentRequested(let event): unenrollments[event.account] = event.wipe ? context : nil
    case .launchEvaluated(let event): evaluations[event.account] = (context, event)
    case .accountSwitchAnswered(let event): answers[event.existing] = context
    case .launchCanceled(let event): refusals[event.account] = context
    case .allowedAccountsChanged, .managedDeviceAccountChanged: restriction = context
    case .accountRemovalRequired(let event):
      let cause = event.code == before.settings.app.assumptions.unlistedAccountCode ? restriction : nil
      removals[event.account] = (cause, context)
    case .checkInUnchanged(let event): refusals[event.account] = nil
    case .enrollmentSucceeded(let event):
      if wipes[event.account] != nil, returns[event.account] == nil { returns[event.account] = (context, 0) }
    case .processStarted(let event): if !event.isExtension { returns.updateAll { $0.launches += 1 } }
    case .wipeRequested(let event):
      returns[event.account] = nil
      record(wipe(event, context, before, notes), of: event.account, context)
    case .wipeCompleted(let event): wipes[event.account]?.completed = context
    default: break
    }
  }

  /// Records a wipe. One that comes soon after another for the same reason is decided by what decided that one.
  private mutating func record(_ new: Wipe, of account: AccountNumber, _ context: EventContext) {
    var wipe = new
    var episodes = episodes(of: new, account)
    episodes.see(context)
    episodes.end(.wiped, at: context)
    let others = self.episodes[account, default: []].filter { $0.cause != new.cause }
    self.episodes[account] = others.suffix(Self.maximumKept - 1) + [(new.cause, episodes)]
    if let earlier = wipes[account], earlier.cause == new.cause, let last = earlier.orders.last,
      context.elapsed(since: last) <= Episodes.sight
    {
      // A launch condition knows by itself whether it is the same.
      if new.request.reason != .conditionalLaunch { wipe = earlier }
      (wipe.orders, wipe.severity, wipe.completed) = (earlier.orders, new.severity, nil)
    }
    wipe.orders.add(context)
    wipes[account] = wipe
  }

  /// The wipes of an account for the same cause.
  private func episodes(of wipe: Wipe, _ account: AccountNumber) -> Episodes {
    episodes[account]?.first { $0.cause == wipe.cause }?.episodes ?? Episodes()
  }

  private func wipe(
    _ request: WipeRequested, _ context: EventContext, _ state: AppProtectionState, _ notes: HistoryNotes
  ) -> Wipe {
    let account = request.account
    let order = DiagnosisEvidence(context, "the wipe is ordered")
    switch request.reason {
    case .offlineInterval: return offline(request, context, order, state, notes)
    case .conditionalLaunch: return condition(request, context, order, notes)
    case .accountSwitch:
      let answer = answers[account].map { DiagnosisEvidence($0, "the user keeps the other account") }
      var wipe = Wipe(
        event: context, request: request, deciding: answer ?? order, others: [order],
        words: "another managed account took its place", next: "tell the user that only one account can be managed here"
      )
      (wipe.severity, wipe.isWanted) = (.warning, true)
      return wipe
    default: break
    }
    if request.origin == .app {
      let call = unenrollments[account].map { DiagnosisEvidence($0, "the app deregisters it, with a wipe") }
      var wipe = Wipe(
        event: context, request: request, deciding: call ?? order, others: [order],
        words: "the app itself asked for it (\(request.reason.rawValue))",
        next: "look at what the app does before it asks for a wipe")
      wipe.isOwnCause = true
      if let process = notes.handover {
        wipe = Wipe(
          event: context, request: request, deciding: order, others: [],
          words:
            "another process of the app, such as an extension, handed the command over (\(request.reason.rawValue))",
          next: "look at what process \(process) does: the metadata of the event may name it")
        wipe.isOwnCause = true
      }
      if let removal = removals[account], state.accounts[account]?.removalCode != nil {
        let demand = DiagnosisEvidence(removal.demand, "the app must remove the account")
        let cause = removal.restriction.map {
          DiagnosisEvidence($0, "device management restricts which accounts are allowed")
        }
        wipe = Wipe(
          event: context, request: request, deciding: cause ?? demand,
          others: [demand] + [call, order].compactMap { $0 },
          words: "the app removed it as demanded (\(request.reason.rawValue))",
          next: "look at why the account had to be removed: what device management allows, or the service refuses")
      }
      // The app wanted it; where it went wrong, another family says so. One that wipes again and again does harm.
      let count = episodes(of: wipe, account).sightings + 1
      wipe.severity = count >= Episodes.many.episodes ? .critical : .note
      return wipe
    }
    let contact = notes.contacts[account]
    let question = contact?.request.map { [DiagnosisEvidence($0, "the check-in whose answer is the wipe")] }
    var wipe = Wipe(
      event: context, request: request, deciding: order, others: question ?? [],
      words: request.origin == .service
        ? "the administrator or the service ordered it (102, reason \(request.reason.rawValue))"
        : "the engine ordered it (reason \(request.reason.rawValue), which is not published)",
      next: "ask the administrator for the wipe request, which is kept in the service")
    (wipe.severity, wipe.isWanted) = (.warning, true)
    wipe.isOwnCause = true
    return wipe
  }

  /// 608: no check-in completed for the time that the policy allows.
  private func offline(
    _ request: WipeRequested, _ context: EventContext, _ order: DiagnosisEvidence, _ state: AppProtectionState,
    _ notes: HistoryNotes
  ) -> Wipe {
    let account = request.account
    let trail = notes.contacts[account] ?? ContactTrail()
    let policy = state.policies[account]
    let conditions = policy?.document.conditionalLaunch
    let limit = conditions?.periodOfflineBeforeWipeIsEnforced
    var evidence = trail.evidence(before: context.sequence, decidedBy: trail.cause)
    // The check-in that was to prevent the wipe is its last step, unless it was the only one that was tried.
    let contact = trail.completed?.sequence ?? 0
    if let refusal = refusals[account], refusal.sequence > contact {
      evidence.append(DiagnosisEvidence(refusal, "the user does not sign in when asked to"))
    }
    var deciding = order
    if let (event, evaluation) = evaluations[account], event.sequence > contact,
      evaluation.rule == .offlineAccess || evaluation.rule == .offlineWipe
    {
      let found = DiagnosisEvidence(event, "the offline interval is found to be over")
      if evaluation.outcome == .wipe { deciding = found } else { evidence.append(found) }
    }
    var wipe = Wipe(
      event: context, request: request, deciding: deciding, others: evidence + [order],
      words: "no check-in had completed for \(limit?.text ?? "the time that its policy allows") (608)",
      next: "find out why the service was not reached; data that was not uploaded is lost")
    wipe.began = evidence.first?.sequence
    if let jump = trail.jump, let limit, let last = state.launch.accounts[account]?.checkedInAt,
      state.launch.clock.elapsed(at: context.moment).distanceClamping(from: last)
        .distanceClamping(from: jump.nanoseconds) < limit.nanoseconds
    {
      wipe.causes = [jump.sequence]
    }
    if let policy, let limit, let access = conditions?.periodOfflineBeforeAccessCheck, limit.nanoseconds > 0,
      access.nanoseconds >= limit.nanoseconds
    {
      wipe.causes.append(policy.receivedBy)
    }
    return wipe
  }

  /// A launch condition whose action is to wipe.
  private func condition(
    _ request: WipeRequested, _ context: EventContext, _ order: DiagnosisEvidence, _ notes: HistoryNotes
  ) -> Wipe {
    let account = request.account
    let found = evaluations[account]
    let rule = found?.evaluation.rule ?? .met
    let evaluation = found.map { DiagnosisEvidence($0.event, "\(rule.id): \(rule.statement)") }
    let comparison = found?.evaluation.findings.first { $0.rule == rule }?.comparison
    // Its setting is what to do, not a limit beside the fact.
    let limit = rule == .accountDisabled ? "" : comparison?.settingValue ?? ""
    let values =
      comparison.map { limit.isEmpty || $0.factValue.isEmpty ? "" : " (\($0.factValue) beside \(limit))" } ?? ""
    let decision = notes.decision(of: account, wipedBy: context)
    var wipe = Wipe(
      event: context, request: request, deciding: decision?.deciding ?? evaluation ?? order,
      others: (decision?.others ?? []) + [evaluation, order].compactMap { $0 },
      words: "\(rule.pastStatement)\(values), and its policy demanded a wipe then",
      next: "compare the policy's conditions with the device and the app")
    (wipe.rule, wipe.began) = (rule, decision?.began)
    return wipe
  }

  /// Whether nothing keeps a wiped account from coming back, and it has not.
  private func isMet(_ wipe: Wipe, _ account: AccountNumber, _ notes: HistoryNotes) -> Bool {
    returns[account] == nil && wipe.orders.last.flatMap { notes.isMetSince($0, of: account) } == true
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    wipes.inOrder.map { account, wipe in
      let episodes = episodes(of: wipe, account)
      let count = episodes.sightings
      let isOpen = state.wipes[account].map { $0.phase != .completed } ?? false
      var problem = Problem(
        .unexpectedWipe, of: account.description,
        "the data of \(account) \(isOpen ? "is being" : "was") wiped, because \(wipe.words)"
          + (count > 1
            ? "; it was wiped \(count) times since event \(episodes.first?.sequence ?? 0)\(episodes.pattern)" : ""),
        evidence: wipe.deciding, wipe.others + wipe.orders.evidence("the wipe is ordered"),
        next: isMet(wipe, account, notes)
          ? "let the user sign in and enroll again: the condition is met now" : wipe.next,
        command: "show JOURNAL \(wipe.event.sequence)")
      problem.severity = wipe.severity
      (problem.causes, problem.isOwnCause) = (wipe.causes, wipe.isOwnCause)
      problem.show(episodes.kept, of: episodes.count)
      (problem.began, problem.felt) = (wipe.began, (isOpen ? wipe.orders.last : nil)?.sequence ?? wipe.event.sequence)
      // One that comes again and again is not over because the account is back.
      if let (event, launches) = returns[account], count < Episodes.many.episodes || launches > 3 {
        problem.end(.recovered, at: event)
      } else if wipe.isWanted, wipe.orders.count == 1, let completed = wipe.completed,
        state.accounts[account]?.enrollment.status.isRegistered != true
      {
        // The account does not come back.
        problem.end(.wiped, at: completed)
      } else if !isOpen, let order = wipe.orders.last, Episodes.isOutOfSight(order, at: last) {
        problem.end(.outOfSight, at: order)
      }
      if problem.isOver, wipe.isWanted, wipe.orders.count == 1, wipe.request.reason != .accountSwitch {
        problem.severity = .note
      }
      return problem
    }
  }
}
