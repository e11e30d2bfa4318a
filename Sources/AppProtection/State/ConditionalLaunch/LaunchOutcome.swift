import EventSourcing

/// The outcomes of launch conditions, from the mildest to the most severe.
public enum LaunchOutcome: Int, WireEnumeration {
  /// The app may be used.
  case allowed = 0
  /// The app may be used after the user has seen the warnings, one after another.
  case warn = 1
  /// The user signs in with the account.
  case promptSignIn = 2
  /// The user proves to be the user with biometrics, or with the PIN.
  case promptBiometrics = 3
  /// The user enters the PIN.
  case promptPIN = 4
  /// The user chooses a PIN.
  case promptNewPIN = 5
  /// The user signs in with the account, and then chooses a new PIN.
  case resetPIN = 6
  /// The app may not be used with the account.
  case block = 7
  /// The user signs in with the account and a check-in completes, or the account's data is removed.
  case signInOrWipe = 8
  /// The account's data is removed.
  case wipe = 9

  /// Whether the app may be used with the account.
  public var isPassing: Bool { self == .allowed || self == .warn }

  /// Whether the user can resolve it with an answer.
  public var isPrompt: Bool {
    switch self {
    case .promptSignIn, .promptBiometrics, .promptPIN, .promptNewPIN, .resetPIN, .signInOrWipe: true
    case .allowed, .warn, .block, .wipe: false
    }
  }

  /// Whether it ends as soon as the user answers, so that it does not block the account.
  public var isAnswered: Bool { severityRank == 2 || self == .allowed }

  /// Whether the app's word that the user has answered is enough: the app asks, and only it sees the answer. A PIN that
  /// the user chose is in the journal, or there is none.
  var isAnsweredByWord: Bool { severityRank == 2 && self != .promptNewPIN }

  /// Outcomes of one severity rank by their rules alone. Every lower number comes before every higher one.
  package var severityRank: Int {
    switch self {
    case .signInOrWipe, .wipe: 0
    case .block, .resetPIN: 1
    case .promptNewPIN, .promptPIN, .promptBiometrics, .promptSignIn: 2
    case .warn: 3
    case .allowed: 4
    }
  }
}
