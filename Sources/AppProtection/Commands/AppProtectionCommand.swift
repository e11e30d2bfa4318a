import EventSourcing

/// What the app, the user, the service or the clock wants to happen.
///
/// Commands name accounts by ``AccountReference``. An answer to pending work names the account by number, and its
/// `intent` names the event that asked the question (``PendingWork/cause``). An answer to a question that has since
/// been withdrawn and asked again is refused. Without an intent, a command answers the open question.
public enum AppProtectionCommand: Equatable, Sendable {
  // MARK: The process and its settings

  /// A process of the app started. Settings, if given, replace the current ones.
  case startProcess(ProcessStart, settings: AppSettings? = nil)
  /// The process ends in an orderly way.
  case endProcess
  /// The settings changed.
  case changeSettings(AppSettings)
  /// The app overrides what its property list says to the token library, in place of all earlier overrides.
  case overrideSettings(TokenLibraryOverrides)
  /// The delegate or the user answered the request for a restart.
  case answerRestart(RestartAnswer, postponedMinutes: UInt32 = 0, intent: UInt64? = nil)
  /// The user dismissed the warning about the missing policy.
  case acknowledgeMissingPolicy
  /// Device management lets only these accounts sign in; `nil` lifts the restriction.
  case setAllowedAccounts([AccountReference]?)
  /// The device is managed for this account; `nil` for none.
  case setDeviceAccount(AccountReference?, source: DeviceAccountSource = .mdm)
  /// Device management delivers this configuration; `nil` withdraws it. It can name the device's account, and let only
  /// that one sign in (``DeviceConfigurationKey``).
  case setDeviceConfiguration([ConfigurationValue]?, source: DeviceAccountSource = .mdm)
  /// Time has passed: requests everything that is due.
  case startDueWork
  /// The engine records a refused command, if it is set to do so.
  case noteRefusal(CommandRefused)

  // MARK: Enrollment

  /// `registerAndEnroll`; an app without an account passes `nil`.
  case registerAndEnroll(AccountReference?)
  /// `loginAndEnroll`; without an account the device's user is enrolled, or the user is asked.
  case loginAndEnroll(AccountReference?)
  /// The user said who signs in; `nil` when the user canceled.
  case answerLogin(AccountReference?, intent: UInt64? = nil)
  /// `deregisterAndUnenroll`.
  case deregisterAndUnenroll(AccountReference?, wipe: Bool)
  /// More is known about an account than before: the reference carries an object id, a name, or both.
  case identifyAccount(AccountReference)
  /// The user chose between the managed account and the one asking to be managed.
  case answerAccountSwitch(AccountReference, AccountChoice, intent: UInt64? = nil)
  /// The service answered a request to enroll.
  case answerEnrollment(AccountReference, ServiceAnswer, intent: UInt64? = nil)
  /// The app, the user or the schedule asks for a check-in.
  case requestCheckIn(AccountReference, CheckInTrigger = .request)
  /// The service answered a check-in.
  case answerCheckIn(AccountReference, ServiceAnswer, intent: UInt64? = nil)
  /// The service answered a request to unenroll: `nil` for success, or why not.
  case answerUnenrollment(AccountReference, failure: ServiceFailure? = nil, intent: UInt64? = nil)
  /// The app lists every signed-in account and which of them it uses for work or school. The others need not be
  /// registered.
  case reportSignIns([AccountReference], workOrSchool: [AccountReference] = [])
  /// Whether the account must be the only managed one.
  case setExclusivity(AccountReference, Bool)
  /// The app answered a request to add an account that it did not enroll itself.
  case answerAddition(AccountReference, AddIdentityResult, intent: UInt64? = nil)
  /// The service delivered an enrolled account's configuration; an empty list withdraws it.
  case deliverConfiguration(AccountReference, [ConfigurationEntry])
  /// The app has a token for the account.
  case acquireToken(AccountReference)
  /// The app removed the account's tokens.
  case removeToken(AccountReference)
  /// The token library refused a token with this error.
  case denyToken(AccountReference, error: Int64 = TokenDenied.protectionRequired)

  // MARK: Identity

  /// The app sets an identity. In the user interface, this evaluates a managed account's launch conditions. Without an
  /// `outcome`, their questions to the user stay open: answer them, then set the identity again. `success` says that
  /// the user has answered them; any other outcome says that the user has not.
  case setIdentity(IdentityScope, TargetIdentity, outcome: SwitchIdentityResult? = nil)
  /// The engine asks the delegate to switch.
  case requestIdentitySwitch(IdentityScope, TargetIdentity, IdentitySwitchReason)
  /// The delegate answered; `isAddIdentityResult` says that it passed a constant of ``AddIdentityResult``. The
  /// questions of a managed account's launch conditions stay open, as when the app sets an identity without an outcome.
  case answerIdentitySwitch(
    IdentityScope, SwitchIdentityResult, isAddIdentityResult: Bool = false, intent: UInt64? = nil)
  /// A window or a thread is gone.
  case closeScope(IdentityScope)

