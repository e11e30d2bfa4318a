import EventSourcing

extension AppProtectionState {
  /// Records the time of an event on which launch conditions depend.
  private mutating func noteLaunchTime(_ context: EventContext) -> Int64 {
    launch.clock.note(context.moment)
    return launch.clock.elapsed
  }

  mutating func fold(_ event: DeviceReported, _ context: EventContext) {
    launch.device = event.facts
  }

  mutating func fold(_ event: UserStatusReceived, _ context: EventContext) {
    guard accounts.index(of: event.account) != nil else { return }
    let now = noteLaunchTime(context)
    launch.update(event.account) { record in
      record.isDisabled = event.isDisabled
      record.clockStatus = event.clockStatus
      switch event.clockStatus {
      case .notConfigured, .clockedIn: record.offWorkSince = nil
      case .unknown, .clockedOut, .clockedInStale, .clockedOutStale: record.offWorkSince = record.offWorkSince ?? now
      }
    }
  }

  mutating func fold(_ event: LaunchEvaluated, _ context: EventContext) {
    guard accounts.index(of: event.account) != nil else { return }
    let now = noteLaunchTime(context)
    launch.update(event.account) { record in
      record.outcome = event.outcome
      record.rule = event.rule
      record.evaluatedBy = context.sequence
      record.trigger = event.trigger
      record.awaitsCheckIn = event.awaitsCheckIn
      if !event.awaitsCheckIn && !record.waitingScopes.isEmpty { record.waitingScopes = [] }
      if let scope = event.scope, !record.waitingScopes.contains(scope) { record.waitingScopes.append(scope) }
      record.isAnswered = event.scope == nil ? event.awaitsCheckIn && record.isAnswered : event.isAnswered
      record.awaitsConfirmation = false
      record.claimed = event.claimed.map(\.rule)
      guard event.outcome.isPassing else { return }
      record.passedAt = now
      for finding in event.findings where finding.outcome == .warn && !record.warned.contains(finding.rule) {
        let place = record.warned.firstIndex { $0.rawValue > finding.rule.rawValue } ?? record.warned.endIndex
        record.warned.insert(finding.rule, at: place)
      }
    }
  }

  mutating func fold(_ event: LaunchCanceled, _ context: EventContext) {
    guard launch.accounts.index(of: event.account) != nil else { return }
    _ = noteLaunchTime(context)
    launch.update(event.account) { $0.awaitsConfirmation = false }
  }

  mutating func fold(_ event: LaunchSignedIn, _ context: EventContext) {
    guard accounts.index(of: event.account) != nil else { return }
    let now = noteLaunchTime(context)
    launch.update(event.account) { record in
      record.signedInAt = now
      record.awaitsConfirmation = record.outcome == .signInOrWipe
    }
  }

  mutating func fold(_ event: PINSet, _ context: EventContext) {
    let now = noteLaunchTime(context)
    var pin = PINRecord()
    pin.setAt = now
    pin.enter(at: now)
    pin.facts = event.facts
    pin.generation = PINRecord.Generation(sdkVersion: process.sdkVersion)
    launch.pin = pin
  }

  mutating func fold(_ event: PINVerified, _ context: EventContext) {
    guard accounts.index(of: event.account) != nil else { return }
    let now = noteLaunchTime(context)
    guard event.byBiometrics else {
      launch.pin.enter(at: now)
      return
    }
    // Biometrics that the device does not offer prove nothing, even where the account's own policy requires no proof.
    let biometry = trustedBiometry
    guard biometry != .none else { return }
    // The account's own biometrics of another kind are not kept beside them.
    if launch.pin.biometricsAt != nil, launch.pin.biometry != biometry {
      for record in launch.accounts.records where record.biometricsAt != nil {
        launch.accounts.update(record.account) { $0.biometricsAt = nil }
      }
    }
    launch.pin.accept(biometry, at: now)
    // Only a policy that requires a PIN decides whether biometrics may replace it.
    if enforcedPolicy(for: .account(event.account))?.access.pinRequired == true {
      launch.accounts.update(event.account) { $0.biometricsAt = now }
    }
  }

  mutating func fold(_ event: PINFailed, _ context: EventContext) {
    guard accounts.index(of: event.account) != nil else { return }
    _ = noteLaunchTime(context)
    if launch.pin.failures < .max { launch.pin.failures += 1 }
  }

  mutating func fold(_ event: PINReset, _ context: EventContext) {
    guard accounts.index(of: event.account) != nil else { return }
    launch.pin = PINRecord()
  }

  mutating func fold(_ event: BiometricsChanged, _ context: EventContext) {
    if launch.pin.setAt != nil { launch.pin.biometricsChanged = true }
  }
}

extension AppProtectionState {
  /// Records what an event of another part of the domain means for launch conditions.
  ///
  /// - Parameter before: the boot session before the event.
  mutating func noteForLaunch(
    _ event: AppProtectionEvent, _ context: EventContext, bootSessionBefore before: GUID?
  ) {
    switch event {
    case .processStarted(let start):
      launch.clock.note(context.moment, in: LaunchClock.BootSession(start.bootSession, after: before))
      // An extension is not the app: a warning seen in the extension was not seen in the app.
      if !start.isExtension { forgetWarnings() }
      forgetWaiting { _ in true }
    case .enrollmentSucceeded(let event): noteCheckIn(of: event.account, context)
    case .policyReceived(let event): noteCheckIn(of: event.account, context)
    case .policyWithdrawn(let event): noteCheckIn(of: event.account, context)
    case .checkInUnchanged(let event): noteCheckIn(of: event.account, context)
    case .wipeRequested(let event): noteCheckIn(of: event.account, context)
    // An identity that the app sets meanwhile, a refused one and a closed scope wait for nothing.
    case .identitySwitched(let event): forgetWaiting { $0 == event.scope }
    case .identitySwitchRefused(let event): forgetWaiting(for: event.identity) { $0 == event.scope }
    case .identityScopeClosed(let event): forgetWaiting { $0 == event.scope }
    // While the app runs, the requests of the schedule keep the clock from losing more than the time between two of them.
    case .processEnded: launch.clock.note(context.moment)
    case .enrollmentRequested(let event): noteRequest(of: event.account, context)
    case .enrollmentFailed(let event): noteRequest(of: event.account, context)
    case .checkInRequested(let event): noteRequest(of: event.account, context)
    case .checkInFailed(let event): noteRequest(of: event.account, context)
    case .wipeCompleted:
      // The PIN outlives the wipe; the failed attempts that led to it do not.
      if launch.pin.failures != 0 { launch.pin.failures = 0 }
    default: event.unread(by: .launch, ())
    }
  }

  private mutating func noteRequest(of account: AccountNumber, _ context: EventContext) {
    if accounts.index(of: account) != nil { launch.clock.note(context.moment) }
  }

  /// Restarts the offline intervals where a check-in completed with this event.
  private mutating func noteCheckIn(of account: AccountNumber, _ context: EventContext) {
    let isCompleted = accounts.read(account) { record in
      (record.enrollment.status.isEnrolled || record.enrollment.status == .wiping)
        && record.enrollment.lastCompletedCheckIn == context.moment.wallNanoseconds
    }
    guard isCompleted == true else { return }
    launch.clock.note(context.moment)
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
