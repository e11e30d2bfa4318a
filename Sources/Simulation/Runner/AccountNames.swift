import AppProtection
import Synchronization

/// Which of the journal's accounts is which of the scenario's.
final class AccountNames: Sendable {
  private let accounts: [ScenarioAccount]
  private let names = Mutex<[AccountNumber: String]>([:])

  init(_ accounts: [ScenarioAccount]) {
    self.accounts = accounts
  }

  /// The scenario's name of an account; `nil` while the journal has not mentioned it.
  subscript(number: AccountNumber) -> String? {
    names.withLock { $0[number] }
  }

  /// The number that the journal gave an account; `nil` while it has not mentioned it.
  func number(of name: String) -> AccountNumber? {
    names.withLock { $0.first { $0.value == name }?.key }
  }

  /// Looks for the scenario's accounts among those of the journal.
  func learn(_ state: AppProtectionState) {
    names.withLock { names in
      for record in state.accounts.records where names[record.account] == nil {
        let reference = AccountReference(objectID: record.objectID, userPrincipalName: record.userPrincipalName)
        names[record.account] = accounts.first { $0.reference.isSame(as: reference) }?.name
      }
    }
  }

  /// The names without which nobody could say who is meant: those that the journal never mentioned.
  var unmentioned: [String] {
    let mentioned = names.withLock { Set($0.values) }
    return accounts.map(\.name).filter { !mentioned.contains($0) }
  }

  /// A text in which the journal's `a1` stands where the scenario's names do: a path, a callback, a piece of work.
  ///
  /// A name is replaced only where it is a whole word between slashes, spaces or the text's ends.
  func numbered(_ text: String) -> String {
    Self.replacingWords(in: text, where: { $0 != "/" && $0 != " " }) { number(of: $0)?.description }
  }

  /// A text in which the scenario's names stand where the journal's `a1` does: whatever a message says.
  ///
  /// A number is replaced only where it is a whole word, as in `a1 is registered` and `a1's`, and not in
  /// `a1@contoso.com`.
  func named(_ text: String) -> String {
    Self.replacingWords(
      in: text, where: { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" || $0 == "@" || $0 == "." }
    ) { word in
      let name = word.prefix { $0 != "." }
      guard let number = AccountNumber(name), let known = self[number] else { return nil }
      return known + word.dropFirst(name.count)
    }
  }

  private static func replacingWords(
    in text: String, where isPart: (Character) -> Bool, _ replacement: (String) -> String?
  ) -> String {
    var result = ""
    var rest = text[...]
    while let first = rest.first {
      let word = String(rest.prefix { isPart($0) == isPart(first) })
      rest = rest.dropFirst(word.count)
      result += isPart(first) ? replacement(word) ?? word : word
    }
    return result
  }
}