  // MARK: Wipe

  /// An account's data is to be wiped.
  case requestWipe(AccountReference, WipeReason, WipeOrigin)
  /// The delegate was asked; without a delegate the answer is `false`.
  case answerWipe(AccountReference, removedEverything: Bool, intent: UInt64? = nil)
  /// The engine removed all files, this many.
  case reportFilesRemoved(AccountReference, count: UInt64, intent: UInt64? = nil)
  /// The engine removed this many files; others remain.
  case reportFilesLeft(AccountReference, count: UInt64, error: String, intent: UInt64? = nil)

  // MARK: Compliance

  /// `remediateCompliance`.
  case remediateCompliance(AccountReference?, isSilent: Bool)
  /// The remediation under way ended.
  case answerRemediation(
    AccountReference, ComplianceStatus, message: String = "", title: String = "", intent: UInt64? = nil)
  /// The app was notified of how the account's remediation ended.
  case confirmRemediation(AccountReference, intent: UInt64? = nil)

  // MARK: Conditional launch

  /// The app reports these facts about the device.
  case reportDevice(DeviceFacts)
  /// The device's local time minus UTC, in nanoseconds.
  case noteUTCOffset(Int64)
  /// The service said whether the account is disabled, and whether its user is at work.
  case reportUserStatus(AccountReference, ClockStatus, isDisabled: Bool)
  /// The app was opened, or returned to the foreground, for the account.
  case evaluateLaunch(AccountReference, LaunchTrigger)
  /// The user signed in, perhaps with another account, because a launch condition of the account required it.
  case signInForLaunch(AccountReference, as: AccountReference)
  /// The user canceled a question of the account's launch conditions, or failed to sign in.
  case cancelLaunch(AccountReference)
  /// The user chooses a PIN because the account's policy asks for one. `equalTo` says how many PINs ago it was last used,
  /// 1 for the one before; `nil` for one that was not used before. The PIN itself stays with the app.
  case setPIN(AccountReference, PINFacts, equalTo: UInt32? = nil)
  /// The user entered a PIN, or gave biometrics, and it was right or wrong.
  case reportPINAttempt(AccountReference, isRight: Bool, byBiometrics: Bool = false)
  /// The fingers or faces enrolled on the device changed.
  case reportBiometricsChange
}

extension AppProtectionCommand {
  /// A command's name without its values; journals record refused commands by this name.
  public enum Name: String, CaseIterable, Sendable {
    case startProcess
    case endProcess
    case changeSettings
    case overrideSettings
    case answerRestart
    case acknowledgeMissingPolicy
    case setAllowedAccounts
    case setDeviceAccount
    case setDeviceConfiguration
    case startDueWork
    case noteRefusal
    case registerAndEnroll
    case loginAndEnroll
    case answerLogin
    case deregisterAndUnenroll
    case identifyAccount
    case answerAccountSwitch
    case answerEnrollment
    case requestCheckIn
    case answerCheckIn
    case answerUnenrollment
    case reportSignIns
    case setExclusivity
    case answerAddition
    case deliverConfiguration
    case acquireToken
    case removeToken
    case denyToken
    case setIdentity
    case requestIdentitySwitch
    case answerIdentitySwitch
    case closeScope
    case requestWipe
    case answerWipe
    case reportFilesRemoved
    case reportFilesLeft
    case remediateCompliance
    case answerRemediation
    case confirmRemediation
    case reportDevice
    case noteUTCOffset
    case reportUserStatus
    case evaluateLaunch
    case signInForLaunch
    case cancelLaunch
    case setPIN
    case reportPINAttempt
    case reportBiometricsChange
  }

