import AppProtection

/// The app's token library, such as MSAL, as far as app protection needs it.
///
/// Configure the library with the client capability ``TokenRequest/capability``: without it, conditional access refuses
/// tokens for good instead of asking for a remediation.
public protocol TokenProvider: Sendable {
  /// A token that the library has or gets without asking the user anything.
  func silentToken(_ request: TokenRequest) async throws(TokenFailure) -> AccessToken
  /// A token for which the library may ask the user to sign in.
  func interactiveToken(_ request: TokenRequest) async throws(TokenFailure) -> AccessToken
}

/// What a token is needed for.
public struct TokenRequest: Equatable, Sendable {
  /// The client capability of an app that knows app protection's conditional access. The guides also write `protapp`;
  /// case does not count.
  public static let capability = "ProtApp"

  /// The account.
  public var account: AccountReference
  /// The permissions, as the resource names them; empty for the management service.
  public var scopes: [String]
  /// The client capabilities to declare.
  public var capabilities: [String]
  /// Whether the resource refused the last token: one that the library has cached does not help.
  public var isRenewal: Bool
  /// What to sign in with, by the property list and the overrides (``Settings``). A ``TokenKeeper`` fills it in.
  public var signIn = SignInConfiguration()

  /// Asks for a token of the management service unless scopes are given.
  public init(
    account: AccountReference, scopes: [String] = [], capabilities: [String] = [TokenRequest.capability],
    isRenewal: Bool = false
  ) {
    self.account = account
    self.scopes = scopes
    self.capabilities = capabilities
    self.isRenewal = isRenewal
  }
}

/// A token. Its text is a secret, so printing it shows only that it is there.
public struct AccessToken: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// The token itself.
  public let secret: String
  /// When it expires, in nanoseconds since 1970; `nil` if unknown.
  public let expires: Int64?

  /// A token of unknown validity unless `expires` is given.
  public init(_ secret: String, expires: Int64? = nil) {
    self.secret = secret
    self.expires = expires
  }

  /// Whether it is of use at a time.
  public func isValid(at wallNanoseconds: Int64) -> Bool { expires.map { wallNanoseconds < $0 } ?? true }

  /// Never the text.
  public var description: String { "access token" }

  /// Never the text.
  public var debugDescription: String { description }

  /// Never the text: `dump` and debuggers show what a mirror has.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why a token library gives no token.
public enum TokenFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// Only the user can get one, by signing in.
  case interactionRequired
  /// Conditional access requires app protection first (−50004): remediate the account's compliance.
  case protectionRequired
  /// The user canceled.
  case canceled
  /// The network failed.
  case unreachable(String)
  /// Any other error of the library.
  case library(code: Int64, String)

  /// The reason and the next step.
  public var description: String {
    switch self {
    case .interactionRequired: "only the user can obtain a token: let them sign in"
    case .protectionRequired:
      "conditional access requires app protection first (-50004): remediate compliance, then retry"
    case .canceled: "the user canceled the sign-in"
    case .unreachable(let reason): "the token library did not reach the directory (\(reason)): retry when it is online"
    case .library(let code, let reason): "the token library failed with \(code): \(reason)"
    }
  }
}
