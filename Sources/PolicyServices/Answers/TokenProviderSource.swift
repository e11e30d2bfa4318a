import AppProtection
import AppProtectionKit

/// The tokens of the app's token library, for a service.
///
/// ```swift
/// let keeper = TokenKeeper(library)
/// let tokens = TokenProviderSource(keeper)
/// ```
///
/// Pass the same `TokenKeeper` to the engine: it puts the token aside that the service needs for an account's unenrollment notice.
/// If the provider returns a token that was refused once more (`TokenRequest.isRenewal`), a service ends the request with 203,
/// so that the user signs in.
public struct TokenProviderSource: AccessTokenSource {
  private let provider: any TokenProvider

  /// Tokens from a provider.
  public init(_ provider: any TokenProvider) {
    self.provider = provider
  }

  /// The provider's token for the management service.
  public func accessToken(for request: ServiceRequest, _ demand: AccessTokenDemand) async -> AccessTokenAnswer {
    let account = AccountReference(objectID: request.objectID, userPrincipalName: request.userPrincipalName)
    let wanted = TokenRequest(account: account, isRenewal: demand.isRenewal)
    do throws(TokenFailure) {
      let token =
        demand.isSilent
        ? try await provider.silentToken(wanted) : try await provider.interactiveToken(wanted)
      return .token(token.secret)
    } catch {
      return switch error {
      case .interactionRequired: .interactionRequired("\(error)")
      case .protectionRequired: .denied(error: TokenDenied.protectionRequired, "\(error)")
      case .canceled: .canceled
      case .unreachable: .unreachable("\(error)")
      case .library(let code, let reason): .denied(error: code, reason)
      }
    }
  }
}
