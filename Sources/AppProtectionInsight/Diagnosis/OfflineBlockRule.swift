import AppProtection
import EventSourcing
import PlainText

/// Access is blocked because no check-in has completed for the interval that the policy allows.
struct OfflineBlockRule: ProblemRule {
  /// How long the check-in that is tried in silence may take.
  private static let brevity = 5 * RetrySchedule.minute

  /// A stretch during which the account was blocked.
  private struct Episode: Sendable {
    /// The first evaluation that found it so; the last event where none did.
    let block: EventContext
    var isSeen = true
    /// The account's contact with the service, up to the end of the stretch.
    var trail: ContactTrail
    /// What kept the check-ins from completing when the user was kept out.
    var decisive: ContactTrail.Failure?
    let limit: PolicyDuration?
    /// The first evaluation that found the data due to be wiped, and the interval after which it is.
    var removal: (event: EventContext, limit: PolicyDuration?)?
    let policy: UInt64
    /// How long no check-in had completed, by the clock that never goes back.
    let silence: Int64
    /// The policy that shortened the interval so that this silence was too long, and what it allowed before.
    var shortening: (event: EventContext, earlier: PolicyDuration)?
    /// Whether access was refused, and not only withheld until a check-in in silence had ended.
    var isRefused: Bool
    /// The event with which the user was kept out: the refusal, or the failure of the check-in in silence.
    var felt: EventContext?
    var ending: DiagnosisEnding?
    /// The request that was answered at last, if none had been tried before.
    var answered: EventContext?
    /// The event that ended it; `nil` while it lasts.
    var end: EventContext? { ending?.event }

    /// Whether the user was kept out.
    var counts: Bool {
      guard let end else { return true }
      return isRefused
        || end.moment.wallNanoseconds > block.moment.wallNanoseconds.advancedClamping(by: OfflineBlockRule.brevity)
    }

    /// The account's contact with the service goes on.
    mutating func follow(_ trail: ContactTrail?) {
      guard let trail else { return }
      self.trail = trail
      if felt == nil { decisive = trail.cause }
    }
  }

  private var current = PerAccount<Episode>()
  private var latest = PerAccount<Episode>()
  private var episodes = PerAccount<Episodes>()
  /// The last policy that shortened an account's interval, and what the one before allowed, unless its silences had been
  /// too long for that one, too.
  private var shortenings = PerAccount<(event: EventContext, earlier: PolicyDuration)>()
  /// The blocks that counted, under the last interval that led to one.
  private var blocks = PerAccount<(limit: PolicyDuration?, sightings: Occurrences)>()

