/// A delegate call or a notification that an event causes.
///
/// The names are those of the SDK's delegates and notifications; the printed form is stable, such as
/// `enrollmentRequest a1 100`.
public enum Callback: Equatable, Sendable, CustomStringConvertible {
  /// `EnrollmentDelegate`: an enrollment ended with this code. `nil` if the app named no known account.
  case enrollmentRequest(AccountNumber?, EnrollmentStatusCode)
  /// `EnrollmentDelegate`: a check-in ended with this code.
  case policyRequest(AccountNumber, EnrollmentStatusCode)
  /// `EnrollmentDelegate`: an unenrollment ended with this code. `nil` if the app named no known account.
  case unenrollRequest(AccountNumber?, EnrollmentStatusCode)
  /// `PolicyDelegate`: wipe the account's data.
  case wipeData(AccountNumber)
  /// `PolicyDelegate`: restart the app.
  case restartApplication
  /// `PolicyDelegate`: switch the identity.
  case identitySwitchRequired(IdentityScope, Identity, IdentitySwitchReason)
  /// `PolicyDelegate`: add an account that the app did not enroll itself.
  case addAccount(AccountNumber)
  /// `ComplianceDelegate`: a remediation ended.
  case complianceStatus(AccountNumber, ComplianceStatus)
  /// Notification: the account's policy changed.
  case policyDidChange(AccountNumber)
  /// Notification: the level at which the account's data is protected changed, or the requirement to encrypt its files
  /// (``AppProtectionState/fileProtection(for:maximum:)``, ``AppProtectionState/fileEncryption(for:)``).
  case dataProtectionDidChange(AccountNumber)
  /// Notification: the account's wipe is complete.
  case wipeDidComplete(AccountNumber)
  /// Notification: the list of allowed accounts changed.
  case allowedAccountsDidChange
  /// Notification: the configuration of the account changed, or of the device (`nil`).
  case configurationDidChange(AccountNumber?)
  /// `PresentationDelegate`: the account shares a managed account's name but has a different object id.
  case accountConflict(AccountNumber, existing: AccountNumber)

  /// `PresentationDelegate`: the account's launch conditions ask the user something, warn, or block the app.
  case conditionalLaunch(AccountNumber, LaunchOutcome, LaunchRule)
  /// Notification: the user started or stopped work, or the account was disabled or enabled.
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
