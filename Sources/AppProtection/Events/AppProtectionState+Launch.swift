import EventSourcing

extension AppProtectionState {
  /// Records the time of an event on which launch conditions depend.
  mutating func recordLaunchTime(_ context: EventContext) -> Int64 {
    launch.clock.record(context.moment)
    return launch.clock.elapsed
  }
}

extension AppProtectionState {
  /// Records what an event of another part of the domain means for launch conditions.
  ///
  /// - Parameter before: the boot session before the event.
  mutating func updateLaunch(
    _ event: AppProtectionEvent, _ context: EventContext, bootSessionBefore before: GUID?
  ) {
    switch event {
    case .processStarted(let start):
      launch.clock.record(context.moment, in: LaunchClock.BootSession(start.bootSession, after: before))
      // An extension is not the app: a warning seen in the extension was not seen in the app.
      if !start.isExtension { forgetWarnings() }
      forgetWaiting { _ in true }
    case .enrollmentSucceeded(let event): recordCheckIn(of: event.account, context)
    case .policyReceived(let event): recordCheckIn(of: event.account, context)
    case .policyWithdrawn(let event): recordCheckIn(of: event.account, context)
    case .checkInUnchanged(let event): recordCheckIn(of: event.account, context)
    case .wipeRequested(let event): recordCheckIn(of: event.account, context)
    // An identity that the app sets meanwhile, a refused one and a closed scope wait for nothing.
    case .identitySwitched(let event): forgetWaiting { $0 == event.scope }
    case .identitySwitchRefused(let event): forgetWaiting(for: event.identity) { $0 == event.scope }
    case .identityScopeClosed(let event): forgetWaiting { $0 == event.scope }
    // While the app runs, the requests of the schedule keep the clock from losing more than the time between two of them.
    case .processEnded: launch.clock.record(context.moment)
    case .enrollmentRequested(let event): recordRequest(of: event.account, context)
    case .enrollmentFailed(let event): recordRequest(of: event.account, context)
    case .checkInRequested(let event): recordRequest(of: event.account, context)
    case .checkInFailed(let event): recordRequest(of: event.account, context)
    case .wipeCompleted:
      // The PIN outlives the wipe; the failed attempts that led to it do not.
      if launch.pin.failures != 0 { launch.pin.failures = 0 }
    default: break
    }
  }

  private mutating func recordRequest(of account: AccountNumber, _ context: EventContext) {
    if accounts.index(of: account) != nil { launch.clock.record(context.moment) }
  }

  /// Restarts the offline intervals where a check-in completed with this event.
  private mutating func recordCheckIn(of account: AccountNumber, _ context: EventContext) {
    let isCompleted = accounts.read(account) { record in
      (record.enrollment.status.isEnrolled || record.enrollment.status == .wiping)
        && record.enrollment.lastCompletedCheckIn == context.moment.wallNanoseconds
    }
    guard isCompleted == true else { return }
    launch.clock.record(context.moment)
    launch.clock.trust(context.moment)
    let now = launch.clock.elapsed
    launch.update(account) { record in
      record.checkedInAt = now
      record.awaitsConfirmation = false
      record.awaitsCheckIn = false
      guard record.isOutOfTouch else { return }
      // The demand has been met: a later cancellation refuses nothing.
      record.outcome = .allowed
      record.rule = .met
    }
  }

  private mutating func forgetWaiting(for identity: Identity? = nil, _ isOver: (IdentityScope) -> Bool) {
    for record in launch.accounts.records(among: { $0 }) {
      guard identity == nil || identity == .account(record.account), record.waitingScopes.contains(where: isOver)
      else { continue }
      launch.accounts.update(record.account) { $0.waitingScopes.removeAll(where: isOver) }
    }
  }

  private mutating func forgetWarnings() {
    for record in launch.accounts.records where !record.warned.isEmpty {
      launch.accounts.update(record.account) { $0.warned = [] }
    }
  }
}
