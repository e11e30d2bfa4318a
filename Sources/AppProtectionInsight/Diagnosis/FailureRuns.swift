import AppProtection
import EventSourcing

/// Requests of an account to the service that end in certain codes, one after another.
struct FailureRun: Sendable {
  /// The failed requests, each with its code.
  var failures = Observations<EnrollmentStatusCode>()
  /// Whether the first one was a check-in of an enrolled account.
  var beganEnrolled: Bool
  /// How it ended; `nil` while it lasts.
  var ending: DiagnosisEnding?
  /// Whether the account's data was wiped because it lasted so long, and whether the account is back since.
  var didHarm = false
  var isBack = false

  /// Whether it lasted so long that it is reported although it is over.
  var wasLong: Bool {
    guard let first = failures.first, let ending, !didHarm else { return true }
    return ending.event.elapsed(since: first) > Episodes.pause
  }

  /// The event that ended it; `nil` while it lasts.
  var end: EventContext? { ending?.event }

  /// `since event 5`, or `from event 5 to event 9` where it is over.
  var span: String {
    let first = failures.first?.sequence ?? 0
    guard ending != nil, let last = failures.last?.sequence else { return "since event \(first)" }
    return first == last ? "at event \(first)" : "from event \(first) to event \(last)"
  }
}

/// Every account's run of certain codes. An answer that says something else about the account ends a run; one that only
/// says that the request failed does not.
struct FailureRuns: Sendable {
  private let codes: Set<EnrollmentStatusCode>
  private var runs = PerAccount<FailureRun>()
  /// The episodes of every account, the short ones included.
  private var episodes = PerAccount<Episodes>()
  /// The first run of every account that is over, while nothing but their number makes them worth telling.
  private var brief = PerAccount<FailureRun>()
  /// The runs of accounts that left meanwhile: one that comes back and fails again goes on with its run.
  private var left = PerAccount<FailureRun>()

  /// Runs of the given codes.
  init(of codes: Set<EnrollmentStatusCode>) { self.codes = codes }

  /// The run of an account; one that is over only if it was long.
  subscript(account: AccountNumber) -> FailureRun? { runs[account] }

  /// The runs that last, and those that are over and were long or came again and again, in the order of the accounts.
  var inOrder: [(account: AccountNumber, value: FailureRun)] {
    var all = runs
    for (account, run) in brief.inOrder
    where all[account] == nil && episodes(of: account).isRecurrent { all[account] = run }
    return all.inOrder
  }

  /// The episodes of an account.
  func episodes(of account: AccountNumber) -> Episodes { episodes[account] ?? Episodes() }

  /// The events that begin a run or end one.
  static let events: [any EventPayload.Type] =
    [
      EnrollmentSucceeded.self, EnrollmentFailed.self, AccountSwitchAsked.self,
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
    case .enrollmentSucceeded(let event): end(event.account, .recovered, context)
    case .checkInUnchanged(let event): end(event.account, .recovered, context)
    case .policyReceived(let event): end(event.account, .recovered, context)
    case .policyWithdrawn(let event): if event.reason == .untargeted { end(event.account, .recovered, context) }
    // The user is asked: the service's last answer is not what the account waits for.
    case .accountSwitchAsked(let event): end(event.account, .replaced, context)
    // A run that was over did not lead to it.
    case .wipeRequested(let event):
      if runs[event.account]?.end == nil { runs[event.account]?.didHarm = event.reason == .offlineInterval }
    default: break
    }
    if let account = event.leavingAccount {
      if case .wipeRequested = event { leave(account, .wiped, context) } else { leave(account, .abandoned, context) }
    }
    return nil
  }

  private mutating func leave(_ account: AccountNumber, _ kind: DiagnosisEnding.Kind, _ context: EventContext) {
    let run = runs[account].flatMap { $0.end == nil ? $0 : nil } ?? left[account]
    end(account, kind, context)
    left[account] = run
  }

  private mutating func fail(
    _ account: AccountNumber, _ code: EnrollmentStatusCode, _ context: EventContext, _ before: AppProtectionState
  ) -> AccountNumber? {
    guard codes.contains(code) else {
      if code.saysSomethingAboutAccount { end(account, .replaced, context) }
      return nil
    }
    episodes[account, default: Episodes()].see(context)
    if runs[account]?.end == nil, runs[account] != nil {
      runs[account]?.failures.add(context, code)
      return nil
    }
    if var run = left[account] {
      run.failures.add(context, code)
      (runs[account], left[account]) = (run, nil)
      return nil
    }
    let isEnrolled = before.accounts[account]?.enrollment.status.isEnrolled ?? false
    var run = FailureRun(beganEnrolled: isEnrolled)
    run.failures.add(context, code)
    runs[account] = run
    return account
  }

  private mutating func end(_ account: AccountNumber, _ kind: DiagnosisEnding.Kind, _ context: EventContext) {
    left[account] = nil
    episodes[account]?.end(kind, at: context)
    guard var run = runs[account] else { return }
    if run.didHarm, !run.isBack, run.end != nil, kind == .recovered {
      (run.ending, run.isBack) = (DiagnosisEnding(kind, at: context), true)
      runs[account] = run
    }
    guard run.end == nil else { return }
    run.ending = DiagnosisEnding(kind, at: context)
    runs[account] = run.wasLong ? run : nil
    if !run.wasLong, brief[account] == nil { brief[account] = run }
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
  /// Says in which episodes a run was seen, and that it is over, if it is.
  ///
  /// - Parameter last: The last event.
  mutating func conclude(_ run: FailureRun, _ episodes: Episodes, at last: EventContext) {
    show(episodes.kept, of: episodes.count)
    guard let ending = run.ending else { return }
    if episodes.count > 1 { sentence += "; it came \(episodes.words)" }
    guard !run.didHarm else {
      until = ending.event.sequence
      // The wiped data is missed until the account is back.
      if run.isBack {
        end(ending.kind, at: ending.event)
      } else if Episodes.isOutOfSight(ending.event, at: last) {
        end(.outOfSight, at: ending.event)
      }
      return
    }
    let latest = episodes.kept.last?.ending ?? ending
    end(latest.kind, at: latest.event)
    severity = episodes.count >= Episodes.many.episodes ? .warning : .note
    // An enrolled account goes on with the policy that it has.
    if run.beganEnrolled { harm = .irregular }
  }
}
