import AppProtection
import Synchronization

/// Which of the journal's accounts is which of the scenario's.
final class AccountNames: Sendable {
  private let accounts: [Scenario.Account]
  private let names = Mutex<[AccountNumber: String]>([:])

  init(_ accounts: [Scenario.Account]) {
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

  /// A text in which the scenario's names stand where the journal says `a1`: a path, a callback, a piece of work.
  ///
  /// A name is replaced only where it is a whole word between slashes, spaces or the text's ends.
  func numbered(_ text: String) -> String {
    var result = ""
    var word = ""
    for character in text {
      if character == "/" || character == " " {
        result += replaced(word)
        result.append(character)
        word = ""
      } else {
        word.append(character)
      }
    }
    return result + replaced(word)
  }

  private func replaced(_ word: String) -> String {
    number(of: word)?.description ?? word
  }
}
