import AppProtection
import EventSourcing

/// Events that lead to the state in which a history begins, where its first events are missing: they were retired, or left
/// out of an export or a fork.
///
/// Rules learn from them what lasts, so that none needs to read the state in a second way. Each has the number of the event
/// that the state names, or else that of the last missing event; which one truly brought it about is not known.
struct OpeningEvents {
  /// An event, and the state that it is folded into.
  struct Step {
    let event: AppProtectionEvent
    let context: EventContext
    let before: AppProtectionState
  }

  private let state: AppProtectionState
  private let opening: EventContext
  /// The events in an order in which they may have occurred.
  private(set) var steps: [Step] = []

  /// The events that lead to a state.
  ///
  /// - Parameter opening: The last missing event.
  init(of state: AppProtectionState, _ opening: EventContext) {
    self.state = state
    let wall = state.launch.clock.wall ?? opening.moment.wallNanoseconds
    self.opening = EventContext(sequence: opening.sequence, moment: Moment(wallNanoseconds: wall))
    addSettings()
    for account in state.accounts.records { add(account) }
    addProcess()
    for record in state.compliance.accounts.records { add(record) }
    for untold in state.compliance.untold { add(untold) }
    for record in state.launch.accounts.records { add(record) }
    for record in state.wipes.records { add(record) }
    addIdentities()
  }

  /// - Parameters:
  ///   - sequence: The event's number; 0 where the state does not name it.
  ///   - wall: When it was decided, where the state says.
  ///   - isRepeated: Whether rules judge it by the state that it was folded into, rather than by what it changed.
  private mutating func add(
    _ event: AppProtectionEvent, by sequence: UInt64 = 0, at wall: Int64? = nil, isRepeated: Bool = false
  ) {
    let moment = Moment(wallNanoseconds: wall ?? opening.moment.wallNanoseconds)
    let context = EventContext(sequence: sequence == 0 ? opening.sequence : sequence, moment: moment)
    steps.append(Step(event: event, context: context, before: isRepeated ? state : AppProtectionState()))
  }

  private mutating func addSettings() {
    if let device = state.configuration.device {
      var event = DeviceConfigurationChanged.blank
      (event.isDelivered, event.deviceID) = (true, device.deviceID)
      (event.restrictsAccounts, event.values) = (device.restrictsAccounts, device.values)
      add(.deviceConfigurationChanged(event))
    }
    if let account = state.settings.deviceAccount {
      var event = ManagedDeviceAccountChanged.blank
      (event.account, event.source) = (account, state.settings.deviceAccountSource)
      add(.managedDeviceAccountChanged(event))
    }
    if let allowed = state.settings.allowedAccounts {
      var event = AllowedAccountsChanged.blank
      (event.isRestricted, event.accounts) = (true, allowed)
      add(.allowedAccountsChanged(event))
    }
    let signedIn = state.accounts.records.filter(\.isSignedIn)
    if !signedIn.isEmpty {
      var event = SignInsReported.blank
      event.accounts = signedIn.map(\.account)
      event.workOrSchool = signedIn.filter(\.isForWorkOrSchool).map(\.account)
      add(.signInsReported(event))
    }
  }

  private mutating func add(_ account: Account) {
    let (number, enrollment) = (account.account, account.enrollment)
    let status = enrollment.status
    if status.isRegistered || status == .unenrolling || status == .wiping {
      var event = AccountRegistered.blank
      event.account = number
      add(.accountRegistered(event))
    }
    if status.isEnrolled { addEnrollment(number, enrollment) }
    if account.tokensRemoved {
      var event = TokenRemoved.blank
      event.account = number
      add(.tokenRemoved(event))
    }
    if enrollment.recordLost {
      var event = EnrollmentRecordGone.blank
      event.account = number
      add(.enrollmentRecordGone(event))
    }
    if status == .unenrolling || account.lingersAtService { addDeparture(account) } else { addAnswer(account) }
    addRequests(account)
  }

  private mutating func addEnrollment(_ account: AccountNumber, _ enrollment: Enrollment) {
    var event = EnrollmentSucceeded.blank
    let record = state.policies[account]
    (event.account, event.nextCheckIn) = (account, enrollment.checkInDue?.wall)
    event.code = record == nil ? .noPolicyReceived : .newPoliciesReceived
    add(.enrollmentSucceeded(event), at: enrollment.lastCompletedCheckIn)
    if let record {
      var event = PolicyReceived.blank
      (event.account, event.document, event.nextCheckIn) = (account, record.document, enrollment.checkInDue?.wall)
      event.waitsForRestart = !record.isEnforced
      add(.policyReceived(event), by: record.receivedBy, at: enrollment.lastCompletedCheckIn)
    }
    if let record = state.configuration.accounts[account] {
      var event = ConfigurationReceived.blank
      (event.account, event.entries) = (account, record.entries)
      add(.configurationReceived(event), by: record.receivedBy)
    }
  }

  /// The service's last answer, if it was a failure.
  private mutating func addAnswer(_ account: Account) {
    let enrollment = account.enrollment
    guard let code = enrollment.lastCode, enrollment.status.isRegistered, !code.isSuccess, code != .wipeReceived else {
      return
    }
    if enrollment.status.isEnrolled {
      var event = CheckInFailed.blank
      (event.account, event.code, event.nextRetry) = (account.account, code, enrollment.retryDue?.wall)
      add(.checkInFailed(event), at: enrollment.lastAttemptedCheckIn, isRepeated: true)
    } else {
      var event = EnrollmentFailed.blank
      (event.account, event.code, event.nextRetry) = (account.account, code, enrollment.retryDue?.wall)
      // Whether another account was in the way is a question about the others.
      add(.enrollmentFailed(event), isRepeated: true)
    }
  }

