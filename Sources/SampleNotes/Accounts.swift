import AppProtectionKit

extension AccountReference {
  /// The account that the user typed.
  init(typed text: String) throws {
    guard let account = AccountReference(text) else {
      throw UsageError("\(text) is neither a user name like alice@contoso.com nor an object id")
    }
    self = account
  }
}

extension AppProtectionState {
  /// Whether the user is signed in: the account is registered, and not on its way out.
  func isSignedIn(_ account: AccountNumber) -> Bool {
    let status = accounts[account]?.enrollment.status ?? .unknown
    return status.isRegistered && status != .unenrolling && status != .wiping
  }

  /// The number of an account that is signed in.
  func number(ofSignedIn account: AccountReference) throws -> AccountNumber {
    guard let number = self.account(for: account)?.account, isSignedIn(number) else {
      throw NotesRefusal("\(account) is not signed in")
    }
    return number
  }

  /// What the user knows an account by.
  func name(of account: AccountNumber) -> String {
    let known = accounts[account]
    return known?.userPrincipalName ?? known?.objectID?.description ?? account.description
  }
}
