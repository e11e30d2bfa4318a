import AppProtection
import EventSourcing

/// An account's contact with the service: since when no check-in has completed, and what was tried.
struct ContactTrail: Sendable {
  /// A request to the service that failed.
  struct Failure: Equatable, Sendable {
    let event: EventContext
    let code: EnrollmentStatusCode
  }

  /// A silence that is over.
  struct Silence: Sendable {
    /// The last completed check-in before it.
    let completed: EventContext
    /// What explains it.
    let decisive: Failure
    let failures: Observations<EnrollmentStatusCode>
    var ending: DiagnosisEnding
  }

  /// So long must requests fail before that is reported although it is over (DERIVED).
  private static let notable = RetrySchedule.day

  /// The longest silence that is over, if it was long.
  private(set) var silence: Silence?
  /// How the silence that lasts ended, although no check-in has completed.
  private var ending: DiagnosisEnding?
  /// The last completed check-in or enrollment; `nil` if none has completed.
  private(set) var completed: EventContext?
  /// The first failure since then.
  private(set) var firstFailure: Failure?
  /// The first one that was the service's answer, so that it was reached.
  private(set) var firstRefusal: Failure?
  /// The last failure since then.
  private(set) var lastFailure: Failure?
  /// The refusal, or else the first failure if it shows that the service, or something in its place, was reached.
  var firstAnswer: Failure? { firstRefusal ?? firstFailure.flatMap { $0.code.classification == .transient ? nil : $0 } }
  /// The failures since then.
  private(set) var failures = Observations<EnrollmentStatusCode>()
  /// The unanswered request.
  private(set) var request: EventContext?
  /// The processes of the app that started since then.
  private(set) var launches = Occurrences()
  /// Those of them that came when a check-in was overdue and none had been tried.
  private(set) var idleLaunches = Occurrences()
  /// The largest change of the clock forward since then.
  private(set) var jump: (sequence: UInt64, nanoseconds: Int64)?

  /// When the service wants to be asked again, after the last completed contact.
  private(set) var interval: Int64?

  /// How long no check-in may complete before one counts as overdue: twice the time that the service allows.
  var grace: Int64 {
    let interval = interval ?? RetrySchedule.hour / 2
    return interval.advancedClamping(by: interval)
  }

  /// The service answered: everything is as it should be.
  mutating func complete(_ context: EventContext, next: Int64?, _ clock: HistoryClock) {
    // One answer can be several events: an enrollment, and its policy.
    let earlier = next ?? interval.map { (completed ?? context).moment.wallNanoseconds.advancedClamping(by: $0) }
    let silence = endedSilence(at: context, clock)
    self = ContactTrail()
    (self.silence, completed) = (silence, context)
    interval = earlier.map { max($0.distanceClamping(from: context.moment.wallNanoseconds), 0) }
  }

  /// The longest silence, the one that ends with an event included.
  private func endedSilence(at context: EventContext, _ clock: HistoryClock) -> Silence? {
    guard let completed, let decisive = firstRefusal ?? firstFailure, let last = failures.last, launches.count > 1,
      let first = failures.first
    else { return silence }
    let length = clock.elapsed(from: first, to: last)
    guard length >= Self.notable else { return silence }
    if let silence, let one = silence.failures.first, let other = silence.failures.last,
      clock.elapsed(from: one, to: other) >= length
    {
      return silence
    }
    let ending = ending ?? DiagnosisEnding(.recovered, at: context)
    return Silence(completed: completed, decisive: decisive, failures: failures, ending: ending)
  }

  /// The account leaves, or is wiped, during a silence.
  mutating func end(_ kind: DiagnosisEnding.Kind, at context: EventContext) {
    ending = ending ?? DiagnosisEnding(kind, at: context)
  }

  /// The service was asked.
  mutating func ask(_ context: EventContext) { request = context }

  /// The service was not reached, or refused.
  mutating func fail(_ context: EventContext, _ code: EnrollmentStatusCode) {
    let failure = Failure(event: context, code: code)
    firstFailure = firstFailure ?? failure
    if code.saysSomethingAboutAccount { firstRefusal = firstRefusal ?? failure }
    lastFailure = failure
    failures.add(context, code)
    request = nil
  }