  private mutating func addDeparture(_ account: Account) {
    let enrollment = account.enrollment
    var event = UnenrollmentRequested.blank
    (event.account, event.wipe) = (account.account, enrollment.unenrollmentWipes)
    add(.unenrollmentRequested(event), by: enrollment.unenrollmentRequest, isRepeated: true)
    guard let code = enrollment.lastCode, account.lingersAtService || !code.isSuccess else { return }
    var failure = UnenrollmentFailed.blank
    (failure.account, failure.code) = (account.account, code)
    failure.lingersAtService = account.lingersAtService
    add(.unenrollmentFailed(failure))
  }

  /// The requests and questions of the account that have no answer.
  private mutating func addRequests(_ account: Account) {
    let (number, enrollment) = (account.account, account.enrollment)
    if enrollment.enrollmentRequest != 0 {
      var event = EnrollmentRequested.blank
      (event.account, event.trigger) = (number, enrollment.trigger)
      add(.enrollmentRequested(event), by: enrollment.enrollmentRequest)
    }
    if enrollment.checkInRequest != 0 {
      var event = CheckInRequested.blank
      event.account = number
      add(.checkInRequested(event), by: enrollment.checkInRequest, at: enrollment.lastAttemptedCheckIn)
    }
    if enrollment.switchQuestion != 0, let existing = enrollment.switchesFrom {
      var event = AccountSwitchAsked.blank
      (event.account, event.existing) = (number, existing)
      add(.accountSwitchAsked(event), by: enrollment.switchQuestion)
    }
    if account.additionQuestion != 0 {
      var event = AccountAdditionRequested.blank
      event.account = number
      add(.accountAdditionRequested(event), by: account.additionQuestion)
    }
  }

  private mutating func addProcess() {
    let process = state.process
    guard process.startedBy != 0 else { return }
    if state.launch.device != DeviceFacts() { add(.deviceReported(.with { $0.facts = state.launch.device })) }
    var event = ProcessStarted.blank
    (event.launch, event.isExtension) = (process.launch, process.isExtension)
    (event.appVersion, event.sdkVersion) = (process.appVersion, process.sdkVersion)
    (event.osVersion, event.deviceModel) = (process.osVersion, process.deviceModel)
    add(.processStarted(event), by: process.startedBy)
    if !process.isRunning { add(.processEnded(.blank)) }
    if process.loginQuestion != 0 { add(.loginRequested(.blank), by: process.loginQuestion) }
    guard let restart = process.restart else { return }
    var request = RestartRequired.blank
    (request.reason, request.account) = (restart.reason, restart.account)
    add(.restartRequired(request), by: restart.requestedBy)
    guard restart.answer != .none else { return }
    var answer = RestartAnswered.blank
    answer.answer = restart.answer
    add(.restartAnswered(answer))
  }

  private mutating func add(_ record: RemediationRecord) {
    guard state.compliance.isInProgress(record.account) else { return }
    var event = RemediationRequested.blank
    (event.account, event.isSilent) = (record.account, record.isSilent)
    add(.remediationRequested(event), by: record.requestedBy)
  }

  private mutating func add(_ untold: UntoldRemediation) {
    var event = RemediationFinished.blank
    (event.account, event.status, event.awaitsNotice) = (untold.account, untold.status, true)
    add(.remediationFinished(event), by: untold.finishedBy)
  }

  private mutating func add(_ record: LaunchRecord) {
    let account = record.account
    if record.isDisabled || record.clockStatus != .notConfigured {
      var event = UserStatusReceived.blank
      (event.account, event.isDisabled, event.clockStatus) = (account, record.isDisabled, record.clockStatus)
      add(.userStatusReceived(event))
    }
    guard record.evaluatedBy != 0, !record.outcome.isPassing else { return }
    var explanation = Explanation()
    let findings = state.launchDecision(
      for: account, at: opening.moment, explanation: &explanation, comparing: true
    ).findings
    var event = LaunchEvaluated.blank
    (event.account, event.trigger, event.outcome) = (account, record.trigger, record.outcome)
    (event.rule, event.findings, event.awaitsCheckIn) = (record.rule, findings, record.awaitsCheckIn)
    event.claimed = findings.filter { record.claimed.contains($0.rule) }
    add(.launchEvaluated(event), by: record.evaluatedBy)
  }

  private mutating func add(_ record: WipeRecord) {
    guard record.phase != .completed else { return }
    var event = WipeRequested.blank
    (event.account, event.reason, event.origin) = (record.account, record.reason, record.origin)
    event.precedesUnenrollment = record.precedesUnenrollment
    add(.wipeRequested(event), by: record.requestedBy, isRepeated: true)
    guard record.phase == .removingFiles else { return }
    var answer = WipeDelegateAnswered.blank
    answer.account = record.account
    add(.wipeDelegateAnswered(answer))
    guard record.retryDue != nil else { return }
    var failure = WipeFailed.blank
    failure.account = record.account
    add(.wipeFailed(failure))
  }

  private mutating func addIdentities() {
    let identities = state.identities
    let set: [(IdentityScope, Identity)] =
      [(.process, identities.process), (.ui, identities.ui)]
      + identities.windows.map { (.window($0.number), $0.identity) }
      + identities.threads.map { (.thread($0.label), $0.identity) }
    for (scope, identity) in set where identity != .unset {
      var event = IdentitySwitched.blank
      (event.scope, event.identity) = (scope, identity)
      add(.identitySwitched(event))
    }
    for request in identities.requests {
      var event = IdentitySwitchRequested.blank
      (event.scope, event.identity, event.reason) = (request.scope, request.identity, request.reason)
      add(.identitySwitchRequested(event), by: request.requestedBy)
    }
  }
}
