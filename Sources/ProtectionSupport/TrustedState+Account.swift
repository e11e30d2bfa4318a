import AppProtection
import CommandSupport

extension TrustedState {
  /// The account whose policy was asked for; `nil` for other questions.
  package var account: AccountNumber? {
    get { accountNumber.flatMap { UInt32(exactly: $0) }.flatMap { AccountNumber($0) } }
    set { accountNumber = newValue.map { UInt64($0.rawValue) } }
  }

  /// The account that the user named by its pseudonym, object id or user principal name: see ``accountNumber(named:)``.
  package func account(_ name: String) throws(Failure) -> AccountNumber {
    let number = try accountNumber(named: name)
    guard let account = UInt32(exactly: number).flatMap({ AccountNumber($0) }) else { return .first }
    return account
  }
}
