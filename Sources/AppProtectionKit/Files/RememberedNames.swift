import AppProtection
import FileProtection

/// The names that an account had, as the key store remembers them: a key for each, which encrypts nothing.
///
/// The journal's state knows the names of today, and a restored backup only those of its time. The store holds codes of the
/// names, which only the holder of the wrapping key can compare with a guess.
struct RememberedNames {
  private let account: AccountNumber
  private let state: AppProtectionState
  private let protector: Protector

  init(of account: AccountNumber, _ state: AppProtectionState, _ protector: Protector) {
    self.account = account
    self.state = state
    self.protector = protector
  }

  private func key(_ name: String) -> KeyName {
    KeyName(scope: "names of \(protector.scope)", account: "\(account.rawValue) \(name.lowercased())")
  }

  /// Whether the account has or had this name.
  func include(_ name: String) throws(KeyStoreError) -> Bool { try protector.keys.key(named: key(name)) != nil }

  /// Whether the key under the account's number is another person's: a part of the journal that is lost, as with a restored backup,
  /// gave the number to an account with other names. Only an account without organization data can be new to its number.
  func haveForeignKey() throws(KeyStoreError) -> Bool {
    let names = state.names(of: state.accounts[account])
    guard !names.isEmpty, state.accounts[account]?.mayHaveOrganizationData == false, state.wipes[account] == nil,
      try protector.keys.key(named: protector.name(of: state.keyAccount(account))) != nil
    else { return false }
    for name in names where try include(name) { return false }
    return true
  }

  /// Remembers the account's names of today, unless the number has another person's key.
  func remember() throws(KeyStoreError) {
    if try !haveForeignKey() { try begin() }
  }

  /// Remembers the account's names of today. From then on, the key under its number counts as its own.
  func begin() throws(KeyStoreError) {
    for name in state.names(of: state.accounts[account]) where try !include(name) {
      _ = try protector.keys.makeKey(named: key(name), epoch: 0)
    }
  }
}

extension Protector {
  /// The name of an account's key for what this app encrypts.
  func name(of account: KeyAccount) -> KeyName { KeyName(scope: scope, account: account.name) }
}
