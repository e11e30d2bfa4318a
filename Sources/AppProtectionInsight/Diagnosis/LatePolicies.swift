import AppProtection
import EventSourcing
import PlainText

/// Changes by the service that came late because the check-ins before them failed for long.
struct LatePolicies: Sendable {
  /// So long must check-ins fail, with the app in use (DERIVED).
  private static let noticeable = RetrySchedule.day

  /// What failed since the last completed check-in.
  private struct Wait: Sendable {
    let completed: EventContext
    var failures = Observations<EnrollmentStatusCode>()
    /// The first failure that was the service's answer.
    var refusal: (event: EventContext, code: EnrollmentStatusCode)?
    var launches = Occurrences()
  }

  /// A change that came at last.
  private struct Delay: Sendable {
    let wait: Wait
    let change: EventContext
    let words: String
    /// The answers that held in between, and hold no longer: those that allowed something first.
    let answers: [ChangedAnswer]
    /// The settings that differ.
    let settings: [String]
  }

  private var waits = PerAccount<Wait>()
  private var delays = PerAccount<Delay>()

  static let events: [any EventPayload.Type] = [
    ProcessStarted.self, EnrollmentSucceeded.self, CheckInUnchanged.self, CheckInFailed.self, PolicyReceived.self,
    PolicyWithdrawn.self, WipeRequested.self,
  ]

  /// Observes an event.
  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .processStarted(let event):
      guard !event.isExtension else { break }
      waits.updateAll { $0.launches.add(context) }
    case .checkInFailed(let event):
      waits[event.account]?.failures.add(context, event.code)
      if event.code.saysSomethingAboutAccount, waits[event.account]?.refusal == nil {
        waits[event.account]?.refusal = (context, event.code)
      }
    case .policyReceived(let event):
      let earlier = before.policies[event.account]?.document
      if let earlier, earlier != event.document {
        let settings = PolicyProperty.all.filter { $0.isSetting && earlier[$0] != event.document[$0] }.map(\.name)
        record(event.account, context, "another policy", before, after, notes, settings)
      }
      waits[event.account] = Wait(completed: context)
    case .policyWithdrawn(let event):
      if event.reason == .untargeted { record(event.account, context, "the end of its policy", before, after, notes) }
      waits[event.account] = Wait(completed: context)
    case .wipeRequested(let event):
      if event.origin == .service { record(event.account, context, "the order of a wipe", before, before, notes) }
      waits[event.account] = nil
    case .enrollmentSucceeded(let event): waits[event.account] = Wait(completed: context)
    case .checkInUnchanged(let event): waits[event.account] = Wait(completed: context)
    default: break
    }
  }

  private mutating func record(
    _ account: AccountNumber, _ context: EventContext, _ words: String, _ before: AppProtectionState,
    _ after: AppProtectionState, _ notes: HistoryNotes, _ settings: [String] = []
  ) {
    guard let wait = waits[account], let first = wait.failures.first, wait.launches.count > 1,
      notes.facts.clock.elapsed(from: first, to: context) >= Self.noticeable
    else { return }
    let answers = ChangedAnswer.all(of: account, before, after, at: context.moment)
    // Of several, the first one that left something open counts.
    guard delays[account].map({ $0.answers.isEmpty && !answers.isEmpty }) ?? true else { return }
    delays[account] = Delay(wait: wait, change: context, words: words, answers: answers, settings: settings)
  }

  /// Whether a silence that ended with an event is reported here.
  func reports(_ account: AccountNumber, endedBy event: EventContext) -> Bool {
    delays[account]?.change == event
  }

  /// What was found.
  func problems(_ notes: HistoryNotes) -> [Problem] {
    delays.inOrder.compactMap { account, delay in
      let wait = delay.wait
      guard let first = wait.failures.first, let code = wait.refusal?.code ?? wait.failures.firstValue
      else { return nil }
      let decided = wait.refusal?.event ?? first
      let length = SpanWords.words(notes.facts.clock.elapsed(from: wait.completed, to: delay.change))
      let effect =
        if let answer = delay.answers.first {
          "; until then, \(answer.earlier)"
            + (delay.answers.count > 1 ? ", and \(delay.answers.count - 1) more answers were other ones" : "")
        } else if !delay.settings.isEmpty {
          "; it differed in \(delay.settings.shortened)"
        } else {
          ""
        }
      var problem = Problem(
        .checkInOverdue, of: account.description,
        "\(delay.words) reached \(account) only at event \(delay.change.sequence), because no check-in completed for "
          + "\(length): \(wait.failures.count.counted("request")) failed since event \(first.sequence), first with "
          + "\(wait.failures.codes)\(effect)",
        evidence: DiagnosisEvidence(decided, "a request to the service fails: \(code.words)"),
        [
          DiagnosisEvidence(wait.completed, "the last completed check-in before"),
          DiagnosisEvidence(delay.change, "\(delay.words) arrives"),
        ] + wait.failures.evidence { "a request to the service fails: \($0.words)" },
        next: ContactTrail.next(after: code),
        command: delay.answers.first.map { "explain JOURNAL '\($0.question)' --when" }
          ?? "log JOURNAL --account \(account) --type 'checkIn.*' \(wait.completed.sequence)..\(delay.change.sequence)")
      problem.title = "a change of the service came late"
      problem.end(.recovered, at: delay.change)
      // What was allowed in the meantime was to be denied.
      problem.severity = delay.answers.contains { $0.isDenial } ? .warning : .note
      if delay.answers.isEmpty { problem.harm = .irregular }
      return problem
    }
  }
}
