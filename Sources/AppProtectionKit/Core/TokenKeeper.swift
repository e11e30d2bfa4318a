import AppProtection
import Synchronization

/// Hands out the app's tokens, and keeps the one that an account needs for its farewell.
///
/// An app removes an account's tokens when the user signs out, but the service accepts the farewell only with one. Give the
/// same keeper to the service and to the engine: ``EnrollmentManager/deregisterAndUnenroll(_:wipe:)`` puts the token aside
/// before it returns, and the service gets it after the app has removed its own. A kept token is only in memory, and is
/// forgotten once the service has recorded the farewell.
public final class TokenKeeper: TokenProvider {
  private let provider: any TokenProvider
  private let clock: any TimeSource
  private let configuration = Mutex<(@Sendable () -> SignInConfiguration)?>(nil)
  private let kept = Mutex<[(account: AccountReference, token: AccessToken)]>([])

  /// Asks the provider for every token that it has not put aside.
  public init(_ provider: any TokenProvider, clock: any TimeSource = SystemClock()) {
    self.provider = provider
    self.clock = clock
  }

  /// The provider's token; where it has none any more, the one that was put aside.
  public func silentToken(_ request: TokenRequest) async throws(TokenFailure) -> AccessToken {
    do throws(TokenFailure) {
      return try await provider.silentToken(configured(request))
    } catch {
      guard request.scopes.isEmpty, let token = keptToken(for: request.account) else { throw error }
      return token
    }
  }

  /// The provider's token.
  public func interactiveToken(_ request: TokenRequest) async throws(TokenFailure) -> AccessToken {
    try await provider.interactiveToken(configured(request))
  }

  /// Tells the keeper what requests sign in with, asked anew for each.
  func configure(_ configuration: @escaping @Sendable () -> SignInConfiguration) {
    self.configuration.withLock { $0 = configuration }
  }

  private func configured(_ request: TokenRequest) -> TokenRequest {
    var request = request
    if let configuration = configuration.withLock({ $0 }) { request.signIn = configuration() }
    return request
  }

  /// Puts a token aside for an account's farewell.
  func keep(_ token: AccessToken, for account: AccountReference) {
    kept.withLock { kept in
      kept.removeAll { $0.account.isSame(as: account) }
      kept.append((account, token))
    }
  }

  /// Forgets what was put aside for an account.
  func forget(_ account: AccountReference) {
    kept.withLock { $0.removeAll { $0.account.isSame(as: account) } }
  }

  private func keptToken(for account: AccountReference) -> AccessToken? {
    let now = clock.now().wallNanoseconds
    return kept.withLock { kept in
      kept.removeAll { !$0.token.isValid(at: now) }
      return kept.first { $0.account.isSame(as: account) }?.token
    }
  }
}
