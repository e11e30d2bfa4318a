import AppProtection
import Synchronization

/// Maps the scenario's account names to the journal's account numbers and back.
final class ScenarioAccountNames: Sendable {
  private let accounts: [ScenarioAccount]
  private let names = Mutex<[AccountNumber: String]>([:])
  private let wipes = Mutex<[AccountNumber: UInt64]>([:])

  init(_ accounts: [ScenarioAccount]) {
    self.accounts = accounts
  }

  /// The scenario's name for an account; `nil` if the journal has not mentioned it yet.
  subscript(number: AccountNumber) -> String? {
    names.withLock { $0[number] }
  }

  /// The journal's number for an account; `nil` if the journal has not mentioned it yet.
  func number(of name: String) -> AccountNumber? {
    names.withLock { $0.first { $0.value == name }?.key }
  }

  /// The journal's number for an account of the scenario, by its place there, from 1.
  func number(ofPlace place: AccountNumber) -> AccountNumber? {
    let index = Int(place.rawValue) - 1
    return accounts.indices.contains(index) ? number(of: accounts[index].name) : nil
  }

  /// The event that ordered an account's last wipe; 0 if none did.
  func wipe(of account: AccountNumber) -> UInt64 { wipes.withLock { $0[account] ?? 0 } }

  /// Matches the scenario's accounts with those in the journal's state.
  func learn(_ state: AppProtectionState) {
    wipes.withLock { wipes in
      for wipe in state.wipes.records { wipes[wipe.account] = wipe.requestedBy }
    }
    names.withLock { names in
      for record in state.accounts.records where names[record.account] == nil {
        let reference = AccountReference(objectID: record.objectID, userPrincipalName: record.userPrincipalName)
        names[record.account] = accounts.first { $0.reference.isSame(as: reference) }?.name
      }
    }
  }

  /// The names of accounts that the journal never mentioned and that therefore have no number.
  var unmentioned: [String] {
    let mentioned = names.withLock { Set($0.values) }
    return accounts.map(\.name).filter { !mentioned.contains($0) }
  }

  /// Replaces the scenario's names with the journal's, such as `a1`, in a path, a callback or a work item.
  ///
  /// Replaces only whole words delimited by slashes, spaces or the ends of the text.
  func numbered(_ text: String) -> String {
    Self.replacingWords(in: text, where: { $0 != "/" && $0 != " " }) { number(of: $0)?.description }
  }

  /// Replaces the journal's names, such as `a1`, with the scenario's, in any message.
  ///
  /// Replaces only whole words, as in `a1 is registered` and `a1's`, but not in `a1@contoso.com`.
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
