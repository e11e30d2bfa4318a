import AppProtectionKit

/// Whose notes the user chose to see.
enum Screen: Equatable {
  /// The user's own.
  case own
  /// Those of an account, which may have left since.
  case account(AccountNumber)
  /// Those of an account that left. What is meant for them must not land in other notes.
  case gone

  init(_ account: AccountNumber?) { self = account.map { .account($0) } ?? .own }

  /// Reads what ``text`` wrote; without it, nothing was on the screen. What says something else counts as gone.
  init(text: String?) {
    self = text.flatMap { AccountNumber($0) }.map { .account($0) } ?? (text ?? "" == "" ? .own : .gone)
  }

  /// What the next process reads. Of an account that left, it names nothing.
  var text: String {
    switch self {
    case .own: ""
    case .account(let account): account.description
    case .gone: "gone"
    }
  }
}
