/// A call to a delegate, or a notification, that an event leads to.
///
/// The names are those of the SDK's delegates and notifications; the printed form is stable, such as
/// `enrollmentRequest a1 100`.
public enum Callback: Equatable, Sendable, CustomStringConvertible {
  /// `EnrollmentDelegate`: an enrollment ended with this code. Without an account where none was named that is known.
  case enrollmentRequest(AccountNumber?, EnrollmentStatusCode)
  /// `EnrollmentDelegate`: a check-in ended with this code.
  case policyRequest(AccountNumber, EnrollmentStatusCode)
  /// `EnrollmentDelegate`: an unenrollment ended with this code. Without an account where the app named none that is known.
  case unenrollRequest(AccountNumber?, EnrollmentStatusCode)
  /// `PolicyDelegate`: wipe the account's data.
  case wipeData(AccountNumber)
  /// `PolicyDelegate`: restart the app.
  case restartApplication
  /// `PolicyDelegate`: switch the identity.
  case identitySwitchRequired(IdentityScope, Identity, IdentitySwitchReason)
  /// `PolicyDelegate`: add an account that was enrolled without the app's doing.
  case addAccount(AccountNumber)
  /// `ComplianceDelegate`: a remediation ended.
  case complianceStatus(AccountNumber, ComplianceStatus)
  /// Notification: the account's policy changed.
  case policyDidChange(AccountNumber)
  /// Notification: whether the account's files must be encrypted changed (``AppProtectionState/fileEncryption(for:)``).
  case dataProtectionDidChange(AccountNumber)
  /// Notification: the account's wipe is complete.
  case wipeDidComplete(AccountNumber)
  /// Notification: which accounts may sign in changed.
  case allowedAccountsDidChange
  /// Notification: the configuration of the account changed, or of the device, which is no account's.
  case configurationDidChange(AccountNumber?)
  /// `PresentationDelegate`: the account has the name of a managed one and another object id.
  case accountConflict(AccountNumber, existing: AccountNumber)

  /// `PresentationDelegate`: the account's launch conditions ask something, warn, or keep the app closed.
  case conditionalLaunch(AccountNumber, LaunchOutcome, LaunchRule)
  /// Notification: whether the account's user is at work, or whether the account is disabled, changed.
  case userStatusDidChange(AccountNumber)

  /// The name, the account and the code.
  public var description: String { ([name.rawValue] + arguments).joined(separator: " ") }

  private var arguments: [String] {
    switch self {
    case .enrollmentRequest(let account, let code), .unenrollRequest(let account, let code):
      [account?.description ?? "none", "\(code.rawValue)"]
    case .policyRequest(let account, let code): ["\(account)", "\(code.rawValue)"]
    case .identitySwitchRequired(let scope, let identity, let reason): ["\(scope)", "\(identity)", reason.name]
    case .complianceStatus(let account, let status): ["\(account)", status.name]
    case .configurationDidChange(let account): [account?.description ?? "device"]
    case .accountConflict(let account, let existing): ["\(account)", "\(existing)"]
    case .conditionalLaunch(let account, let outcome, let rule): ["\(account)", outcome.name, rule.id]
    case .restartApplication, .allowedAccountsDidChange: []
    case .wipeData(let account), .addAccount(let account), .policyDidChange(let account),
      .dataProtectionDidChange(let account), .wipeDidComplete(let account), .userStatusDidChange(let account):
      ["\(account)"]
    }
  }
}
