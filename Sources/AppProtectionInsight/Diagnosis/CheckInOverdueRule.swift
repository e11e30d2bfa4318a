import AppProtection
import EventSourcing
import PlainText

/// An enrolled account for which no check-in completes although one is due, or completed late because the app was not open.
struct CheckInOverdueRule: ProblemRule {
  /// How long an answer, or a request that is due, may take.
  private static let patience = 5 * RetrySchedule.minute
  /// How long the app must have been closed for a late change to be worth a note.
  private static let absence = 3 * RetrySchedule.day

  /// A change that came late, because the app was not open.
  private struct Delay: Sendable {
    let contact: EventContext
    let change: EventContext
    let words: String
    /// The processes in between that ended without a completed check-in.
    let launches: Int
  }

  private var delays = PerAccount<Delay>()
  private var latePolicies = LatePolicies()
  private var contacts = PerAccount<(last: EventContext, failures: Int, launches: Int)>()
  private var process: EventContext?

  static let events: [any EventPayload.Type] = [ProcessEnded.self] + LatePolicies.events

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    latePolicies.observe(event, context, before: before, after: after, notes)
    switch event {
    case .processStarted(let event):
      guard !event.isExtension else { break }
      process = context
      contacts.updateAll { $0.launches += 1 }
    case .processEnded: process = nil
    case .policyReceived(let event):
      if before.policies[event.account] != nil { recordDelay(of: event.account, context, "another policy", notes) }
      contacts[event.account] = (context, 0, 0)
    case .policyWithdrawn(let event):
      if event.reason == .untargeted { recordDelay(of: event.account, context, "the end of its policy", notes) }
      contacts[event.account] = (context, 0, 0)
    case .wipeRequested(let event):
      if event.origin == .service { recordDelay(of: event.account, context, "the order of a wipe", notes) }
    case .enrollmentSucceeded(let event): contacts[event.account] = (context, 0, 0)
    case .checkInUnchanged(let event): contacts[event.account] = (context, 0, 0)
    case .checkInFailed(let event): contacts[event.account]?.failures += 1
    default: break
    }
  }

  /// Records a change that a check-in brought after the app was closed for long.
  private mutating func recordDelay(
    of account: AccountNumber, _ context: EventContext, _ words: String, _ notes: HistoryNotes
  ) {
    guard let contact = contacts[account], contact.failures == 0, let process, process.sequence > contact.last.sequence,
      notes.facts.clock.elapsed(from: contact.last, to: process) >= Self.absence
    else { return }
    delays[account] = Delay(
      contact: contact.last, change: context, words: words, launches: max(contact.launches - 1, 0))
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    let overdue = state.accounts.records.compactMap { account in
      notes.contacts[account.account].flatMap { self.overdue(account, $0, state, last, notes) }
    }
    let over =
      notes.contacts.inOrder.compactMap { account, trail in
        trail.silence.flatMap {
          latePolicies.reports(account, endedBy: $0.ending.event) ? nil : silent(account, $0, notes)
        }
      } + latePolicies.problems(notes)
    return overdue + over + delays.inOrder.map { account, delay in late(account, delay, notes) }
  }

  /// Requests that failed for days, until one succeeded or the account left.
  private func silent(_ account: AccountNumber, _ silence: ContactTrail.Silence, _ notes: HistoryNotes) -> Problem {
    let (failures, end) = (silence.failures, silence.ending.event)
    let first = failures.first ?? silence.decisive.event
    let length = SpanWords.words(notes.facts.clock.elapsed(from: silence.completed, to: end))
    var problem = Problem(
      .checkInOverdue, of: account.description,
      "no check-in of \(account) completed for \(length), from event \(silence.completed.sequence) to event "
        + "\(end.sequence): \(failures.count.counted("request")) failed since event \(first.sequence), first with "
        + failures.codes,
      evidence: DiagnosisEvidence(
        silence.decisive.event, "a request to the service fails: \(silence.decisive.code.words)"),
      failures.evidence { "a request to the service fails: \($0.words)" },
      next: ContactTrail.next(after: silence.decisive.code),
      command: "log JOURNAL --account \(account) --type 'checkIn.*' \(silence.completed.sequence)..\(end.sequence)")
    problem.end(silence.ending.kind, at: end)
    (problem.severity, problem.harm) = (.note, .irregular)
    return problem
  }

  private func overdue(
    _ account: Account, _ trail: ContactTrail, _ state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes
  ) -> Problem? {
    let number = account.account
    guard account.enrollment.status.isEnrolled, let completed = trail.completed,
      let checkedInAt = state.launch.accounts[number]?.checkedInAt
    else { return nil }
    let silence = state.launch.clock.elapsed(at: last.moment).distanceClamping(from: checkedInAt)
    guard silence > trail.grace else { return nil }
    var evidence = trail.evidence(before: .max, decidedBy: trail.decisive)
    let reason: String
    if let failure = trail.firstFailure {
      reason =
        "\(trail.failures.count.counted("request")) failed since event "
        + "\(failure.event.sequence), first with \(trail.failures.codes)"
    } else if trail.idleLaunches.count > 1 {
      // It is overdue since long before it was asked for, if it was: the app was open for too short a time.
      reason = "the app was opened \(trail.idleLaunches.times) without asking for one"
      evidence = [DiagnosisEvidence(completed, "the last completed check-in")]
      evidence += trail.idleLaunches.evidence("the app starts, and no check-in is asked for")
      if let request = trail.request { evidence.append(DiagnosisEvidence(request, "the service is asked")) }
      evidence.append(DiagnosisEvidence(nil, "no check-in has completed since"))
    } else if let request = trail.request {
      let length = notes.facts.clock.elapsed(from: request, to: last)
      guard length >= Self.patience else { return nil }
      reason = "the request of event \(request.sequence) has no answer"
      evidence.append(DiagnosisEvidence(nil, "no answer has come for \(SpanWords.words(length))"))
    } else {
      // Timers run only while the app does.
      guard let process, last.elapsed(since: process) >= Self.patience, state.process.isRunning else { return nil }
      reason = "the service was not asked since"
      evidence.append(DiagnosisEvidence(nil, "no check-in was asked for"))
    }
    guard !evidence.isEmpty else { return nil }
    let isBlocked = state.offlineDecision(for: number, at: last.moment).outcome != .open
    let effect = isBlocked ? ", so that access is blocked" : ""
    // The rules count by a clock that never goes back; a sentence counts the time that the history has.
    let passed = notes.facts.clock.elapsed(from: completed, to: last)
    let clock =
      silence.distanceClamping(from: passed) > RetrySchedule.hour
      ? " (\(SpanWords.words(silence)) by the device's clock, which was changed)" : ""
    var problem = Problem(
      .checkInOverdue, trail.firstFailure == nil ? .likely : .certain, of: number.description,
      "no check-in of \(number) has completed for \(SpanWords.words(passed))\(clock), since event \(completed.sequence)\(effect): "
        + reason,
      evidence: evidence[0], Array(evidence.dropFirst()),
      next: trail.next, command: "log JOURNAL --account \(number) --type 'checkIn.*' \(completed.sequence)..")
    problem.felt = trail.decisive?.event.sequence
    problem.restsOnAbsence = true
    if let failure = trail.firstFailure, trail.lastFailure?.code.classification == .transient,
      account.enrollment.isRepeating, !isBlocked, last.elapsed(since: failure.event) < ProcessTrail.endurance
    {
      (problem.severity, problem.harm) = (.note, .irregular)
    }
    return problem
  }

  private func late(_ account: AccountNumber, _ delay: Delay, _ notes: HistoryNotes) -> Problem {
    let length = SpanWords.words(notes.facts.clock.elapsed(from: delay.contact, to: delay.change))
    let reason =
      delay.launches == 0
      ? "the app was not open for \(length)"
      : "no check-in completed for \(length), in which the app was opened "
        + (delay.launches == 1 ? "once, too briefly" : "\(delay.launches) times, too briefly")
    var problem = Problem(
      .checkInOverdue, .certain, of: account.description,
      "\(delay.words) reached \(account) only at event \(delay.change.sequence): \(reason)",
      evidence: DiagnosisEvidence(delay.contact, "the last completed check-in before"),
      [
        DiagnosisEvidence(delay.change, "\(delay.words) arrives"),
        DiagnosisEvidence(nil, "no check-in between: timers run only while the app does"),
      ], next: "open the app when a change must take effect; the SDK has no call that forces a check-in")
    (problem.severity, problem.harm) = (.note, .irregular)
    problem.end(.recovered, at: delay.change)
    return problem
  }
}
