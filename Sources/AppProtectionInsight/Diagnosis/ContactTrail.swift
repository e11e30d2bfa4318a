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
  /// Whether no check-in is due any more: the account has left, or the service has lost its record.
  private var isOver = false
  /// The last completed check-in or enrollment; `nil` if none has completed.
  private(set) var completed: EventContext?
  /// The first failure since then.
  private(set) var firstFailure: Failure?
  /// The first one that was the service's answer, so that it was reached.
  private(set) var firstRefusal: Failure?
  /// The last failure since then.
  private(set) var lastFailure: Failure?
  /// The first of the latest refusals with one code: it holds until the service answers something else.
  private var refusal: Failure?
  /// The tokens that the app has acquired since the service demanded a sign-in.
  private var tokens = Remedies()
  /// The first failure since one that may have helped.
  private var failureSignedIn: Failure?
  /// Whether one has helped.
  private var isSignedIn: Bool { tokens.help != nil }
  /// What keeps the silence going: the refusal that holds, or what fails since the app has the token that it was asked for;
  /// where the service never answered, the first failure. `nil` where nothing has failed, or nothing since then.
  var cause: Failure? { isSignedIn ? failureSignedIn : refusal ?? firstFailure }
  /// What decides the silence: what keeps it going, but a network that had failed for long is a cause of its own, whatever
  /// the service answers later.
  var decisive: Failure? {
    if let firstFailure, let firstRefusal,
      firstRefusal.event.elapsed(since: firstFailure.event) >= ProcessTrail.endurance
    {
      return firstFailure
    }
    return cause ?? firstRefusal ?? firstFailure
  }
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
    let silence = endedSilence(.recovered, at: context, clock)
    self = ContactTrail()
    (self.silence, completed) = (silence, context)
    interval = earlier.map { max($0.distanceClamping(from: context.moment.wallNanoseconds), 0) }
  }

  /// The longest silence, the one that ends with an event included.
  private func endedSilence(
    _ kind: DiagnosisEnding.Kind, at context: EventContext, _ clock: HistoryClock
  ) -> Silence? {
    guard !isOver, let completed, let decisive, let first = failures.first, let last = failures.last,
      launches.count > 1
    else { return silence }
    let length = clock.elapsed(from: first, to: last)
    guard length >= Self.notable else { return silence }
    if let silence, let one = silence.failures.first, let other = silence.failures.last,
      clock.elapsed(from: one, to: other) >= length
    {
      return silence
    }
    return Silence(
      completed: completed, decisive: decisive, failures: failures, ending: DiagnosisEnding(kind, at: context))
  }

  /// The account leaves, is wiped, or is not known to the service any more: no check-in is due.
  mutating func end(_ kind: DiagnosisEnding.Kind, at context: EventContext, _ clock: HistoryClock) {
    silence = endedSilence(kind, at: context, clock)
    isOver = true
  }

  /// The app has a token.
  mutating func acquireToken(_ context: EventContext) {
    guard refusal?.code == .authRequired else { return }
    tokens.add(context)
  }

  /// The service was asked.
  mutating func ask(_ context: EventContext) { request = context }

  /// Takes away the request that is without an answer: it has one now.
  mutating func takeRequest() -> EventContext? {
    defer { request = nil }
    return request
  }

  /// The service was not reached, or refused.
  mutating func fail(_ context: EventContext, _ code: EnrollmentStatusCode) {
    let failure = Failure(event: context, code: code)
    firstFailure = firstFailure ?? failure
    if code.saysSomethingAboutAccount {
      firstRefusal = firstRefusal ?? failure
      if refusal?.code != code { (refusal, tokens) = (failure, Remedies()) }
      tokens.fail()
      failureSignedIn = nil
    } else {
      tokens.interrupt()
      if isSignedIn { failureSignedIn = failureSignedIn ?? failure }
    }
    // What fails after the account has left, or before it is enrolled again, is not a check-in.
    guard !isOver else { return }
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

  /// What to do so that a check-in completes, in one sentence without a full stop.
  var next: String {
    guard let cause else {
      return "open the app while the device is online, and leave it open until the check-in has completed"
    }
    return cause.code == .authRequired && tokens.futile > 0
      ? AuthRequiredRule.nextAfterSignIn : Self.next(after: cause.code)
  }

  /// What to do so that no check-in fails with a code.
  static func next(after code: EnrollmentStatusCode) -> String {
    code.classification == .transient
      ? "look at the network between the device and the service" : StatusAdvice.next(after: code)
  }

  /// What explains the silence, the deciding event first: the decisive failure, or the request without an answer, or the last
  /// contact, after which nothing was tried.
  ///
  /// - Parameters:
  ///   - sequence: The last event that counts.
  ///   - decisive: The failure that decided it, if one did.
  func evidence(before sequence: UInt64, decidedBy decisive: Failure?) -> [DiagnosisEvidence] {
    var evidence: [DiagnosisEvidence] = []
    if let decisive { evidence.append(Self.evidence(decisive)) }
    if isSignedIn { evidence += tokens.all.evidence("a token is acquired").suffix(1) }
    if let cause, cause != decisive { evidence.append(Self.evidence(cause)) }
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
    case .tokenAcquired(let event): self[event.account]?.acquireToken(context)
    case .enrollmentRecordGone(let event): self[event.account]?.end(.replaced, at: context, clock)
    case .wipeRequested(let event): self[event.account]?.end(.wiped, at: context, clock)
    case .unenrollmentRequested(let event): self[event.account]?.end(.abandoned, at: context, clock)
    case .accountDeregistered(let event): self[event.account]?.end(.abandoned, at: context, clock)
    default: break
    }
  }
}
