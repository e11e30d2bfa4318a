/// What somebody wants to happen: the app, the user, the service with its answers, or the clock.
///
/// Accounts are named by ``AccountReference``; whoever answers a piece of pending work names them by number, and says with
/// `intent` which event's question it answers (``PendingWork/cause``): an answer that was on its way when the question
/// was withdrawn, and asked anew, is refused. Without an intent whatever question is open is answered.
public enum AppProtectionCommand: Equatable, Sendable {
  // MARK: The process and its settings

  /// A process of the app started. Settings, where given, replace those that are known.
  case startProcess(ProcessStart, settings: AppSettings? = nil)
  /// The process ends in an orderly way.
  case endProcess
  /// The settings are others.
  case changeSettings(AppSettings)
  /// The delegate or the user answered the request for a restart.
  case answerRestart(RestartAnswer, postponedMinutes: UInt32 = 0)
  /// The user dismissed the warning that there is no policy.
  case acknowledgeMissingPolicy
  /// Device management lets only these accounts sign in; `nil` lifts the restriction.
  case setAllowedAccounts([AccountReference]?)
  /// The device is managed for this account; `nil` for none.
  case setDeviceAccount(AccountReference?, source: DeviceAccountSource = .mdm)
  /// Device management delivers this configuration; `nil` takes it away. It can name the device's account, and let only
  /// that one sign in (``DeviceConfigurationKey``).
  case setDeviceConfiguration([ConfigurationValue]?, source: DeviceAccountSource = .mdm)
  /// Time has passed: whatever is due is requested.
  case startDueWork
  /// The engine notes that a command was refused, because it is asked to.
  case noteRefusal(CommandRefused)

  // MARK: Enrollment

  /// `registerAndEnroll`; `nil` is what an app passes that has no account.
  case registerAndEnroll(AccountReference?)
  /// `loginAndEnroll`; without an account the device's user is enrolled, or the user is asked.
  case loginAndEnroll(AccountReference?)
  /// The user said who signs in; `nil` when the user canceled.
  case answerLogin(AccountReference?)
  /// `deregisterAndUnenroll`.
  case deregisterAndUnenroll(AccountReference?, wipe: Bool)
  /// More is known about an account than before: the reference carries an object id, a name, or both.
  case identifyAccount(AccountReference)
  /// The user chose between the managed account and the one that wants in.
  case answerAccountSwitch(AccountReference, AccountChoice, intent: UInt64? = nil)
  /// The service answered a request to enroll.
  case answerEnrollment(AccountReference, ServiceAnswer, intent: UInt64? = nil)
  /// The app, the user or the schedule asks for a check-in.
  case requestCheckIn(AccountReference, CheckInTrigger = .request)
  /// The service answered a check-in.
  case answerCheckIn(AccountReference, ServiceAnswer, intent: UInt64? = nil)
  /// The service answered a request to unenroll: `nil` for success, or why not.
  case answerUnenrollment(AccountReference, failure: ServiceFailure? = nil, intent: UInt64? = nil)
  /// The app says who is signed in to it, all of them, and which of them it uses for work or school. Of the others nothing is
  /// expected: only accounts for work or school are registered.
  case reportSignIns([AccountReference], workOrSchool: [AccountReference] = [])
  /// Whether the account must be the only managed one.
  case setExclusivity(AccountReference, Bool)
  /// The app was asked to add an account that was enrolled without its doing, and answered.
  case answerAddition(AccountReference, AddIdentityResult, intent: UInt64? = nil)
  /// The service delivered the configuration of an enrolled account; no entries mean that none is meant for it any more.
  case deliverConfiguration(AccountReference, [ConfigurationEntry])
  /// The app has a token for the account.
  case acquireToken(AccountReference)
  /// The app removed the account's tokens.
  case removeToken(AccountReference)
  /// The token library refused a token with this error.
  case denyToken(AccountReference, error: Int64 = AppProtectionCommand.protectionRequired)

  // MARK: Identity

  /// The app sets an identity. In the user interface a managed account's launch conditions are evaluated. What they ask of
  /// the user is open where there is no `outcome`: give the answers, then set the identity again. `success` says that the
  /// user has given them, everything else that the user has not.
  case setIdentity(IdentityScope, TargetIdentity, outcome: SwitchIdentityResult? = nil)
  /// The engine asks the delegate to switch.
  case requestIdentitySwitch(IdentityScope, TargetIdentity, IdentitySwitchReason)
  /// The delegate answered; `isAddIdentityResult` says that it passed a constant of ``AddIdentityResult``. What a managed
  /// account's launch conditions ask of the user is open, as where the app sets an identity without an outcome.
  case answerIdentitySwitch(IdentityScope, SwitchIdentityResult, isAddIdentityResult: Bool = false)
  /// A window or a thread is gone.
  case closeScope(IdentityScope)

  // MARK: Wipe

  /// An account's data is to be wiped.
  case requestWipe(AccountReference, WipeReason, WipeOrigin)
  /// The delegate was asked; without a delegate the answer is `false`.
  case answerWipe(AccountReference, removedEverything: Bool, intent: UInt64? = nil)
  /// The engine removed this many files, all there were.
  case reportFilesRemoved(AccountReference, count: UInt64, intent: UInt64? = nil)
  /// The engine removed this many files, and some are left.
  case reportFilesLeft(AccountReference, count: UInt64, error: String, intent: UInt64? = nil)

  // MARK: Compliance

  /// `remediateCompliance`.
  case remediateCompliance(AccountReference?, isSilent: Bool)
  /// The remediation under way ended.
  case answerRemediation(
    AccountReference, ComplianceStatus, message: String = "", title: String = "", intent: UInt64? = nil)
  /// The app was told how the account's remediation ended.
  case confirmRemediation(AccountReference, intent: UInt64? = nil)

  // MARK: Conditional launch

  /// The app found out these facts about the device.
  case reportDevice(DeviceFacts)
  /// The service said whether the account is disabled, and whether its user is at work.
  case reportUserStatus(AccountReference, ClockStatus, isDisabled: Bool)
  /// The app was opened, or came back to the front, for the account.
  case evaluateLaunch(AccountReference, LaunchTrigger)
  /// The user signed in, as somebody, because a launch condition of the account asked for it.
  case signInForLaunch(AccountReference, as: AccountReference)
  /// The user does not answer what a launch condition of the account asks, or fails to sign in.
  case cancelLaunch(AccountReference)
  /// The user chooses a PIN because the account's policy asks for one. `equalTo` says how many PINs ago it was last used,
  /// 1 for the one before; `nil` for one that was not used before. The PIN itself stays with the app.
  case setPIN(AccountReference, PINFacts, equalTo: UInt32? = nil)
  /// The user entered a PIN, or gave biometrics, and it was right or wrong.
  case reportPINAttempt(AccountReference, isRight: Bool, byBiometrics: Bool = false)
  /// The set of fingers or faces that the device knows is another one.
  case reportBiometricsChange

  /// −50004: the token library's error for "server protection policies required".
  public static let protectionRequired: Int64 = -50004
}
