import Forensics
import PlainText

extension TrustedState {
  /// The numbers of the accounts that the state knows, in order.
  private var accounts: [UInt64] { journal.domain.additions?.accounts(in: state) ?? [] }

  /// The number of the account that the user named by its pseudonym, object id or user principal name.
  ///
  /// A missing account is reported only if the whole history is known; otherwise it may appear later.
  package func accountNumber(named name: String) throws(Failure) -> UInt64 {
    let pattern = Glob(name)
    let known = accounts
    let account = known.first { state.names(ofAccount: $0).matches(pattern) }
    if pattern.isLiteral, let account { return account }
    try expectEnd("whether account \(name) exists")
    let list = Self.list(known)
    throw Failure(
      .wrongUse, "\(journal.path): account \(name) does not exist" + (list.isEmpty ? "" : "; accounts here: \(list)"),
      next: "\(Tool.name) state \(journal.path.shellWord) --path /accounts")
  }

  /// Says which of the accounts that questions name the history up to here does not know.
  ///
  /// - Parameters:
  ///   - values: The values within the parentheses of the questions.
  ///   - imagined: Another state that may know them.
  package func noteUnknownAccounts(in values: [String], besides imagined: AnyState? = nil, _ context: CommandContext) {
    guard let additions = journal.domain.additions else { return }
    let known = additions.accounts(in: state)
    let others = imagined.map { additions.accounts(in: $0) } ?? []
    var told: Set<UInt64> = []
    // managedApp:a1 and encrypted:a1 name an account, too.
    for account in values.compactMap({ EventAccounts.number(of: $0.split(separator: ":").last ?? "") })
    where !known.contains(account) && !others.contains(account) && told.insert(account).inserted {
      let list = Self.list(known)
      context.note(
        "\(journal.path): account \(EventAccounts.pseudonym(account)) does not exist up to event \(sequence)"
          + (list.isEmpty ? "; no account does" : "; accounts here: \(list)"))
    }
  }

  private static func list(_ accounts: [UInt64]) -> String {
    accounts.prefix(10).map(EventAccounts.pseudonym).joined(separator: ", ")
  }
}
