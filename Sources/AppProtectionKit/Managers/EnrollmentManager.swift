import AppProtection

/// Registers, enrolls and removes accounts (`IntuneMAMEnrollmentManager`).
///
/// ```swift
/// let enrollment = engine.enrollment
/// try await enrollment.registerAndEnroll(alice)  // the user has signed in
/// enrollment.enrolledAccounts.map(\.userPrincipalName)
/// try await enrollment.deregisterAndUnenroll(alice, wipe: true)  // before the app removes its tokens
/// ```
///
/// A command returns once its event is durable. The work follows: keep a task in ``PolicyEngine/runWhenDue(alarm:)``, or call
/// ``PolicyEngine/run()``. How it ends is reported to the ``EnrollmentDelegate`` and to ``PolicyEngine/changes()``.
public struct EnrollmentManager: Sendable {
  let engine: PolicyEngine

  // MARK: Commands

  /// Registers an account that is signed in, and enrolls it, now or as soon as the service allows.
  ///
  /// - Throws: ``EngineError/refused(_:)`` if the account is registered already, which is harmless, or may not be.
  public func registerAndEnroll(_ account: AccountReference?) async throws(EngineError) {
    try await engine.send(.registerAndEnroll(account))
  }

  /// Asks the user to sign in, and enrolls the account. `nil` lets the user name it.
  public func loginAndEnroll(_ account: AccountReference? = nil) async throws(EngineError) {
    try await engine.send(.loginAndEnroll(account))
  }

  /// Removes an account: its policy and, with `wipe`, its data at once; the service is notified as soon as it can be reached.
  ///
  /// Returns when the token for the unenrollment notice is there, or cannot be had: the app may then remove the account's tokens.
  /// Needs the engine to have a ``TokenKeeper``; without one it returns once the event is durable.
  public func deregisterAndUnenroll(_ account: AccountReference?, wipe: Bool) async throws(EngineError) {
    try await engine.send(.deregisterAndUnenroll(account, wipe: wipe))
    guard let tokens = engine.tokens, let account else { return }
    do throws(TokenFailure) {
      // The keeper puts it aside, because the account is leaving now.
      _ = try await tokens.silentToken(TokenRequest(account: known(account)))
    } catch {
      // The notice then fails as the service says, and is retried by the rules. The data does not wait for it.
    }
  }

  /// Asks the service for news of an account: another policy, or the order to wipe it. The outcome comes to
  /// ``EnrollmentDelegate/policyRequest(_:)``.
  ///
  /// - Throws: ``EngineError/refused(_:)`` if the account is not enrolled.
  public func checkIn(_ account: AccountReference) async throws(EngineError) {
    try await engine.send(.requestCheckIn(account))
  }

  /// Removes the organization's data of an account from this app at its user's wish, and its policy and registration with it.
  /// The end is reported by ``PolicyDelegate/wipeDidComplete(account:)``.
  ///
  /// - Throws: ``EngineError/refused(_:)`` if the account is not known, or has had no policy since its last wipe.
  public func wipe(_ account: AccountReference) async throws(EngineError) {
    try await engine.send(.requestWipe(account, .appRequest, .app))
  }

  // MARK: Tokens

  /// A token for the app's own use, without a question to the user.
  ///
  /// What the token library answers becomes an event where it matters: that conditional access requires protection first, and
  /// that an account which waited for a sign-in has a token again.
  ///
  /// - Throws: ``TokenFailure`` or ``EngineError``. After ``TokenFailure/protectionRequired``, call
  ///   ``ComplianceManager/remediate(_:isSilent:)``.
  public func token(for account: AccountReference, scopes: [String] = []) async throws -> AccessToken {
    try await noting(account) { (tokens) async throws(TokenFailure) -> AccessToken in
      try await tokens.silentToken(TokenRequest(account: known(account), scopes: scopes))
    }
  }

  /// A token for which the user may have to sign in, and continues what waited for that.
  ///
  /// - Throws: ``TokenFailure`` or ``EngineError``.
  public func signIn(_ account: AccountReference, scopes: [String] = []) async throws -> AccessToken {
    try await noting(account) { (tokens) async throws(TokenFailure) -> AccessToken in
      try await tokens.interactiveToken(TokenRequest(account: known(account), scopes: scopes))
    }
  }

  // MARK: Accounts

  /// The registered accounts, enrolled or not.
  public var registeredAccounts: [Account] { accounts { $0.enrollment.status.isRegistered } }

  /// The enrolled accounts.
  public var enrolledAccounts: [Account] { accounts { $0.enrollment.status.isEnrolled } }

  /// The enrolled account of an app that manages one; the first of several.
  public var enrolledAccount: Account? { enrolledAccounts.first }

  /// The accounts that may sign in on this device; `nil` if any may.
  public var allowedAccounts: [Account]? {
    let state = engine.state
    return state.settings.allowedAccounts.map { $0.compactMap { state.accounts[$0] } }
  }

  /// The account for which the device is managed (`mdmEnrolledAccountId`); `nil` if it is not.
  public var deviceAccount: Account? {
    let state = engine.state
    return state.settings.deviceAccount.flatMap { state.accounts[$0] }
  }

  private func accounts(_ isIncluded: (Account) -> Bool) -> [Account] {
    engine.state.accounts.records.filter(isIncluded)
  }

  /// The account with every name that the app or the journal knows for it, as a token library needs it.
  private func known(_ account: AccountReference) -> AccountReference {
    let known = engine.state.account(for: account)
    return AccountReference(
      objectID: account.objectID ?? known?.objectID,
      userPrincipalName: account.userPrincipalName ?? known?.userPrincipalName)
  }

  private func noting(
    _ account: AccountReference, _ body: (TokenKeeper) async throws(TokenFailure) -> AccessToken
  ) async throws -> AccessToken {
    guard let tokens = engine.tokens else {
      throw TokenFailure.library(code: 0, "the engine has no token keeper: pass one when you create it")
    }
    let token: AccessToken
    do throws(TokenFailure) {
      token = try await body(tokens)
    } catch {
      if error == .protectionRequired, engine.state.account(for: account) != nil {
        try await engine.send(.denyToken(account))
      }
      throw error
    }
    if engine.state.account(for: account) != nil { try await engine.send(.acquireToken(account)) }
    return token
  }
}

extension PolicyEngine {
  /// Registers, enrolls and removes accounts.
  public var enrollment: EnrollmentManager { EnrollmentManager(engine: self) }
}
