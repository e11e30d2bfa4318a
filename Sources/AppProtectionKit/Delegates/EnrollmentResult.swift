import AppProtection
import EventSourcing

/// How a request to the service ended (`IntuneMAMEnrollmentStatus`).
public struct EnrollmentResult: Equatable, Sendable {
  /// The account; `nil` if the app named none that the journal knows.
  public let account: AccountNumber?
  /// Its object id; `nil` if unknown. A refused request that named an account has the one that the app gave.
  public let accountID: GUID?
  /// Its user principal name; `nil` if unknown. A refused request that named an account has the one that the app gave.
  public let identity: String?
  /// The status code.
  public let statusCode: EnrollmentStatusCode
  /// What the service or the token library said; empty if nothing. It may name a person.
  public let error: String

  /// Whether the request succeeded (100–104).
  public var didSucceed: Bool { statusCode.isSuccess }

  /// The code in words: its number, its name, what follows, and what the service said.
  public var errorString: String {
    let entry = statusCode.entry
    let name =
      entry.map { "\(statusCode.rawValue) \($0.name): \($0.consequence)" } ?? "\(statusCode.rawValue): unknown code"
    return error.isEmpty ? name : "\(name) (\(error))"
  }

  /// The result for an account as the state knows it.
  ///
  /// - Parameter named: The account as the app named it, for one that the state does not know.
  init(
    _ account: AccountNumber?, _ code: EnrollmentStatusCode, named: AccountReference? = nil,
    in state: borrowing AppProtectionState
  ) {
    let record = account.flatMap { state.accounts[$0] }
    self.account = account
    accountID = record.map(\.objectID) ?? named?.objectID
    identity = record.map(\.userPrincipalName) ?? named?.userPrincipalName
    statusCode = code
    error = record?.enrollment.lastCode == code ? record?.enrollment.lastError ?? "" : ""
  }
}
