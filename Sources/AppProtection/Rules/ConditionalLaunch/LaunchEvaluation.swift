import EventSourcing

/// One evaluation of all of an account's launch conditions.
///
/// Holds what the conditions compare, not the state: a copy of that retains each of its parts.
struct LaunchEvaluation: ~Copyable {
  let account: AccountNumber
  let process: ProcessSlice
  let device: DeviceFacts
  let pin: PINRecord
  let trustedBiometry: Biometry
  let countsAnyAnswer: Bool
  /// The account's enrollment; `nil` if the journal does not know the account.
  let status: EnrollmentStatus?
  /// Whether a check-in needs the user: the tokens are gone, or the service asked for a sign-in.
  let needsSignIn: Bool
  let policy: PolicyDocument
  let record: LaunchRecord
  let assumptions: Assumptions
  /// The moment by the clock that never goes back.
  let now: Int64
  private(set) var findings: [LaunchFinding] = []
  private(set) var explanation: Explanation
  /// The finding that the explanation marks as the deciding one.
  private let deciding: LaunchFinding?
  /// The state, where the explanation quotes it.
  private let quoted: AppProtectionState?

  // Borrows the state, because an initializer is otherwise given a copy of its own.
  init(
    state: borrowing AppProtectionState, account: AccountNumber, policy: PolicyDocument, moment: Moment,
    _ explanation: Explanation, deciding: LaunchFinding? = nil
  ) {
    self.account = account
    self.deciding = deciding
    self.policy = policy
    self.explanation = explanation
    quoted = explanation.isRecording ? copy state : nil
    process = state.process
    device = state.launch.device
    pin = state.launch.pin
    trustedBiometry = state.trustedBiometry
    countsAnyAnswer = state.countsAnyAnswer
    status = state.accounts.read(account) { $0.enrollment.status }
    needsSignIn = state.accounts.read(account) { $0.tokensRemoved || $0.enrollment.awaitsSignIn } ?? false
    record = state.launch.accounts[account] ?? LaunchRecord(account: account)
    assumptions = state.settings.app.assumptions
    now = state.launch.clock.elapsed(at: moment)
  }

  /// Checks one condition that depends on time.
  mutating func check(_ condition: TimedCondition) {
    check(condition.rule, condition.outcome, remaining(until: condition).map { $0 <= 0 } ?? false)
  }

  /// Checks one condition.
  mutating func check(_ rule: LaunchRule, _ outcome: LaunchOutcome, _ isFound: Bool) {
    if let introduced = rule.introduced, process.isSDK(before: introduced) { return }
    explanation.evaluate(
      rule.id, rule.statement, isFound,
      reads: quoted?.reads(of: LaunchFinding(rule, outcome), account: account) ?? [],
      decides: isFound && deciding == LaunchFinding(rule, outcome))
    guard isFound else { return }
    if wasShown(rule, outcome) { return }
    assert(!findings.contains(LaunchFinding(rule, outcome)), "\(rule.id) was found twice")
    findings.append(LaunchFinding(rule, outcome))
  }

  /// Whether an outcome is a warning that the process has shown: it shows each once.
  func wasShown(_ rule: LaunchRule, _ outcome: LaunchOutcome) -> Bool {
    outcome == .warn && record.warned.contains(rule)
  }

  /// The time elapsed since a time by the clock that never goes back; never negative.
  func elapsed(since time: Int64) -> Int64 {
    max(now.distanceClamping(from: time), 0)
  }

  /// How long it takes until a condition is not met, zero or less where it is not; `nil` for one that time does not change.
  func remaining(until condition: TimedCondition) -> Int64? {
    switch condition.due {
    case .never: nil
    case .unmet: 0
    case .after(let interval, let base): interval.distanceClamping(from: elapsed(since: base))
    }
  }

  /// Checks all conditions in the state that this was created from.
  mutating func checkEverything(in state: AppProtectionState) {
    let conditions = policy.conditionalLaunch
    check(.pendingWipe, .wipe, status == .wiping)
    check(offlineWipe)
    checkDevice()
    checkVersions()
    check(offlineAccess(since: state.offlineAccessBase(of: account, explanation: &explanation)))
    // Without an action, the setting is off.
    if let action = conditions.appActionIfUnableToAuthenticateUser {
      check(.accountDisabled, Self.outcome(action), record.isDisabled)
    }
    if let clockOut { check(clockOut) }
    checkPIN()
    if let signIn { check(signIn) }
  }

  /// The outcome of an action. An unknown action blocks.
  static func outcome(_ action: RemediationAction?) -> LaunchOutcome {
    switch action {
    case .wipe: .wipe
    case .warn: .warn
    case .block, .blockWhenSettingIsSupported, .unrecognized, nil: .block
    }
  }