  static let events: [any EventPayload.Type] = [
    EnrollmentRequested.self, EnrollmentSucceeded.self, EnrollmentFailed.self, CheckInRequested.self,
    CheckInUnchanged.self, CheckInFailed.self, TokenAcquired.self,
    PolicyReceived.self, PolicyWithdrawn.self, WipeRequested.self, LaunchEvaluated.self,
  ]

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .launchEvaluated(let event):
      // Another condition may decide before this one, which is not met either.
      guard event.findings.contains(where: { $0.rule == .offlineAccess || $0.rule == .offlineWipe }) else {
        return finish(event.account, .recovered, context)
      }
      if current[event.account] == nil, let trail = notes.contacts[event.account] {
        let policy = after.policies[event.account]
        let last = after.launch.accounts[event.account]?.checkedInAt
        current[event.account] = Episode(
          block: context, trail: trail, decisive: trail.cause,
          limit: policy?.document.conditionalLaunch.periodOfflineBeforeAccessCheck, policy: policy?.receivedBy ?? 0,
          silence: last.map { after.launch.clock.elapsed(at: context.moment).distanceClamping(from: $0) } ?? 0,
          shortening: shortenings[event.account], isRefused: false)
      }
      if event.rule == .offlineWipe, current[event.account]?.removal == nil {
        let limit = after.policies[event.account]?.document.conditionalLaunch.periodOfflineBeforeWipeIsEnforced
        current[event.account]?.removal = (context, limit)
      }
      guard !event.awaitsCheckIn else { break }
      current[event.account]?.isRefused = true
      if current[event.account]?.felt == nil { current[event.account]?.felt = context }
    // An enrollment that has lapsed is asked for again.
    case .enrollmentRequested(let event): current[event.account]?.follow(notes.contacts[event.account])
    case .enrollmentFailed(let event): current[event.account]?.follow(notes.contacts[event.account])
    case .checkInRequested(let event): current[event.account]?.follow(notes.contacts[event.account])
    case .tokenAcquired(let event): current[event.account]?.follow(notes.contacts[event.account])
    case .checkInFailed(let event):
      current[event.account]?.follow(notes.contacts[event.account])
      if current[event.account] != nil, current[event.account]?.felt == nil { current[event.account]?.felt = context }
    case .checkInUnchanged(let event): finish(event.account, .recovered, context)
    case .enrollmentSucceeded(let event): finish(event.account, .recovered, context)
    case .policyReceived(let event):
      finish(event.account, .recovered, context)
      compare(before.policies[event.account]?.document, event, context)
    case .policyWithdrawn(let event):
      let kind: DiagnosisEnding.Kind =
        switch event.reason {
        case .unenrolled: .abandoned
        case .untargeted: .recovered
        case .recordGone: .replaced
        }
      finish(event.account, kind, context)
      shortenings[event.account] = nil
    case .wipeRequested(let event): finish(event.account, .wiped, context)
    default: break
    }
  }

  private mutating func finish(
    _ account: AccountNumber, _ kind: DiagnosisEnding.Kind, _ context: EventContext
  ) {
    guard var episode = current[account] else { return }
    if kind != .abandoned { episode.answered = episode.trail.takeRequest() }
    episode.ending = DiagnosisEnding(kind, at: context)
    current[account] = nil
    guard episode.counts else { return }
    latest[account] = episode
    episodes[account, default: Episodes()].see(episode.block)
    episodes[account]?.end(kind, at: context)
    var sightings = blocks[account].flatMap { $0.limit == episode.limit ? $0.sightings : nil } ?? Occurrences()
    sightings.add(episode.block)
    blocks[account] = (episode.limit, sightings)
  }

  /// Whether a policy shortens the interval of an account that was never blocked under the one before.
  private mutating func compare(_ earlier: PolicyDocument?, _ event: PolicyReceived, _ context: EventContext) {
    let interval = earlier?.conditionalLaunch.periodOfflineBeforeAccessCheck
    let next = event.document.conditionalLaunch.periodOfflineBeforeAccessCheck
    guard interval != next else { return }
    shortenings[event.account] = nil
    let wasBlocked = blocks[event.account].map { $0.limit == interval } ?? false
    guard let interval, let next, next.nanoseconds < interval.nanoseconds, !wasBlocked else { return }
    shortenings[event.account] = (context, interval)
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    // A check-in that is tried in silence may still lift the block.
    let open =
      current.inOrder.filter { _, episode in
        episode.isRefused || notes.processes.isLate(since: episode.block, at: last, after: Self.brevity)
      }.map { account, episode in problem(account, episode, notes) } + unseen(state, last, notes)
    let over = latest.inOrder.filter { current[$0.account] == nil }.map { account, episode in
      var problem = problem(account, episode, notes)
      // Who complains about it does so soon.
      let isRecurrent = episodes[account]?.isRecurrent ?? false
      if let end = episode.end, last.elapsed(since: end) >= RetrySchedule.day, !isRecurrent { problem.severity = .note }
      return problem
    }
    return open + over
  }

  /// The accounts that are blocked at the end, although no launch condition was evaluated since.
  private func unseen(_ state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    state.policies.records.compactMap { record in
      let account = record.account
      guard current[account] == nil, let trail = notes.contacts[account], trail.firstFailure != nil,
        state.accounts[account]?.enrollment.status.isEnrolled == true,
        state.offlineDecision(for: account, at: last.moment).outcome != .open,
        let checkedInAt = state.launch.accounts[account]?.checkedInAt
      else { return nil }
      return problem(
        account,
        Episode(
          block: last, isSeen: false, trail: trail, decisive: trail.cause,
          limit: record.document.conditionalLaunch.periodOfflineBeforeAccessCheck,
          policy: record.receivedBy,
          silence: state.launch.clock.elapsed(at: last.moment).distanceClamping(from: checkedInAt),
          shortening: shortenings[account], isRefused: true, felt: last), notes)
    }
  }

  private func problem(_ account: AccountNumber, _ episode: Episode, _ notes: HistoryNotes) -> Problem {
    let (limit, trail) = (episode.limit, episode.trail)
    let block =
      episode.isSeen
      ? DiagnosisEvidence(episode.block, "access is blocked")
      : DiagnosisEvidence(nil, "no launch condition was evaluated since, which would block access")
    var evidence = trail.evidence(before: episode.end?.sequence ?? .max, decidedBy: episode.decisive)
    let isPolicyShort = limit.map { $0.nanoseconds > 0 && $0.nanoseconds < RetrySchedule.minute * 30 } ?? false
    let shortening = episode.shortening.flatMap { episode.silence < $0.earlier.nanoseconds ? $0 : nil }
    if isPolicyShort {
      evidence.insert(DiagnosisEvidence(episode.policy, "the policy allows \(limit?.text ?? "") offline"), at: 0)
    }
    if let shortening {
      let text = "the policy allows \(limit?.text ?? "") offline, and allowed \(shortening.earlier.text) before"
      evidence.insert(DiagnosisEvidence(shortening.event, text), at: 0)
    }
    if let removal = episode.removal, removal.event != episode.block {
      evidence.append(DiagnosisEvidence(removal.event, "the data is due to be wiped"))
    }
    var earlier = blocks[account].flatMap { $0.limit == limit ? $0.sightings : nil } ?? Occurrences()
    if episode.end == nil && episode.isSeen { earlier.add(episode.block) }
    let repetition =
      earlier.count > 1 ? "; it is block number \(earlier.count) since event \(earlier.first?.sequence ?? 0)" : ""
    var problem = Problem(
      .offlineBlock, trail.firstFailure == nil ? .likely : .certain, of: account.description,
      Self.sentence(account, episode) + repetition,
      evidence: episode.isSeen ? block : evidence.first ?? block, evidence + (episode.isSeen ? [] : [block]),
      next: shortening != nil
        ? "look at whether the app is often offline for longer than the policy now allows"
        : isPolicyShort
          ? "allow more than 30 minutes offline in the policy: check-ins are half an hour apart"
          : trail.firstAnswer == nil
            ? "connect the device to the service and open the app, so that a check-in completes" : trail.next,
      command: "explain JOURNAL 'offline(\(account))' --when")
    if let ending = episode.ending {
      problem.end(ending.kind, at: ending.event)
      problem.severity = .warning
    }
    var all = episodes[account] ?? Episodes()
    if episode.ending == nil { all.see(episode.block) }
    problem.show(all)
    if let jump = episode.trail.jump, let limit,
      episode.silence.distanceClamping(from: jump.nanoseconds) < limit.nanoseconds
    {
      problem.causes = [jump.sequence]
    }
    // What the service answered to the check-in in silence came after the interval was over.
    let found = episode.block.sequence
    (problem.began, problem.felt) = (evidence.compactMap(\.sequence).first { $0 <= found }, found)
    // Once the refusal that led to it holds no longer, it is what keeps the account blocked since then that it follows from.
    if episode.end == nil, let first = episode.decisive, first.code.saysSomethingAboutAccount, let cause = trail.cause,
      cause != first
    {
      problem.felt = max(found, cause.event.sequence)
    }
    problem.restsOnAbsence = true
    return problem
  }

  private static func sentence(_ account: AccountNumber, _ episode: Episode) -> String {
    let block = "event \(episode.block.sequence)"
    let isOver = episode.end != nil
    let (was, had, signs) = isOver ? ("was", "had", "signed") : ("is", "has", "signs")
    let removal = episode.ending?.kind == .wiped ? nil : episode.removal
    let wipe = "its data \(was) to be wiped unless its user \(signs) in"
    // The longer interval says more, where both are over from the beginning.
    let limit = removal?.event == episode.block ? removal?.limit : episode.limit
    let span =
      if let ending = episode.ending {
        "was blocked from \(block) to event \(ending.event.sequence)\(ending.kind == .wiped ? ", when it was wiped" : "")"
      } else {
        "is blocked at \(episode.isSeen ? block : "the end")"
      }
    let later = removal.flatMap { removal in
      removal.event == episode.block
        ? nil
        : "; from event \(removal.event.sequence) on, \(wipe), because none \(had) completed for "
          + (removal.limit?.text ?? "longer")
    }
    return
      "\(account) \(span)\(removal?.event == episode.block ? ", and \(wipe)" : ""), because no check-in \(had) completed "
      + "for \(limit?.text ?? "the time that its policy allows")\(reason(episode))\(later ?? "")"
  }

  private static func reason(_ episode: Episode) -> String {
    let trail = episode.trail
    if let failure = trail.firstFailure {
      let failing = "\(trail.failures.count.counted("request")) failed"
      return "; \(failing) since event \(failure.event.sequence), first with \(trail.failures.codes)"
    }
    if let request = trail.request {
      return "; the request of event \(request.sequence) \(episode.end != nil ? "had" : "has") no answer"
    }
    let completed = trail.completed?.sequence ?? 0
    return episode.answered.map { ", and none was tried from event \(completed) to event \($0.sequence)" }
      ?? ", and none was tried since event \(completed)"
  }
}
