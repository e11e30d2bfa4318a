/// The owner of a location, as far as the journal shows.
///
/// An account that the journal never saw differs from no account: before SDK 15.1.0 no account could mean the current
/// one, an unknown account never did.
public enum LocationAccount: Equatable, Sendable {
  /// No account was named.
  case unnamed
  /// An account of the journal.
  case account(AccountNumber)
  /// The named account is not in the journal. No policy is in force for it here.
  case unknown

  /// The account with this number; ``unnamed`` for `nil`.
  @inlinable
  public init(_ account: AccountNumber?) {
    self = account.map { .account($0) } ?? .unnamed
  }

  var number: AccountNumber? {
    if case .account(let number) = self { number } else { nil }
  }
}

extension AppProtectionState {
  /// The account of a location whose owner the app names; `nil` names no account.
  public func locationAccount(for reference: AccountReference?) -> LocationAccount {
    guard let reference else { return .unnamed }
    return account(for: reference).map { .account($0.account) } ?? .unknown
  }
}