  /// The command's name.
  public var name: Name {
    switch self {
    case .startProcess: .startProcess
    case .endProcess: .endProcess
    case .changeSettings: .changeSettings
    case .overrideSettings: .overrideSettings
    case .answerRestart: .answerRestart
    case .acknowledgeMissingPolicy: .acknowledgeMissingPolicy
    case .setAllowedAccounts: .setAllowedAccounts
    case .setDeviceAccount: .setDeviceAccount
    case .setDeviceConfiguration: .setDeviceConfiguration
    case .startDueWork: .startDueWork
    case .noteRefusal: .noteRefusal
    case .registerAndEnroll: .registerAndEnroll
    case .loginAndEnroll: .loginAndEnroll
    case .answerLogin: .answerLogin
    case .deregisterAndUnenroll: .deregisterAndUnenroll
    case .identifyAccount: .identifyAccount
    case .answerAccountSwitch: .answerAccountSwitch
    case .answerEnrollment: .answerEnrollment
    case .requestCheckIn: .requestCheckIn
    case .answerCheckIn: .answerCheckIn
    case .answerUnenrollment: .answerUnenrollment
    case .reportSignIns: .reportSignIns
    case .setExclusivity: .setExclusivity
    case .answerAddition: .answerAddition
    case .deliverConfiguration: .deliverConfiguration
    case .acquireToken: .acquireToken
    case .removeToken: .removeToken
    case .denyToken: .denyToken
    case .setIdentity: .setIdentity
    case .requestIdentitySwitch: .requestIdentitySwitch
    case .answerIdentitySwitch: .answerIdentitySwitch
    case .closeScope: .closeScope
    case .requestWipe: .requestWipe
    case .answerWipe: .answerWipe
    case .reportFilesRemoved: .reportFilesRemoved
    case .reportFilesLeft: .reportFilesLeft
    case .remediateCompliance: .remediateCompliance
    case .answerRemediation: .answerRemediation
    case .confirmRemediation: .confirmRemediation
    case .reportDevice: .reportDevice
    case .noteUTCOffset: .noteUTCOffset
    case .reportUserStatus: .reportUserStatus
    case .evaluateLaunch: .evaluateLaunch
    case .signInForLaunch: .signInForLaunch
    case .cancelLaunch: .cancelLaunch
    case .setPIN: .setPIN
    case .reportPINAttempt: .reportPINAttempt
    case .reportBiometricsChange: .reportBiometricsChange
    }
  }
}

extension AppProtectionCommand {
  /// A request of the app that a delegate method answers, even if the rules refuse it (T3, T4), and its account.
  public enum AnsweredRequest: Equatable, Sendable {
    /// To enroll the account.
    case enrollment(AccountReference?)
    /// To unenroll it.
    case unenrollment(AccountReference?)
  }

  /// The request that this command is; `nil` if the app learns of a refusal from the error alone.
  public var answeredRequest: AnsweredRequest? {
    switch self {
    case .registerAndEnroll(let account), .loginAndEnroll(let account): .enrollment(account)
    case .deregisterAndUnenroll(let account, wipe: _): .unenrollment(account)
    case .startProcess, .endProcess, .changeSettings, .overrideSettings, .answerRestart, .acknowledgeMissingPolicy,
      .setAllowedAccounts, .setDeviceAccount, .setDeviceConfiguration, .startDueWork, .noteRefusal, .answerLogin,
      .identifyAccount, .answerAccountSwitch, .answerEnrollment, .requestCheckIn, .answerCheckIn,
      .answerUnenrollment, .reportSignIns, .setExclusivity, .answerAddition, .deliverConfiguration,
      .acquireToken, .removeToken, .denyToken, .setIdentity, .requestIdentitySwitch, .answerIdentitySwitch,
      .closeScope, .requestWipe, .answerWipe, .reportFilesRemoved, .reportFilesLeft, .remediateCompliance,
      .answerRemediation, .confirmRemediation, .reportDevice, .noteUTCOffset, .reportUserStatus,
      .evaluateLaunch, .signInForLaunch, .cancelLaunch, .setPIN, .reportPINAttempt, .reportBiometricsChange:
      nil
    }
  }
}

/// The identity that a command asks to set.
public enum TargetIdentity: Hashable, Sendable {
  /// Nothing: the next level decides (`nil` in the SDK).
  case unset
  /// Explicitly unmanaged (the empty string in the SDK).
  case unmanaged
  /// An account, even one never mentioned before.
  case account(AccountReference)
}

/// A starting process's description of itself and the device.
public struct ProcessStart: Equatable, Sendable {
  /// The device's boot session, if known.
  public var bootSession: GUID?
  /// The app's own version, which launch conditions compare.
  public var appVersion = ""
  /// The version of the SDK whose rules apply, such as ``Version/rules``. Where it is empty, every rule applies, but a policy
  /// that requires a version keeps the app closed.
  public var sdkVersion = ""
  /// The version of the operating system.
  public var osVersion = ""
  /// The device's model identifier.
  public var deviceModel = ""
  /// Whether the process is an app extension.
  public var isExtension = false
  /// Local time minus UTC, in nanoseconds; `nil` if unknown. The kit's engine asks its clock.
  public var utcOffset: Int64?
  /// The facts the app found out about the device; `nil` keeps the known ones.
  public var device: DeviceFacts?

  /// Nothing is known yet; fill in what the app finds out.
  public init() {}

  /// What an app knows of itself: its version, and the SDK whose rules apply to it, by default the newest.
  public init(appVersion: String, sdkVersion: String = Version.rules) {
    self.appVersion = appVersion
    self.sdkVersion = sdkVersion
  }
}