  private mutating func checkDevice() {
    let conditions = policy.conditionalLaunch
    let fails = !assumptions.unreportedFactsPass
    if conditions.deviceComplianceRequired == true {
      check(.jailbreak, Self.outcome(conditions.appActionIfDeviceComplianceRequired), device.isJailbroken ?? fails)
    }
    if let listed = conditions.allowedIosDeviceModels {
      let models = listed.split(separator: ";").map { $0.trimmed.lowercased() }.filter { !$0.isEmpty }
      let model = process.deviceModel.lowercased()
      let isRefused = model.isEmpty ? fails : !models.contains(model)
      check(
        .deviceModel, Self.outcome(conditions.appActionIfIosDeviceModelNotAllowed), !models.isEmpty && isRefused)
    }
    checkThreat()
    check(.keychain, .block, device.isKeychainUnreadable)
    if assumptions.encryptionNeedsDevicePasscode, let type = policy.encryption.appDataEncryptionType,
      type != .useDeviceSettings
    {
      check(.devicePasscode, .block, device.hasPasscode.map { !$0 } ?? fails)
    }
  }

  /// Without a report from threat defense, access is blocked, with guidance to install or activate it; the action
  /// applies to a reported level.
  private mutating func checkThreat() {
    let conditions = policy.conditionalLaunch
    guard let allowed = conditions.maximumAllowedDeviceThreatLevel, allowed != .notConfigured else { return }
    let report = device.threatDefense(by: conditions.mobileThreatDefensePartnerPriority)
    guard report.state == .active && report.level != .unknown else {
      check(.threatLevel, .block, true)
      return
    }
    // An unknown level counts as the strictest.
    let highest = allowed == .unrecognized ? DeviceThreatLevel.secured.number : allowed.number
    // Warnings are not among the actions that the setting accepts.
    let action = conditions.mobileThreatDefenseRemediationAction
    check(
      .threatLevel, action == .warn ? .block : Self.outcome(action),
      UInt64(report.level.rawValue) > highest)
  }

  private mutating func checkVersions() {
    let conditions = policy.conditionalLaunch
    checkVersion(
      process.sdkVersion, .sdkVersion, wipe: conditions.minimumWipeSdkVersion,
      block: conditions.minimumRequiredSdkVersion, warn: conditions.minimumWarningSdkVersion)
    checkVersion(
      process.appVersion, .appVersion, wipe: conditions.minimumWipeAppVersion,
      block: conditions.minimumRequiredAppVersion, warn: conditions.minimumWarningAppVersion)
    checkVersion(
      process.osVersion, .osMinimum, wipe: conditions.minimumWipeOsVersion,
      block: conditions.minimumRequiredOsVersion, warn: conditions.minimumWarningOsVersion)
    checkVersion(
      process.osVersion, .osMaximum, wipe: conditions.maximumWipeOsVersion,
      block: conditions.maximumRequiredOsVersion, warn: conditions.maximumWarningOsVersion)
    // A policy of a version that the SDK does not understand asks for a newer SDK, too.
    let block = LaunchFinding(.sdkVersion, .block)
    if device.isPolicyVersionUnknown && !findings.contains(block) {
      check(block.rule, block.outcome, true)
    }
  }

  private mutating func checkVersion(
    _ version: String, _ rule: LaunchRule, wipe: String?, block: String?, warn: String?
  ) {
    checkLimit(wipe, of: version, rule, .wipe)
    checkLimit(block, of: version, rule, .block)
    checkLimit(warn, of: version, rule, .warn)
  }

  private mutating func checkLimit(
    _ setting: String?, of version: String, _ rule: LaunchRule, _ outcome: LaunchOutcome
  ) {
    guard let limit = LaunchVersion(setting: setting) else { return }
    check(rule, outcome, isOutside(version, limit, rule, outcome))
  }

  private func isOutside(
    _ version: String, _ limit: LaunchVersion, _ rule: LaunchRule, _ outcome: LaunchOutcome
  ) -> Bool {
    guard let version = LaunchVersion(version) else { return !assumptions.unreportedFactsPass }
    if rule == .osMaximum { return version > limit }
    return version < limit || (version == limit && outcome == .wipe && assumptions.wipeVersionInclusive)
  }
}

extension Substring {
  /// The text without spaces around it.
  fileprivate var trimmed: Substring {
    var rest = self
    while rest.first == " " { rest.removeFirst() }
    while rest.last == " " { rest.removeLast() }
    return rest
  }
}

/// The outcome of an account's launch conditions at one moment, and why.
public struct LaunchDecision: Equatable, Sendable {
  /// The account.
  public let account: AccountNumber
  /// The outcome of the first finding.
  public let outcome: LaunchOutcome
  /// The rule that settled it.
  public let rule: LaunchRule
  /// All failed conditions in the order in which they count, without warnings that the user has seen in this process.
  public let findings: [LaunchFinding]
  /// The dialog's reason; `nil` if the app may be used without a dialog.
  public let dialog: LaunchReason?
  /// Whether a dialog offers to remove the account: an app of one identity has nothing else to show.
  public let offersRemoval: Bool
  /// The member of ``Assumptions`` on which the outcome rests; `nil` where the rule is published.
  public let assumption: String?

  /// The rule as a reason for the outcome, in one sentence.
  public var reason: String { rule.statement }

  /// The settings after it, by their names in Graph.
  public var settings: [String] { rule.settings(for: outcome) }

  /// The facts that were compared with them, as paths of the state.
  public var facts: [String] { rule.facts(of: account) }

  /// The warnings to be shown, one after another; none unless the outcome is ``LaunchOutcome/warn``.
  public var warnings: [LaunchRule] { outcome == .warn ? findings.map(\.rule) : [] }
}
