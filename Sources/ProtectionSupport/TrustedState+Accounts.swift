import AppProtection
import CommandSupport
import Forensics
import PlainText

extension TrustedState {
  /// The account whose policy was asked for; `nil` for other questions.
  package var account: AccountNumber? {
    get { accountNumber.flatMap { UInt32(exactly: $0) }.flatMap { AccountNumber($0) } }
    set { accountNumber = newValue.map { UInt64($0.rawValue) } }
  }

  /// The account that the user named by its pseudonym, object id or user principal name.
  ///
  /// A missing account is reported only if the whole history is known; otherwise it may appear later.
  package func account(_ name: String) throws(Failure) -> AccountNumber {
    let pattern = Glob(name)
    let known = protectionState.accounts.records.map(\.account)
    let account = known.first {
      state.names(ofAccount: UInt64($0.rawValue)).matches(pattern)
    }
    if pattern.isLiteral, let account { return account }
    try expectEnd("whether account \(name) exists")
    let list = known.prefix(10).map { "\($0)" }.joined(separator: ", ")
    throw Failure(
      .wrongUse, "\(journal.path): account \(name) does not exist" + (list.isEmpty ? "" : "; accounts here: \(list)"),
      next: "pj state \(journal.path.shellWord) --path /accounts")
  }

  /// Says which of these accounts the history up to here does not know.
  ///
  /// - Parameter imagined: Another state that may know them.
  package func noteUnknownAccounts(
    _ named: [AccountNumber], besides imagined: AppProtectionState? = nil, _ context: CommandContext
  ) {
    let known = protectionState.accounts.records.map(\.account)
    var told: Set<AccountNumber> = []
    for account in named
    where !known.contains(account) && imagined?.accounts[account] == nil && told.insert(account).inserted {
      let list = known.prefix(10).map { "\($0)" }.joined(separator: ", ")
      context.note(
        "\(journal.path): account \(account) does not exist up to event \(sequence)"
          + (list.isEmpty ? "; no account does" : "; accounts here: \(list)"))
    }
  }
}
