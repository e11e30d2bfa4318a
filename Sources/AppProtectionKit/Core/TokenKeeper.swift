import AppProtection
import EventSourcing
import Synchronization

/// Hands out the app's tokens, and keeps the one that an account needs for its unenrollment notice.
///
/// An app removes an account's tokens when the user signs out, but the service accepts the unenrollment
/// notice only with one. Give the same keeper to the service and to one engine:
/// ``EnrollmentManager/deregisterAndUnenroll(_:wipe:)`` puts the token aside before it returns, and the
/// service gets it after the app has removed its own.
///
/// **Whose, and how long.** A token is kept only for an account that is leaving, under its number in the journal, so that
/// neither a namesake nor the account's next stay gets it. It is forgotten as soon as the notice is recorded or given up,
/// when it expires, and when the service refuses it.
///
/// **Only in memory.** A notice that outlives the process gets a token from the provider while that has one; after the app
/// removed its tokens, the user's next sign-in (`acquireToken`) continues it.
public final class TokenKeeper: TokenProvider {
  private let provider: any TokenProvider
  private let clock: any TimeSource
  private let configuration = Mutex<(@Sendable () -> SignInConfiguration)?>(nil)
  private let kept = Mutex(Kept())

  private struct Kept {
    var tokens: [AccountNumber: AccessToken] = [:]
    /// Finds a leaving account, in the journal of the engine.
    var leaving: (@Sendable (AccountReference) -> AccountNumber?)?

    func leavingAccount(_ reference: AccountReference) -> AccountNumber? { leaving?(reference) }
  }

  /// Asks the provider for every token that it has not put aside.
  public init(_ provider: any TokenProvider, clock: any TimeSource = SystemClock()) {
    self.provider = provider
    self.clock = clock
  }

  /// The provider's token; where it has none any more, the one that was put aside.
  public func silentToken(_ request: TokenRequest) async throws(TokenFailure) -> AccessToken {
    // What was put aside is for the management service alone.
    guard request.scopes.isEmpty else { return try await provider.silentToken(configured(request)) }
    // The token that was refused may be the one that was put aside.
    if request.isRenewal { forget(request.account) }
    do throws(TokenFailure) {
      let token = try await provider.silentToken(configured(request))
      keep(token, for: request.account)
      return token
    } catch {
      guard let token = keptToken(for: request.account) else { throw error }
      return token
    }
  }

  /// The provider's token.
  public func interactiveToken(_ request: TokenRequest) async throws(TokenFailure) -> AccessToken {
    try await provider.interactiveToken(configured(request))
  }

  /// Tells the keeper what requests sign in with, asked for each.
  func configure(_ configuration: @escaping @Sendable () -> SignInConfiguration) {
    self.configuration.withLock { $0 = configuration }
  }

  private func configured(_ request: TokenRequest) -> TokenRequest {
    var request = request
    if let configuration = configuration.withLock({ $0 }) { request.signIn = configuration() }
    return request
  }

  /// Follows an engine's journal.
  func serve(_ store: EventStore<AppProtectionMachine>) {
    kept.withLock { kept in
      // The keeper is the app's, and may live longer than the store.
      kept.leaving = { [weak store] reference in store?.withState { $0.leavingAccount(reference) } }
    }
  }

  /// Forgets the tokens of accounts that are not leaving any more.
  func forgetUnneeded() {
    kept.withLock { kept in
      guard !kept.tokens.isEmpty else { return }
      for account in kept.tokens.keys where kept.leavingAccount(AccountReference(account)) == nil {
        kept.tokens[account] = nil
      }
    }
  }

  /// Puts a token aside if its account is leaving. Asked under the lock: an event after it takes the token away again.
  private func keep(_ token: AccessToken, for reference: AccountReference) {
    let now = clock.now().wallNanoseconds
    kept.withLock { kept in
      guard token.isValid(at: now), let account = kept.leavingAccount(reference) else { return }
      kept.tokens[account] = token
    }
  }

  private func forget(_ reference: AccountReference) {
    kept.withLock { kept in
      if let account = kept.leavingAccount(reference) { kept.tokens[account] = nil }
    }
  }

  private func keptToken(for reference: AccountReference) -> AccessToken? {
    let now = clock.now().wallNanoseconds
    return kept.withLock { kept in
      kept.tokens = kept.tokens.filter { $0.value.isValid(at: now) }
      return kept.leavingAccount(reference).flatMap { kept.tokens[$0] }
    }
  }
}

extension AppProtectionState {
  /// The account that a reference means, if the service is still to be notified that it leaves.
  fileprivate func leavingAccount(_ reference: AccountReference) -> AccountNumber? {
    guard let account = account(for: reference) else { return nil }
    switch account.enrollment.status {
    case .unenrolling: return account.account
    case .wiping: return wipes[account.account]?.precedesUnenrollment == true ? account.account : nil
    case .unknown, .registered, .enrolling, .enrolledWithPolicy, .enrolledWithoutPolicy, .removed: return nil
    }
  }
}