  /// A process of the app started.
  mutating func launch(_ context: EventContext) {
    launches.add(context)
    guard let completed, request == nil, firstFailure == nil, context.elapsed(since: completed) > grace else { return }
    idleLaunches.add(context)
  }

  /// The clock was set ahead.
  mutating func advance(by nanoseconds: Int64, before sequence: UInt64) {
    if nanoseconds > jump?.nanoseconds ?? 0 { jump = (sequence, nanoseconds) }
  }

  /// The failure without which the silence would have ended before an event: the first refusal, because the service was
  /// reached then; otherwise the first failure.
  func decisive(before sequence: UInt64) -> Failure? {
    firstRefusal.flatMap { $0.event.sequence <= sequence ? $0 : nil } ?? firstFailure
  }

  /// What explains the silence, the deciding event first: the decisive failure, or the request without an answer, or the last
  /// contact, after which nothing was tried.
  ///
  /// - Parameters:
  ///   - sequence: The last event that counts.
  ///   - felt: The event with which the silence was felt.
  func evidence(before sequence: UInt64, feltAt felt: UInt64) -> [DiagnosisEvidence] {
    var evidence: [DiagnosisEvidence] = []
    let decisive = decisive(before: felt)
    if let decisive { evidence.append(Self.evidence(decisive)) }
    if let firstFailure, firstFailure != decisive { evidence.append(Self.evidence(firstFailure)) }
    if let request { evidence.append(DiagnosisEvidence(request, "the service is asked, and does not answer")) }
    if let completed { evidence.append(DiagnosisEvidence(completed, "the last completed check-in")) }
    if let lastFailure, lastFailure != firstFailure, lastFailure != decisive {
      evidence.append(Self.evidence(lastFailure))
    }
    return evidence.filter { $0.sequence ?? 0 <= sequence }
  }

  private static func evidence(_ failure: Failure) -> DiagnosisEvidence {
    DiagnosisEvidence(failure.event, "a request to the service fails: \(failure.code.words)")
  }
}

extension EnrollmentStatusCode {
  /// The number with its name: `212 policyEndPointNetworkFailure`.
  var words: String { entry.map { "\(rawValue) \($0.name)" } ?? "\(rawValue)" }
}

extension Enrollment {
  /// Whether a request that failed is repeated by itself, or just was.
  var isRepeating: Bool { retryDue != nil || enrollmentRequest != 0 || checkInRequest != 0 }
}

extension PerAccount<ContactTrail> {
  /// Observes an event.
  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, after: AppProtectionState, _ clock: HistoryClock
  ) {
    switch event {
    case .enrollmentRequested(let event): self[event.account, default: ContactTrail()].ask(context)
    case .checkInRequested(let event): self[event.account, default: ContactTrail()].ask(context)
    case .enrollmentSucceeded(let event):
      self[event.account, default: ContactTrail()].complete(context, next: event.nextCheckIn, clock)
    case .checkInUnchanged(let event):
      self[event.account, default: ContactTrail()].complete(context, next: event.nextCheckIn, clock)
    case .policyReceived(let event):
      self[event.account, default: ContactTrail()].complete(context, next: event.nextCheckIn, clock)
    case .policyWithdrawn(let event):
      guard event.reason == .untargeted else { break }
      self[event.account, default: ContactTrail()].complete(context, next: event.nextCheckIn, clock)
    case .enrollmentFailed(let event): self[event.account, default: ContactTrail()].fail(context, event.code)
    case .checkInFailed(let event): self[event.account, default: ContactTrail()].fail(context, event.code)
    case .processStarted(let event):
      guard !event.isExtension else { break }
      for account in after.accounts.records where account.enrollment.status.isRegistered {
        self[account.account, default: ContactTrail()].launch(context)
      }
    case .wipeRequested(let event): self[event.account]?.end(.wiped, at: context)
    case .unenrollmentRequested(let event): self[event.account]?.end(.abandoned, at: context)
    default: break
    }
  }
}
