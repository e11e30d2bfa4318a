import AppProtection
import EventSourcing

/// Requests of an account to the service that end in certain codes, one after another.
struct FailureRun: Sendable {
  /// The failed requests.
  var failures = Occurrences()
  /// The last code.
  var code: EnrollmentStatusCode
  /// Whether the first one was a check-in of an enrolled account.
  var beganEnrolled: Bool
  /// The processes of the app that started since then.
  var launches = Occurrences()
  /// The event that ended it; `nil` while it lasts.
  var end: EventContext?
  /// Whether the account's data was wiped because it lasted so long.
  var didHarm = false

  /// Whether it lasted so long, with the app in use, that the user noticed it, although it is over.
  var wasNoticed: Bool {
    guard let first = failures.first, let end, !didHarm else { return true }
    return launches.count > 1 && end.elapsed(since: first) >= RetrySchedule.day
  }
}

/// Every account's run of certain codes. An answer that says something else about the account ends a run; one that only
/// says that the request failed does not.
struct FailureRuns: Sendable {
  private let codes: Set<EnrollmentStatusCode>
  private var runs = PerAccount<FailureRun>()
  /// The runs of accounts that left meanwhile: one that comes back and fails again goes on with its run.
  private var left = PerAccount<FailureRun>()

  /// Runs of the given codes.
  init(of codes: Set<EnrollmentStatusCode>) { self.codes = codes }

  /// The run of an account; one that is over only if it was noticed.
  subscript(account: AccountNumber) -> FailureRun? { runs[account] }

  /// The runs that last, and those that are over and were noticed, in the order of the accounts.
  var inOrder: [(account: AccountNumber, value: FailureRun)] { runs.inOrder }

  /// The events that begin a run or end one.
  static let events: [any EventPayload.Type] =
    [
      ProcessStarted.self, EnrollmentSucceeded.self, EnrollmentFailed.self, AccountSwitchAsked.self,
      CheckInUnchanged.self, CheckInFailed.self, PolicyReceived.self, PolicyWithdrawn.self, WipeRequested.self,
    ] + AppProtectionEvent.leaving

  /// Observes an event.
  ///
  /// - Returns: The account of a run that it begins.
  @discardableResult
  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState
  ) -> AccountNumber? {
    switch event {
    case .enrollmentFailed(let event): return fail(event.account, event.code, context, before)
    case .checkInFailed(let event): return fail(event.account, event.code, context, before)
    case .enrollmentSucceeded(let event): end(event.account, context)
    case .checkInUnchanged(let event): end(event.account, context)
    case .policyReceived(let event): end(event.account, context)
    case .policyWithdrawn(let event): if event.reason == .untargeted { end(event.account, context) }
    // The user is asked: the service's last answer is not what the account waits for.
    case .accountSwitchAsked(let event): end(event.account, context)
    // A run that was over did not lead to it.
    case .wipeRequested(let event):
      if runs[event.account]?.end == nil { runs[event.account]?.didHarm = event.reason == .offlineInterval }
    case .processStarted(let event):
      guard !event.isExtension else { break }
      runs.updateAll { if $0.end == nil { $0.launches.add(context) } }
    default: break
    }
    if let account = event.leavingAccount { leave(account, context) }
    return nil
  }

  private mutating func leave(_ account: AccountNumber, _ context: EventContext) {
    let run = runs[account].flatMap { $0.end == nil ? $0 : nil } ?? left[account]
    end(account, context)
    left[account] = run
  }

  private mutating func fail(
    _ account: AccountNumber, _ code: EnrollmentStatusCode, _ context: EventContext, _ before: AppProtectionState
  ) -> AccountNumber? {
    guard codes.contains(code) else {
      if code.saysSomethingAboutAccount { end(account, context) }
      return nil
    }
    if runs[account]?.end == nil, runs[account] != nil {
      runs[account]?.failures.add(context)
      runs[account]?.code = code
      return nil
    }
    if var run = left[account] {
      run.failures.add(context)
      run.code = code
      (runs[account], left[account]) = (run, nil)
      return nil
    }
    let isEnrolled = before.accounts[account]?.enrollment.status.isEnrolled ?? false
    var run = FailureRun(code: code, beganEnrolled: isEnrolled)
    run.failures.add(context)
    runs[account] = run
    return account
  }

  private mutating func end(_ account: AccountNumber, _ context: EventContext) {
    left[account] = nil
    guard var run = runs[account], run.end == nil else { return }
    run.end = context
    runs[account] = run.wasNoticed ? run : nil
  }
}

extension EnrollmentStatusCode {
  /// Whether a request that fails with it says something about the account, and not only that it failed.
  var saysSomethingAboutAccount: Bool {
    switch classification {
    case .transient, .warning, .unknown, .user: false
    case .success, .failure, .terminal, .service, .inProgress, .benign, .programmingError, .obsolete:
      ![.internalError, .parsingFailure, .adalInternalError].contains(self)
    }
  }
}

extension Problem {
  /// Says that a run is over, if it is.
  mutating func conclude(_ run: FailureRun) {
    guard let end = run.end else { return }
    guard !run.didHarm else {
      until = end.sequence
      return
    }
    self.end(at: end.sequence)
    severity = .note
  }
}
