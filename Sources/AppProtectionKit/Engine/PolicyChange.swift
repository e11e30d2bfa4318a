import AppProtection

/// A change that an app may want to know of, as ``PolicyEngine/changes()`` yields it.
///
/// Each value stands for an event in the journal. The values it concerns are already those of ``PolicyEngine/state``.
public enum PolicyChange: Equatable, Sendable {
  /// An enrollment ended. `nil` if the app named no account that the journal knows.
  case enrollmentDidEnd(AccountNumber?, EnrollmentStatusCode)
  /// A check-in ended.
  case checkInDidEnd(AccountNumber, EnrollmentStatusCode)
  /// An unenrollment ended. `nil` if the app named no account that the journal knows.
  case unenrollmentDidEnd(AccountNumber?, EnrollmentStatusCode)
  /// A remediation ended.
  case remediationDidEnd(AccountNumber, ComplianceStatus)
  /// The account's policy changed (`IntuneMAMPolicyDidChangeNotification`).
  case policyDidChange(AccountNumber)
  /// The level at which the account's data is protected changed, or the requirement to encrypt its files
  /// (`IntuneMAMDataProtectionDidChangeNotification`).
  case dataProtectionDidChange(AccountNumber)
  /// The account's wipe is complete (`IntuneMAMWipeDidCompleteNotification`).
  case wipeDidComplete(AccountNumber)
  /// The set of accounts that may sign in changed (`IntuneMAMAllowedAccountsDidChangeNotification`).
  case allowedAccountsDidChange
  /// The configuration of the account changed, or of the device (`nil`; `IntuneMAMAppConfigDidChangeNotification`).
  case configurationDidChange(AccountNumber?)
  /// The user's clock-in status, or whether the account is disabled, changed
  /// (`IntuneMAMUserStatusDidChangeNotification`).
  case userStatusDidChange(AccountNumber)
  /// The account has the name of a managed account but another object id.
  case accountDidConflict(AccountNumber, existing: AccountNumber)
  /// The account's launch conditions ask something of the user, warn, or keep the app closed.
  case launchConditionsDidChange(AccountNumber, LaunchOutcome, LaunchRule)

  /// The change that a callback reports; `nil` for a question, whose answer is an event of its own.
  init?(_ callback: Callback) {
    switch callback {
    case .enrollmentRequest(let account, let code): self = .enrollmentDidEnd(account, code)
    case .policyRequest(let account, let code): self = .checkInDidEnd(account, code)
    case .unenrollRequest(let account, let code): self = .unenrollmentDidEnd(account, code)
    case .complianceStatus(let account, let status): self = .remediationDidEnd(account, status)
    case .policyDidChange(let account): self = .policyDidChange(account)
    case .dataProtectionDidChange(let account): self = .dataProtectionDidChange(account)
    case .wipeDidComplete(let account): self = .wipeDidComplete(account)
    case .allowedAccountsDidChange: self = .allowedAccountsDidChange
    case .configurationDidChange(let account): self = .configurationDidChange(account)
    case .userStatusDidChange(let account): self = .userStatusDidChange(account)
    case .accountConflict(let account, let existing): self = .accountDidConflict(account, existing: existing)
    case .conditionalLaunch(let account, let outcome, let rule):
      self = .launchConditionsDidChange(account, outcome, rule)
    case .wipeData, .restartApplication, .identitySwitchRequired, .addAccount: return nil
    }
  }
}

/// Ends a sequence of changes whose reader fell too far behind: subscribe again, and read the state.
public struct ChangesMissed: Error, Equatable, CustomStringConvertible {
  /// Number of changes that were waiting to be read when the next one came.
  public let buffered: Int

  /// What happened and what to do.
  public var description: String {
    "\(buffered) changes were waiting when the next one came, which is lost; subscribe again, and read the state"
  }
}

extension PolicyEngine {
  /// The most changes that wait for a subscriber.
  public static let changeBufferSize = 1_024

  /// The changes from now on, in the order of their events, as soon as they are durable.
  ///
  /// ```swift
  /// for try await change in engine.changes() {
  ///   if case .policyDidChange(let account) = change { await reload(account) }
  /// }
  /// ```
  ///
  /// Each call is a new subscription, and every subscriber gets every change. Up to ``changeBufferSize`` changes wait for a
  /// subscriber that is busy. When one more comes, the subscriber still gets those, and then ``ChangesMissed`` ends its
  /// sequence: it subscribes again, and reads the state. A slow subscriber delays neither the engine nor the others.
  ///
  /// The sequence ends with the engine (``end()``). Delegates are notified in the same order, but by ``run()``, and so later.
  public func changes() -> AsyncThrowingStream<PolicyChange, any Error> {
    relay.changes(buffering: Self.changeBufferSize)
  }
}
