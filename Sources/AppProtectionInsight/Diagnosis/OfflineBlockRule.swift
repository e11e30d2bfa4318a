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
    let trail: ContactTrail
    let limit: PolicyDuration?
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
    /// The event that ended it; `nil` while it lasts.
    var end: EventContext? { ending?.event }

    /// Whether the user was kept out.
    var counts: Bool {
      guard let end else { return true }
      return isRefused
        || end.moment.wallNanoseconds > block.moment.wallNanoseconds.advancedClamping(by: OfflineBlockRule.brevity)
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
    EnrollmentSucceeded.self, CheckInUnchanged.self, CheckInFailed.self, PolicyReceived.self, PolicyWithdrawn.self,
    WipeRequested.self, LaunchEvaluated.self,
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
      if !event.awaitsCheckIn {
        current[event.account]?.isRefused = true
        if current[event.account]?.felt == nil { current[event.account]?.felt = context }
      }
      guard current[event.account] == nil, let trail = notes.contacts[event.account] else { return }
      let policy = after.policies[event.account]
      let last = after.launch.accounts[event.account]?.checkedInAt
      current[event.account] = Episode(
        block: context, trail: trail, limit: policy?.document.conditionalLaunch.periodOfflineBeforeAccessCheck,
        policy: policy?.receivedBy ?? 0,
        silence: last.map { after.launch.clock.elapsed(at: context.moment).distanceClamping(from: $0) } ?? 0,
        shortening: shortenings[event.account], isRefused: !event.awaitsCheckIn,
        felt: event.awaitsCheckIn ? nil : context)
    case .checkInFailed(let event):
      if current[event.account] != nil, current[event.account]?.felt == nil { current[event.account]?.felt = context }
    case .checkInUnchanged(let event): finish(event.account, .recovered, context)
    case .enrollmentSucceeded(let event): finish(event.account, .recovered, context)
    case .policyReceived(let event):
      finish(event.account, .recovered, context)
      compare(before.policies[event.account]?.document, event, context)
    case .policyWithdrawn(let event):
      finish(event.account, .recovered, context)
      shortenings[event.account] = nil
    case .wipeRequested(let event): finish(event.account, .wiped, context)
    default: break
    }
  }

  private mutating func finish(
    _ account: AccountNumber, _ kind: DiagnosisEnding.Kind, _ context: EventContext
  ) {
    guard var episode = current[account] else { return }
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
          block: last, isSeen: false, trail: trail,
          limit: record.document.conditionalLaunch.periodOfflineBeforeAccessCheck,
          policy: record.receivedBy,
          silence: state.launch.clock.elapsed(at: last.moment).distanceClamping(from: checkedInAt),
          shortening: shortenings[account], isRefused: true, felt: last), notes)
    }
  }

  private func problem(_ account: AccountNumber, _ episode: Episode, _ notes: HistoryNotes) -> Problem {
    let limit = episode.limit
    // What came after the block belongs to the same silence while it lasts.
    let trail = episode.end == nil ? notes.contacts[account] ?? episode.trail : episode.trail
    let block =
      episode.isSeen
      ? DiagnosisEvidence(episode.block, "access is blocked")
      : DiagnosisEvidence(nil, "no launch condition was evaluated since, which would block access")
    let felt = episode.felt?.sequence
    var evidence = trail.evidence(before: episode.end?.sequence ?? .max, feltAt: felt ?? .max)
    let isPolicyShort = limit.map { $0.nanoseconds > 0 && $0.nanoseconds < RetrySchedule.minute * 30 } ?? false
    let shortening = episode.shortening.flatMap { episode.silence < $0.earlier.nanoseconds ? $0 : nil }
    if isPolicyShort {
      evidence.insert(DiagnosisEvidence(episode.policy, "the policy allows \(limit?.text ?? "") offline"), at: 0)
    }
    if let shortening {
      let text = "the policy allows \(limit?.text ?? "") offline, and allowed \(shortening.earlier.text) before"
      evidence.insert(DiagnosisEvidence(shortening.event, text), at: 0)
    }
    var earlier = blocks[account].flatMap { $0.limit == limit ? $0.sightings : nil } ?? Occurrences()
    if episode.end == nil && episode.isSeen { earlier.add(episode.block) }
    let repetition =
      earlier.count > 1 ? "; it is block number \(earlier.count) since event \(earlier.first?.sequence ?? 0)" : ""
    let isWiped = episode.ending?.kind == .wiped
    var problem = Problem(
      .offlineBlock, trail.firstFailure == nil ? .likely : .certain, of: account.description,
      (episode.end.map {
        "\(account) was blocked from event \(episode.block.sequence) to event \($0.sequence)\(isWiped ? ", when it was wiped" : ""), "
          + "because no check-in had completed "
      }
        ?? "\(account) is blocked at \(episode.isSeen ? "event \(episode.block.sequence)" : "the end"), because no check-in has completed ")
        + "for \(limit?.text ?? "the time that its policy allows")\(Self.reason(trail, isOver: episode.end != nil))\(repetition)",
      evidence: episode.isSeen ? block : evidence.first ?? block, evidence + (episode.isSeen ? [] : [block]),
      next: shortening != nil
        ? "look at whether the app is often offline for longer than the policy now allows"
        : isPolicyShort
          ? "allow more than 30 minutes offline in the policy: check-ins are half an hour apart"
          : trail.firstAnswer.map { StatusAdvice.next(after: $0.code) }
            ?? "connect the device to the service and open the app, so that a check-in completes",
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
    problem.restsOnAbsence = true
    return problem
  }

  private static func reason(_ trail: ContactTrail, isOver: Bool) -> String {
    if let failure = trail.firstFailure {
      let failing = "\(trail.failures.count.counted("request")) failed"
      return "; \(failing) since event \(failure.event.sequence), first with \(trail.failures.codes)"
    }
    if let request = trail.request {
      return "; the request of event \(request.sequence) \(isOver ? "had" : "has") no answer"
    }
    return ", and none was tried since event \(trail.completed?.sequence ?? 0)"
  }
}
