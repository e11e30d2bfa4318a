import AppProtection

/// Carries out what policy requires of the app (`IntuneMAMPolicyDelegate`), and receives changes.
///
/// Awaited by the run of the engine, one after the other; requests and wipes go on meanwhile. A call that takes long should end
/// when its task is canceled, as by ``PolicyEngine/end()``. If the process dies before the answer is durable, the question is asked
/// again at the next launch; wiping must therefore be repeatable.
public protocol PolicyDelegate: Sendable {
  /// Remove the account's data. Return `true` if everything is removed, `false` to let the engine remove the account's
  /// files. Data of other accounts must stay.
  ///
  /// Awaited off the main actor, because it may take long: a delegate of the main actor declares it `nonisolated`.
  nonisolated func wipeData(account: AccountNumber) async -> Bool
  /// A restart is needed. Return `true` if the app restarts itself, `false` to have the user asked.
  func restartApplication() async -> Bool
  /// Switch to `identity` and return the outcome.
  func identitySwitchRequired(
    scope: IdentityScope, identity: Identity, reason: IdentitySwitchReason
  ) async -> SwitchIdentityResult
  /// Switch to `identity` and return any constant the app has: like the SDK, the engine interprets its number.
  func identitySwitchReply(scope: IdentityScope, identity: Identity, reason: IdentitySwitchReason) async -> SwitchReply
  /// The engine enrolled an account that the app did not name (`addAccountId`): add it and return the outcome.
  func addAccount(account: AccountNumber) async -> AddIdentityResult
  /// The account's configuration changed; `nil` means the device's configuration.
  func configurationDidChange(account: AccountNumber?) async
  /// The account's policy changed.
  func policyDidChange(account: AccountNumber) async
  /// The level at which the account's data is protected changed, or the requirement to encrypt its files
  /// (`IntuneMAMDataProtectionDidChangeNotification`): query ``/AppProtection/AppProtectionState/fileProtection(for:maximum:)``
  /// and ``/AppProtection/AppProtectionState/fileEncryption(for:)`` again, and protect the data accordingly.
  func dataProtectionDidChange(account: AccountNumber) async
  /// The account's wipe is complete.
  func wipeDidComplete(account: AccountNumber) async
  /// The set of accounts that may sign in changed.
  func allowedAccountsDidChange() async
  /// The user's clock-in status, or whether the account is disabled, changed
  /// (`IntuneMAMUserStatusDidChangeNotification`).
  func userStatusDidChange(account: AccountNumber) async
}

extension PolicyDelegate {
  /// Returns `false`, which leaves the files to the engine.
  public func wipeData(account: AccountNumber) -> Bool { false }
  /// Returns `false`, which leaves the restart to the user.
  public func restartApplication() -> Bool { false }
  /// Does not switch: returns ``SwitchIdentityResult/failed``.
  public func identitySwitchRequired(
    scope: IdentityScope, identity: Identity, reason: IdentitySwitchReason
  ) -> SwitchIdentityResult { .failed }
  /// Returns the result of ``identitySwitchRequired(scope:identity:reason:)``.
  public func identitySwitchReply(
    scope: IdentityScope, identity: Identity, reason: IdentitySwitchReason
  ) async -> SwitchReply {
    .result(await identitySwitchRequired(scope: scope, identity: identity, reason: reason))
  }
  /// Does not add the account: returns ``AddIdentityResult/failed``.
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
