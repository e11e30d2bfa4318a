import AppProtection

/// Carries out what policy demands of the app (`IntuneMAMPolicyDelegate`), and hears of changes.
///
/// Called on the thread that runs the engine. A question is asked again at the next launch when the process died before
/// the answer was durable; wiping must therefore bear repetition.
public protocol PolicyDelegate: Sendable {
  /// Remove the account's data. Return `true` when everything is removed, `false` to let the engine remove the files
  /// that belong to the account. Data of other accounts must stay.
  func wipeData(account: AccountNumber) -> Bool
  /// A restart is needed. Return `true` when the app restarts itself, `false` to have the user asked.
  func restartApplication() -> Bool
  /// Switch to `identity` and say how that went.
  func identitySwitchRequired(
    scope: IdentityScope, identity: Identity, reason: IdentitySwitchReason
  ) -> SwitchIdentityResult
  /// Switch to `identity` and answer with whatever constant the app has: an engine of the SDK's kind reads its number.
  func identitySwitchReply(scope: IdentityScope, identity: Identity, reason: IdentitySwitchReason) -> SwitchReply
  /// The engine enrolled an account that the app did not name (`addAccountId`): add it, and say how that went.
  func addAccount(account: AccountNumber) -> AddIdentityResult
  /// The configuration of the account changed; `nil` is that of the device.
  func configurationDidChange(account: AccountNumber?)
  /// The account's policy changed.
  func policyDidChange(account: AccountNumber)
  /// Whether the account's files must be encrypted changed (`IntuneMAMDataProtectionDidChangeNotification`): ask
  /// ``/AppProtection/AppProtectionState/fileEncryption(for:)`` again, and encrypt or decrypt them.
  func dataProtectionDidChange(account: AccountNumber)
  /// The account's wipe is complete.
  func wipeDidComplete(account: AccountNumber)
  /// Which accounts may sign in changed.
  func allowedAccountsDidChange()
  /// Whether the account's user is at work, or whether the account is disabled, changed
  /// (`IntuneMAMUserStatusDidChangeNotification`).
  func userStatusDidChange(account: AccountNumber)
}

extension PolicyDelegate {
  /// Leaves the files to the engine.
  public func wipeData(account: AccountNumber) -> Bool { false }
  /// Leaves the restart to the user.
  public func restartApplication() -> Bool { false }
  /// Switches nothing: the answer is ``SwitchIdentityResult/failed``.
  public func identitySwitchRequired(
    scope: IdentityScope, identity: Identity, reason: IdentitySwitchReason
  ) -> SwitchIdentityResult { .failed }
  /// Answers with a constant for switches: that of ``identitySwitchRequired(scope:identity:reason:)``.
  public func identitySwitchReply(
    scope: IdentityScope, identity: Identity, reason: IdentitySwitchReason
  ) -> SwitchReply {
    .result(identitySwitchRequired(scope: scope, identity: identity, reason: reason))
  }
  /// Adds nothing: the answer is ``AddIdentityResult/failed``.
  public func addAccount(account: AccountNumber) -> AddIdentityResult { .failed }
  /// Does nothing.
  public func configurationDidChange(account: AccountNumber?) {}
  /// Does nothing.
  public func policyDidChange(account: AccountNumber) {}
  /// Does nothing.
  public func dataProtectionDidChange(account: AccountNumber) {}
  /// Does nothing.
  public func wipeDidComplete(account: AccountNumber) {}
  /// Does nothing.
  public func allowedAccountsDidChange() {}
  /// Does nothing.
  public func userStatusDidChange(account: AccountNumber) {}
}
