import AppProtectionKit

/// The token library, as far as a service needs it: a token for the management service, for one account.
public protocol AccessTokenSource: Sendable {
  /// A token for the account of a request.
  ///
  /// - Parameters:
  ///   - request: The account, and the event that announced the request.
  ///   - demand: What the service knows about the token it needs.
  func accessToken(for request: ServiceRequest, _ demand: AccessTokenDemand) async -> AccessTokenAnswer
}

/// What a service requires of a token.
public struct AccessTokenDemand: Equatable, Sendable {
  /// Whether the user must not be asked anything.
  public var isSilent: Bool
  /// Whether the service refused the last token: a cached one does not help.
  public var isRenewal: Bool

  /// By default a silent request that a cached token may answer.
  public init(isSilent: Bool = true, isRenewal: Bool = false) {
    self.isSilent = isSilent
    self.isRenewal = isRenewal
  }
}

/// What a token library answers.
public enum AccessTokenAnswer: Equatable, Sendable {
  /// The token.
  case token(String)
  /// Only the user can obtain one, by signing in.
  case interactionRequired(String)
  /// The library refuses with this error; −50004 asks for a remediation.
  case denied(error: Int64, String)
  /// The library did not reach the directory.
  case unreachable(String)
  /// The user canceled.
  case canceled
}

extension AccessTokenAnswer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The answer without the token's text, which is a secret.
  public var description: String {
    switch self {
    case .token: "access token"
    case .interactionRequired(let text): "interaction required: \(text)"
    case .denied(let error, let text): "denied with \(error): \(text)"
    case .unreachable(let text): "unreachable: \(text)"
    case .canceled: "canceled"
    }
  }

  /// As ``description``.
  public var debugDescription: String { description }

  /// Never the token's text.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
