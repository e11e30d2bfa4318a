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
  /// What the app did so that the requests succeed, such as the acquisition of a token.
  var remedies = Remedies()
  /// Whether the account's data was wiped because it lasted so long, and whether the account is back since.
  var didHarm = false
  var isBack = false

  init(beganEnrolled: Bool) { self.beganEnrolled = beganEnrolled }

  /// Whether it lasted so long that it is reported although it is over.
  var wasLong: Bool {
    guard let first = failures.first, let ending, !didHarm else { return true }
    return ending.event.elapsed(since: first) > Episodes.pause
  }

  /// The event that ended it; `nil` while it lasts.
  var end: EventContext? { ending?.event }

  /// Whether it lasts, as far as the requests say: a remedy that helped ends it.
  var isOpen: Bool { ending == nil && remedies.help == nil }

  /// The run, over with the remedy that helped where nothing else has ended it.
  var concluded: Self {
    guard ending == nil, let help = remedies.help else { return self }
    var run = self
    run.ending = DiagnosisEnding(.recovered, at: help)
    return run
  }

  /// A request fails so, perhaps again.
  mutating func fail(_ context: EventContext, _ code: EnrollmentStatusCode) {
    failures.add(context, code)
    remedies.fail()
  }

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
  /// The last run of every account; one that is over only if it was long.
  private var runs = PerAccount<FailureRun>()
  /// The long run of every account before one that lasts.
  private var past = PerAccount<FailureRun>()
  /// The episodes of every account, the short ones included.
  private var episodes = PerAccount<Episodes>()
  /// The first run of every account that is over, while nothing but their number makes them worth telling.
  private var brief = PerAccount<FailureRun>()
  /// The runs of accounts that left meanwhile: one that comes back and fails again goes on with its run.
  private var left = PerAccount<FailureRun>()

  /// Runs of the given codes.
  init(of codes: Set<EnrollmentStatusCode>) { self.codes = codes }

  /// The last run of an account; one that is over only if it was long.
  subscript(account: AccountNumber) -> FailureRun? { runs[account] }

  /// The runs that last, and those that are over and were long or came again and again, in the order of the accounts.
  var inOrder: [(account: AccountNumber, value: FailureRun)] {
    var all = PerAccount<FailureRun>()
    for (account, _) in episodes.inOrder {
      let run = runs[account]?.concluded
      let first = episodes(of: account).isRecurrent ? brief[account] ?? run : nil
      all[account] = run.flatMap { $0.wasLong ? $0 : nil } ?? past[account] ?? first
    }
    return all.inOrder
  }

  /// The episodes of an account.
  func episodes(of account: AccountNumber) -> Episodes {
    var all = episodes[account] ?? Episodes()
    if let ending = runs[account]?.concluded.ending { all.end(ending.kind, at: ending.event) }
    return all
  }

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
      if runs[event.account]?.isOpen == true { runs[event.account]?.didHarm = event.reason == .offlineInterval }
    default: break
    }
    if let account = event.leavingAccount {
      if case .wipeRequested = event { leave(account, .wiped, context) } else { leave(account, .abandoned, context) }
    }
    return nil
  }

  private mutating func leave(_ account: AccountNumber, _ kind: DiagnosisEnding.Kind, _ context: EventContext) {
    let run = runs[account].flatMap { $0.isOpen ? $0 : nil } ?? left[account]
    end(account, kind, context)
    left[account] = run
  }

  private mutating func fail(
    _ account: AccountNumber, _ code: EnrollmentStatusCode, _ context: EventContext, _ before: AppProtectionState
  ) -> AccountNumber? {
    guard codes.contains(code) else {
      if code.saysSomethingAboutAccount {
        end(account, .replaced, context)
      } else {
        runs[account]?.remedies.interrupt()
      }
      return nil
    }
    episodes[account, default: Episodes()].see(context)
    if runs[account]?.end == nil, runs[account] != nil {
      runs[account]?.fail(context, code)
      return nil
    }
    if var run = left[account] {
      run.fail(context, code)
      (runs[account], left[account]) = (run, nil)
      return nil
    }
    let isEnrolled = before.accounts[account]?.enrollment.status.isEnrolled ?? false
    var run = FailureRun(beganEnrolled: isEnrolled)
    run.fail(context, code)
    (past[account], runs[account]) = (runs[account], run)
    return account
  }

  /// The app does what the codes ask for.
  mutating func relieve(_ account: AccountNumber, _ context: EventContext) {
    if runs[account]?.end == nil { runs[account]?.remedies.add(context) }
  }

  private mutating func end(_ account: AccountNumber, _ kind: DiagnosisEnding.Kind, _ context: EventContext) {
    left[account] = nil
    // What helped before another answer came, or the account left, ended it then.
    let ending = runs[account]?.concluded.ending ?? DiagnosisEnding(kind, at: context)
    episodes[account]?.end(ending.kind, at: ending.event)
    guard var run = runs[account] else { return }
    if run.didHarm, !run.isBack, run.end != nil, kind == .recovered {
      (run.ending, run.isBack) = (DiagnosisEnding(kind, at: context), true)
      runs[account] = run
    }
    guard run.end == nil else { return }
    run.ending = ending
    // The last long one counts, unless data was lost with the one before it, and none with this one.
    runs[account] = run.wasLong && (run.didHarm || past[account]?.didHarm != true) ? run : past[account]
    past[account] = nil
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
    describe(episodes)
    guard let ending = run.ending else { return }
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
